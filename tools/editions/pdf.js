// Arrange the joined articles for paper. `tools/editions/pdf.py` runs this in the page before it is printed; what is
// shown on paper, and how, is said by `print.css` alone. Returns the headings, for the outline.

(home) => {
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const make = (tag, attributes, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  };
  const words = (element) => element.textContent.replace(/\s+/g, " ").trim();
  const pages = all(document, "main > section");

  // What is not printed goes, so that no link leads to it.
  for (const element of pages.flatMap((page) => all(page, "*"))) {
    if (element.isConnected && getComputedStyle(element).display === "none") element.remove();
  }

  // Two pages may have the same identifier: each gets the name of its page.
  const place = (page, id) => (id ? `${page.id}--${id}` : page.id);
  for (const page of pages) {
    for (const element of all(page, "[id]")) element.id = place(page, element.id);
  }

  // A link to a page that is printed stays inside; another leads to the published book, if there is one.
  for (const page of pages) {
    for (const link of all(page, "a[href]")) {
      const href = link.getAttribute("href");
      if (/^\w+:/.test(href)) continue;
      const [path, id] = href.split("#");
      const goal = path ? pages.find((other) => `${other.id}.html` === path) : page;
      const target = goal && document.getElementById(place(goal, id));
      if (target) link.setAttribute("href", `#${target.id}`);
      else if (home) link.href = new URL(href, `${home}book/`).href;
      else link.removeAttribute("href");
    }
  }

  // Questions are numbered; what is said about them, and the solutions of exercises, comes at the end.
  const link = (to, text) => make("a", { href: `#${to.id}`, textContent: text });

  function answerTo(form, number) {
    const answer = make("p", { id: `${form.id}--answer` });
    const call = link(answer, `Question ${number}`);
    call.className = "call";
    form.querySelector(".call").replaceWith(call);
    answer.append(make("strong", {}, link(form, number)), " ");
    const reasons = all(form, ".choice").map((choice) => {
      const box = choice.querySelector("input"), why = choice.querySelector(".why");
      const letter = `(${box.value})`, right = "right" in box.dataset;
      box.replaceWith(letter);
      why.remove();
      why.querySelector("strong").remove();
      return { right, parts: [make(right ? "strong" : "span", {}, letter), ...why.childNodes, " "] };
    });
    reasons.sort((a, b) => b.right - a.right);
    for (const { parts } of reasons) answer.append(...parts);
    all(form, "details > p").forEach((said) => {
      const hint = said.parentElement.matches(".hint");
      answer.append(...(hint ? [make("em", {}, "Hint:"), " "] : []), ...said.childNodes, " ");
    });
    all(form, "details, .line, .verdict").forEach((part) => part.remove());
    return answer;
  }

  function solutionOf(folded, hints) {
    const exercise = document.getElementById(folded.dataset.exercise);
    const name = exercise.querySelector(".caption-number");
    const solution = make("div", { className: "solution", id: folded.id || `${exercise.id}--solution` });
    solution.append(make("p", { className: "solution-title" }, link(exercise, words(name))));
    for (const said of hints) {
      if (said.matches("p")) said.prepend(make("em", {}, "Hint:"), " ");
      solution.append(said);
    }
    folded.querySelector("summary").remove();
    solution.append(...folded.childNodes);
    folded.remove();
    const there = link(solution, "");
    name.replaceWith(there);
    there.append(name);
    return solution;
  }

  function answersOf(page) {
    const title = page.querySelector("h1"), chapter = title.querySelector(".section-number");
    const prefix = chapter ? `${words(chapter)}` : "";
    const answers = all(page, "form.practice").map((form, k) => answerTo(form, `${prefix}${k + 1}`));
    let exercise, hints = [];
    const solutions = [];
    for (const part of all(page, ".exercise, details.hint, details.solution")) {
      if (part.matches(".exercise")) [exercise, hints] = [part, []];
      else if (part.matches(".hint")) {
        hints.push(...[...part.children].filter((child) => !child.matches("summary, .hint")));
      } else {
        part.dataset.exercise = exercise.id;
        solutions.push(solutionOf(part, hints));
        hints = [];
      }
    }
    all(page, "details.hint").forEach((hint) => hint.remove());
    if (!answers.length && !solutions.length) return null;
    return make("section", {}, make("h2", {}, words(title)), make("div", { className: "columns" }, ...answers), ...solutions);
  }

  const end = document.getElementById("answers");
  end.append(...pages.filter((page) => page !== end).map(answersOf).filter(Boolean));
  return all(document, "h1, h2, h3, h4, h5, h6").map(words);
}
