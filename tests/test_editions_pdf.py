"""The PDF edition: every question has its number and its answer, and every link its target."""

import re
from collections import Counter
from types import SimpleNamespace

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_lessons import lessons

from linlearn import practice
from tools.chromium import CHROMIUM
from tools.editions import Faulty, Missing, __main__, pdf

HTML = ROOT / "_build" / "html"
PARTS = {
    "The perceptron": ["03_perceptron", "03_dual"],
    "Practice": ["11_table"],  # with a program as long as a page
    "Appendices": ["bibliography"],
}
SHOWN = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const there = (link) => document.getElementById(link.getAttribute("href").slice(1));
  const visible = (element) => getComputedStyle(element).display !== "none";
  return {
    ids: all("[id]").map((e) => e.id),
    lost: all("a[href^='#']").filter((a) => !there(a)).map((a) => a.outerHTML),
    relative: all("a[href]").map((a) => a.getAttribute("href")).filter((href) => !/^(#|https?:)/.test(href)),
    hidden: all("main *").filter((e) => !visible(e)).map((e) => e.outerHTML.slice(0, 80)),
    left: all("main :is(input, .why, .hint, .check, .imports, .formal, .machine, .solution)")
      .filter((e) => !e.closest(".answers")).map((e) => e.outerHTML.slice(0, 80)),
    questions: all("form.practice").map((form) => {
      const call = form.querySelector("a.call"), answer = there(call);
      return { name: form.dataset.practice, number: call.textContent, answer: answer.textContent,
        back: there(answer.querySelector("a")) === form };
    }),
    exercises: all(".exercise").length,
    solutions: all("#answers .solution").filter((s) => s.textContent.trim().length > 60).length,
  };
}"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Three lessons and an appendix: what the arranged page shows, its headings, and the file."""
    if not HTML.exists() or not CHROMIUM:
        loud_skip("the PDF edition", "Install Chromium, and run `make book` first.")
    folder = tmp_path_factory.mktemp("pdf")
    page, path = folder / "part.html", folder / "part.pdf"
    page.write_text(pdf.joined(HTML, PARTS, "Three lessons"), "utf8")
    shown = {}
    headings = pdf.print_page(page, path, "", lambda tab: shown.update(tab.evaluate(SHOWN)))
    return SimpleNamespace(path=path, headings=headings, **shown)


def test_the_core_is_a_part_of_the_whole():
    """The core has its lessons, in the order of the book; the whole has all."""
    core, whole = (
        [stem for names in pdf.chapters(core=core).values() for stem in names]
        for core in (True, False)
    )
    known = lessons(ROOT)
    assert [stem for stem in whole if stem in known] == list(known)
    assert [stem for stem in core if stem in known] == [
        stem for stem, lesson in known.items() if lesson.track == "core"
    ]
    assert set(core) < set(whole)


def test_nothing_is_lost_or_hidden(printed):
    """Every link inside has its target, no two places one name; checks, hints and Coq are left out."""
    assert not [name for name, count in Counter(printed.ids).items() if count > 1]
    assert not printed.lost and not printed.relative
    assert not printed.hidden and not printed.left


def test_questions_are_numbered_and_answered_at_the_end(printed):
    """The right choice comes first, with a reason for each; a typed answer has its hints."""
    bank = practice.bank()
    numbers = [question["number"] for question in printed.questions]
    expected = [f"Question 3.{k}" for k in range(1, len(numbers) + 1)]
    assert numbers[:8] == expected[:8] and numbers[8] == "Question 3b.1"
    for question in printed.questions:
        asked = bank[question["name"]]
        assert question["back"]
        if asked.choices:
            right = next(k for k, choice in enumerate(asked.choices) if choice.right)
            letters = re.findall(r"\(([a-h])\)", question["answer"])
            assert letters[0] == "abcdefgh"[right]
            assert set(letters) >= set("abcdefgh"[: len(asked.choices)])
        else:
            assert asked.answer in question["answer"]
            assert question["answer"].count("Hint:") == len(asked.hints)
    assert printed.solutions == printed.exercises > 5


def test_the_file_is_tagged_outlined_and_numbered(printed):
    """The outline has the headings as they are; each line of the contents ends with its page."""
    pikepdf = pytest.importorskip(
        "pikepdf", reason="run `make venv-editions` to check the PDF file"
    )
    pdf.finish(printed.path, printed.headings, "03_perceptron", "The authors")
    assert pdf.complaints(printed.path) == []
    with pikepdf.open(printed.path) as file:
        assert (
            file.Root.MarkInfo.Marked and "/StructTreeRoot" in file.Root and file.Root.Lang == "en"
        )
        assert file.docinfo["/Author"] == "The authors"
        with file.open_outline() as outline:
            titles = [item.title for item in outline.root]
        assert titles[0] == "Contents" and titles[-1] == "Answers"
        assert set(titles) <= set(printed.headings)
        heads = [page.objgen for page in file.pages]
        drawn = b"".join(part.read_bytes() for part in pdf.streams(file.pages[1]))
        for stem in ("03_perceptron", "03_dual", "bibliography", "answers"):
            number = heads.index(file.Root.Dests[f"/{stem}"][0].objgen) + 1
            assert b"(%d) Tj" % number in drawn
        file.add_blank_page()
        file.save(printed.path.with_name("core.pdf"))
    [said] = pdf.complaints(printed.path.with_name("core.pdf"))
    assert re.fullmatch(r"page \d+ is nearly empty", said)


def test_an_edition_with_a_fault_fails_when_the_rest_is_done(monkeypatch, tmp_path):
    """It is kept, to be looked at; the command says what is wrong with it."""

    def write(html, out):
        (out / "core.pdf").write_text("half empty")
        raise Faulty("core.pdf: page 9 is nearly empty")

    (tmp_path / "index.html").touch()
    faulty, other = SimpleNamespace(write=write), SimpleNamespace(write=lambda html, out: None)
    for name, value in (
        ("EDITIONS", ("pdf", "other")),
        ("HTML", tmp_path),
        ("ROOT", tmp_path),
        ("OUT", tmp_path / "out"),
        ("import_module", lambda name: faulty if name.endswith("pdf") else other),
    ):
        monkeypatch.setattr(__main__, name, value)
    with pytest.raises(SystemExit, match=r"pdf is not as it should be\. core\.pdf: page 9"):
        __main__.main([])
    assert (tmp_path / "out/pdf/core.pdf").exists() and (tmp_path / "out/other").exists()


def test_without_chromium_the_others_are_written(monkeypatch, tmp_path, capsys):
    """The edition says what to install, and the command fails when the rest is done."""
    monkeypatch.setattr(pdf, "CHROMIUM", None)
    with pytest.raises(Missing, match="apt-get install chromium"):
        pdf.write(HTML, tmp_path)
    other = SimpleNamespace(write=lambda html, out: (out / "done").write_text("done"))
    (tmp_path / "index.html").touch()
    for name, value in (
        ("EDITIONS", ("pdf", "other")),
        ("HTML", tmp_path),
        ("ROOT", tmp_path),
        ("OUT", tmp_path / "out"),
        ("import_module", lambda name: pdf if name.endswith("pdf") else other),
    ):
        monkeypatch.setattr(__main__, name, value)
    with pytest.raises(SystemExit, match=r"pdf was not written\. Chromium"):
        __main__.main([])
    assert (tmp_path / "out/other/done").exists()
    assert "out/other" in capsys.readouterr().out
