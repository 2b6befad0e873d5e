// Mount a figure as a notebook widget (anywidget) or in a page without a kernel.
import { drawable, mount, MOST_SAMPLES } from "./figure.js";
import { capped } from "./capped.js";
import { certificate } from "./certificate.js";
import { farSample } from "./far.js";
import { lookAlong } from "./fisher.js";
import { graph } from "./graph.js";
import { nearestHulls } from "./hulls.js";
import { oneLoss } from "./losses.js";
import { methods } from "./methods.js";
import { newton } from "./newton.js";
import { perceptron } from "./perceptron.js";
import { regularisation } from "./regularisation.js";
import { softOrHard } from "./soft.js";
import { softmax } from "./softmax.js";
import { turn } from "./turn.js";

export const EXPLORABLES = {
  capped, certificate, far: farSample, fisher: lookAlong, graph, hulls: nearestHulls, losses: oneLoss, methods, newton, perceptron, regularisation,
  soft: softOrHard, softmax, turn,
};

/** anywidget's front-end module: the model holds `name` and `state`. */
export function render({ model, el }) {
  return mount(el, model, EXPLORABLES[model.get("name")]);
}

/** What a kernel's model offers, for a page without a kernel; a change of the state withdraws the notice. */
function pageModel(name, state, link) {
  const held = { name, state, notice: "" }, listeners = new Set();
  return {
    get: (key) => held[key],
    set: (key, value) => { Object.assign(held, { notice: "" }, { [key]: value }); for (const listener of listeners) listener(); },
    on: (_, listener) => listeners.add(listener),
    off: (_, listener) => listeners.delete(listener),
    save_changes() {},
    link,
  };
}

const written = (value) => (Array.isArray(value) ? value.map((v) => (Array.isArray(v) ? v.join(",") : v)).join(";") : String(value));

/** A number as `written` writes it; NaN for anything else. What is hardly more than 0 is 0. */
function parsedNumber(word) {
  const value = /^-?\d{1,20}(\.\d{1,20})?(e-?\d{1,3})?$/.test(word) ? Number(word) : NaN;
  return Math.abs(value) < 1e-15 ? 0 : value;
}

/** A value of the kind of `like` from a link, or null where the words mean none: no text comes from a link. */
function read(words, like) {
  if ([like].flat().some((v) => typeof v === "string")) return null;
  if (typeof like === "boolean") return words === "true" || (words === "false" ? false : null);
  const numbers = (list) => list.map(parsedNumber), parts = words.split(";");
  const value = !Array.isArray(like) ? parsedNumber(words) : Array.isArray(like[0]) ? parts.map((v) => numbers(v.split(","))) : numbers(parts);
  return [value].flat(2).every(drawable) ? value : null;
}

/** The first state with what a link changes; null for a link that is not one of this explorable. */
export function changed(first, query, spec) {
  const now = { ...first }, isList = Array.isArray;
  for (const [key, words] of new URLSearchParams(query)) {
    const value = Object.hasOwn(first, key) ? read(words, first[key]) : null;
    if (value === null) return null;
    now[key] = value;
  }
  const n = spec.grows && Math.min(now.X.length, MOST_SAMPLES);
  const length = (key) => (n && ["X", "y", "alpha"].includes(key) ? n : first[key].length);
  const fits = Object.keys(now).every((key) => !isList(now[key]) || now[key].length === length(key))
    && (!first.X || sampled(now, first)) && spec.valid(now);
  return fits ? now : null;
}

/** Whether X holds points of the plane and y labels, of both kinds if the first state has both. */
function sampled({ X, y }, first) {
  const one = first.y.every((v) => v === first.y[0]);
  return X.every((x) => x.length === 2) && y.every((v) => v === 1 || v === -1) && (one || [1, -1].every((label) => y.includes(label)));
}

/** `#figure?k=3&X=…`: what differs from the first state. */
const linkTo = (id) => (first, now) => `#${id}?` + new URLSearchParams(
  Object.keys(first).filter((key) => written(first[key]) !== written(now[key])).map((key) => [key, written(now[key])]));

/** Let every explorable of the page take the place of the drawing it explores. */
export function start() {
  for (const place of document.querySelectorAll("[data-explore]")) {
    const first = JSON.parse(place.textContent), name = place.dataset.explore, host = document.createElement("div");
    const figure = document.getElementById(place.dataset.in);
    const model = pageModel(name, first, figure && linkTo(figure.id));
    if (figure) {
      for (const image of figure.querySelectorAll("img")) image.loading = "eager"; // paper does not wait for it
      figure.prepend(host);
      figure.classList.add("explored");
    } else place.after(host);
    render({ model, el: host });
    const follow = () => {
      const [target, query] = location.hash.slice(1).split("?");
      if (!figure || target !== figure.id || query == null) return;
      const now = changed(first, query, EXPLORABLES[name]);
      model.set("state", now ?? first);
      if (!now) model.set("notice", "This link cannot be read, so the figure shows its first state.");
      figure.scrollIntoView({ behavior: "instant" });
    };
    follow();
    addEventListener("hashchange", follow);
  }
}
