// What every explorable shares: panels, points moved by mouse, touch and keys, a description, a link.
// An explorable is {title, help, panels, controls, says, derive}; its state is plain JSON in an AFM model.
import { range } from "./maths.js";

const SVG = new Set("svg g path circle text".split(" "));

/** An element: attributes by name, handlers as functions (`onclick`), then children. */
export function el(tag, attributes = {}, ...children) {
  const node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node[name] = value;
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// Words --------------------------------------------------------------------------------------

const minus = (words) => words.replace(/^-(?=0(\.0*)?$)/, "").replace("-", "−");
export const number = (v, digits = 2) => minus(v.toFixed(digits));
export const short = (v) => minus(String(+v.toFixed(4)));
export const labelled = (v) => (v > 0 ? "+1" : "−1");
export const many = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;
export const sub = (k) => String(k).replace(/\d/g, (c) => "₀₁₂₃₄₅₆₇₈₉"[c]);

/** Four digits below v: a bound never claims more than was computed. */
function down(v) {
  const below = Math.floor(v * 1e4) / 1e4;
  return below > v ? below - 1e-4 : below;
}
export const atLeast = (v) => (v > -Infinity ? short(down(v)) : "−∞");
export const atMost = (v) => short(-down(-v));

// Panels -------------------------------------------------------------------------------------

const LEFT = 30, RIGHT = 8, TOP = 8, BOTTOM = 24;

/** Axes with a drawing area. Its units are the screen's, so that text and handles keep their size at any width. */
class Panel {
  constructor({ title, height = 300, basis = 320, labels: [x = "", y = ""] = [], flat, bare }) {
    Object.assign(this, { height, flat, bare, axes: el("g", { class: "axes" }), marks: el("g"), handles: el("g") });
    const inside = { x: LEFT, y: TOP, width: 1, height: 1 };
    this.insides = [el("svg", inside, this.marks), el("svg", { ...inside, overflow: "visible" }, this.handles)];
    this.across = el("text", { "text-anchor": "end" }, x);
    this.svg = el("svg", { role: "group", "aria-label": title, height },
      el("g", { "aria-hidden": "true" }, this.axes, this.insides[0], this.across, el("text", { x: LEFT + 5, y: TOP + 10 }, y)),
      this.insides[1]);
    this.node = el("div", { class: "panel", style: `flex: ${basis} 1 ${basis}px` },
      el("p", { class: "name", "aria-hidden": "true" }, title), this.svg);
  }
  scale(frame, equal) {
    let [x0, x1, y0, y1] = [...apart(frame[0], frame[1]), ...apart(frame[2], frame[3])];
    const width = this.svg.clientWidth || 320;
    Object.assign(this, { w: width - LEFT - RIGHT, h: this.height - TOP - BOTTOM });
    for (const svg of this.insides) { svg.setAttribute("width", this.w); svg.setAttribute("height", this.h); }
    this.across.setAttribute("x", width - RIGHT);
    this.across.setAttribute("y", TOP + this.h - 5);
    if (equal) { // one unit is as long up as across
      const unit = Math.max((x1 - x0) / this.w, (y1 - y0) / this.h);
      const dx = (unit * this.w - (x1 - x0)) / 2, dy = (unit * this.h - (y1 - y0)) / 2;
      [x0, x1, y0, y1] = [x0 - dx, x1 + dx, y0 - dy, y1 + dy];
    }
    this.frame = [x0, x1, y0, y1];
    if (this.bare) return; // a drawing without axes
    const below = ticks(x0, x1).map((v) => el("text", { x: LEFT + this.to([v, 0])[0], y: TOP + this.h + 15, "text-anchor": "middle" }, short(v)));
    const beside = ticks(y0, y1).map((v) => el("text", { x: LEFT - 5, y: TOP + this.to([0, v])[1] + 4, "text-anchor": "end" }, short(v)));
    const d = this.flat ? `M${LEFT} ${TOP + this.h}h${this.w}` : `M${LEFT} ${TOP}v${this.h}h${this.w}`;
    this.axes.replaceChildren(el("path", { d }), ...below, ...(this.flat ? [] : beside));
  }
  /** Where a point is drawn, in pixels; one that is out of sight by far is not drawn farther out, for browsers read no such numbers. */
  to([x, y]) {
    const [x0, x1, y0, y1] = this.frame, near = (v) => Math.max(-1e7, Math.min(1e7, v));
    return [near(((x - x0) / (x1 - x0)) * this.w), near(((y1 - y) / (y1 - y0)) * this.h)];
  }
  from([px, py]) { const [x0, x1, y0, y1] = this.frame; return [x0 + (px / this.w) * (x1 - x0), y1 - (py / this.h) * (y1 - y0)]; }
  inside([x, y]) { const [x0, x1, y0, y1] = this.frame; return [Math.min(x1, Math.max(x0, x)), Math.min(y1, Math.max(y0, y))]; }
  corners() { const [x0, x1, y0, y1] = this.frame; return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]; }

  // Marks, in units of the data
  path(points, look) { return el("path", { d: points.map((p, i) => (i ? "L" : "M") + this.to(p).map((v) => v.toFixed(2))).join(""), ...look }); }
  area(points, look) { if (!points.length) return []; const shape = this.path(points, look); shape.setAttribute("d", shape.getAttribute("d") + "Z"); return shape; }
  dot(p, r, look) { const [cx, cy] = this.to(p); return el("circle", { cx, cy, r, ...look }); }
  text(p, words, look, dx = 6, dy = -6) { const [x, y] = this.to(p); return el("text", { x: x + dx, y: y + dy, ...look }, words); }
  /** A line r pixels down from p: at its foot a name is not hidden by the samples around p. */
  drop(p, r, look) { const [x, y] = this.to(p); return el("path", { d: `M${x} ${y}v${r}`, ...look }); }
  /** A small cross beside a sample that is on the wrong side. */
  wrong(p) { const [x, y] = this.to(p); return el("path", { class: "wrong", d: `M${x + 9} ${y - 17}l8 8m0 -8l-8 8` }); }
  crosses(X, m) { return X.filter((_, i) => m[i] <= 0).map((x) => this.wrong(x)); }
  /** A ring around each sample whose dual variable is not 0; its size shows the share of the largest. */
  rings(X, alpha) {
    const sizes = alpha.map(Math.abs), most = Math.max(...sizes);
    return sizes.map((v, i) => v > 1e-7 * most && this.dot(X[i], 9 + 7 * Math.sqrt(v / most), { class: "weight" }));
  }
  /** The line {x : ⟨w, x⟩ + b = 0}; nothing when w = 0. */
  line({ w, b }, look) {
    const size = Math.hypot(...w), n = w.map((v) => v / size), [x0, x1, y0, y1] = this.frame;
    const middle = [(x0 + x1) / 2, (y0 + y1) / 2], far = 2 * Math.hypot(x1 - x0, y1 - y0);
    const off = Math.max(-far, Math.min(far, n[0] * middle[0] + n[1] * middle[1] + b / size)); // from the middle of the frame
    const at = middle.map((v, j) => v - off * n[j]);
    return size ? this.path([1, -1].map((t) => [at[0] - t * far * n[1], at[1] + t * far * n[0]]), look) : [];
  }
  /** Its two sides, in the colours of the classes. */
  sides({ w, b }) {
    const side = (t) => clip(this.corners(), w.map((v) => t * v), t * b);
    return w.some(Boolean) ? [this.area(side(1), { class: "plus tint" }), this.area(side(-1), { class: "minus tint" })] : [];
  }
  arrow(p, q, look) {
    const [a, b] = [this.to(p), this.to(q)], t = Math.atan2(b[1] - a[1], b[0] - a[0]), tip = (s) => [b[0] - 7 * Math.cos(t + s), b[1] - 7 * Math.sin(t + s)];
    return el("path", { d: `M${a}L${b}M${tip(0.45)}L${b}L${tip(-0.45)}`, ...look });
  }
}

/** The part of a convex polygon in which ⟨w, x⟩ + b ≥ 0. */
export function clip(polygon, w, b) {
  const f = polygon.map((p) => w[0] * p[0] + w[1] * p[1] + b), kept = [];
  polygon.forEach((p, i) => {
    const j = (i + 1) % polygon.length, q = polygon[j];
    if (f[i] >= 0) kept.push(p);
    if (f[i] >= 0 !== f[j] >= 0) { const t = f[i] / (f[i] - f[j]); kept.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]); }
  });
  return kept;
}

/** The ends of an axis, moved apart where they are the same but for rounding. */
function apart(lo, hi) {
  const least = 1e-9 * Math.max(1, Math.abs(lo), Math.abs(hi));
  return hi - lo > least ? [lo, hi] : [lo - least, hi + least];
}

function ticks(lo, hi) {
  const raw = (hi - lo) / 5, ten = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find((s) => s * ten >= raw) * ten;
  return range(Math.floor(hi / step) - Math.ceil(lo / step) + 1).map((i) => (Math.ceil(lo / step) + i) * step);
}

/** The frame around points, with room to drag. */
export function around(points, pad = 0.12) {
  const [xs, ys] = [0, 1].map((j) => points.map((p) => p[j])), lo = (v) => Math.min(...v), hi = (v) => Math.max(...v);
  const room = pad * Math.max(hi(xs) - lo(xs), hi(ys) - lo(ys), 1e-9);
  return [lo(xs) - room, hi(xs) + room, lo(ys) - room, hi(ys) + room];
}

// Samples ------------------------------------------------------------------------------------

export const MOST_SAMPLES = 100;

/** Whether a number from outside can be drawn and computed with. */
export const drawable = (v) => Number.isFinite(v) && Math.abs(v) < 1e6;

export const GRID = 1 / 8; // exact in binary: a tie is a tie in every language

export const snap = (v) => Math.round(v / GRID) * GRID;

/** One handle for each sample: drag or arrow keys move it, Space changes its label. */
export const samples = (state, panel, says = () => "") => state.X.map((x, i) => ({
  at: x, shape: state.y[i] > 0 ? "disc" : "square", roving: true, step: GRID, text: String(i + 1),
  label: `Sample ${i + 1}`, index: i,
  value: `${short(x[0])}, ${short(x[1])}; label ${labelled(state.y[i])}${says(i)}`,
  move: (p) => ({ X: state.X.map((old, j) => (j === i ? panel.inside(p).map(snap) : old)) }),
  press: () => {
    const y = state.y.map((v, j) => (j === i ? -v : v));
    return y.includes(1) && y.includes(-1) ? { y } : {}; // one class alone asks nothing
  },
}));

/** The samples as numbers to type: what dragging does, for whoever cannot drag. */
function table(state, set) {
  const typed = (i, j) => (event) => drawable(event.target.valueAsNumber) &&
    set({ X: state.X.map((x, k) => (k === i ? x.map((v, l) => (l === j ? event.target.valueAsNumber : v)) : x)) }, true);
  const cell = (i, j) => el("td", {}, el("input", {
    type: "number", step: "any", value: state.X[i][j], "aria-label": `Sample ${i + 1}, x${sub(j + 1)}`, onchange: typed(i, j),
  }));
  const head = ["sample", "label", "x₁", "x₂"].map((h) => el("th", { scope: "col" }, h));
  const rows = range(state.X.length).map((i) =>
    el("tr", {}, el("th", { scope: "row" }, String(i + 1)), el("td", {}, labelled(state.y[i])), cell(i, 0), cell(i, 1)));
  return el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

// Handles ------------------------------------------------------------------------------------

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const SHAPES = { disc: "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0", square: "M-7.2-7.2h14.4v14.4h-14.4z", diamond: "M0-12L12 0L0 12L-12 0z", dot: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0" };

/** A point that can be moved, or, if it has a `toggle`, clicked. Its element stays, so that focus and a drag survive the redrawing around it. */
function handle(panel, set) {
  const mark = el("path"), text = el("text", { "text-anchor": "middle", y: 3.5 });
  const node = el("g", {}, el("circle", { r: 15, class: "hit" }), el("circle", { r: 11.5, class: "ring" }), mark, text);
  let me, grip = null;
  const at = (event) => { // in units of the data, wherever the page is scrolled or zoomed
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(panel.svg.getScreenCTM().inverse());
    return panel.from([p.x - LEFT, p.y - TOP]);
  };
  node.onpointerdown = (event) => {
    if (event.button || me.toggle) return;
    node.setPointerCapture(event.pointerId);
    const p = at(event);
    grip = me.at.map((v, j) => v - p[j]);
    node.focus({ preventScroll: true });
    event.preventDefault();
  };
  node.ontouchstart = (event) => { if (!me.toggle) event.preventDefault(); }; // `touch-action` alone does not hold inside an SVG
  node.onclick = () => { if (me.toggle) { node.focus({ preventScroll: true }); set(me.toggle(), true); } };
  node.onpointermove = (event) => { if (grip) set(me.move(at(event).map((v, j) => v + grip[j]))); };
  node.onpointerup = node.onpointercancel = () => { if (grip) { grip = null; set({}, true); } };
  node.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = !me.toggle && ARROWS[event.key], s = me.step * (event.shiftKey ? 8 : 1), press = me.toggle ?? me.press;
    const page = { PageDown: 1, PageUp: -1, ...(me.toggle && { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }) }[event.key];
    if (by) set(me.nudge ? me.nudge(by, s) : me.move(me.at.map((v, j) => v + s * by[j])), true);
    else if (page && me.roving) { const all = peers(node); all[(all.indexOf(node) + page + all.length) % all.length].focus(); }
    else if ((event.key === " " || event.key === "Enter") && press) set(press(), true);
    else if (event.key === "Delete" && me.remove) {
      const all = peers(node); // the last element goes, whichever sample does
      if (node === all.at(-1)) all.at(-2)?.focus();
      set(me.remove(), true);
    }
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  node.onfocus = () => {
    for (const other of peers(node)) other.setAttribute("tabindex", other === node ? 0 : -1);
    if (me.chosen) set(me.chosen());
  };
  node.show = (now) => {
    me = now;
    const [x, y] = panel.to(me.at), [left, right] = panel.frame, kind = me.toggle ? " toggle" : "";
    for (const [name, value] of Object.entries({
      class: `handle ${me.shape}${me.roving ? " roving" : ""}${kind}`, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`, "aria-label": me.label,
      ...(kind ? { role: "checkbox", "aria-checked": me.on } : {
        role: "slider", "aria-valuetext": me.value, "aria-valuenow": +me.at[0].toFixed(4),
        "aria-valuemin": +left.toFixed(4), "aria-valuemax": +right.toFixed(4),
      }),
    })) node.setAttribute(name, value);
    if (!node.hasAttribute("tabindex")) node.setAttribute("tabindex", peers(node)[0] === node || !me.roving ? 0 : -1);
    mark.setAttribute("d", SHAPES[me.shape.split(" ")[0]]);
    text.textContent = me.text ?? "";
  };
  return node;
}

/** The handles that share one stop of the Tab key with this one. */
const peers = (node) => (node.classList.contains("roving") ? [...node.parentNode.querySelectorAll(".roving")] : []);

// Controls -----------------------------------------------------------------------------------

export const button = (words, action) => ({ node: el("button", { type: "button", onclick: action }, words) });

/** A slider with its name beside it; `value` reads the state, `patch` says what a position changes. */
export function slider(name, { min = 0, max, step = 1, value, patch, says }, set) {
  const input = el("input", { type: "range", min, max: max(), step, oninput: () => set(patch(+input.value)), onchange: () => set({}, true) });
  const shown = el("span", { "aria-hidden": "true" });
  const update = (now) => {
    input.max = max();
    input.value = value(now);
    shown.textContent = says(now);
    input.setAttribute("aria-valuetext", says(now));
  };
  return { node: el("label", { class: "slider" }, el("span", {}, name), input, shown), update, input };
}

/** Two buttons and a slider that walk through the steps 0, …, last(). */
export function stepper(name, { key, last }, state, set) {
  const here = () => Math.min(state()[key], last());
  const to = (k) => ({ [key]: Math.max(0, Math.min(last(), k)) });
  const back = button("‹ Previous", () => set(to(here() - 1), true)).node;
  const next = button("Next ›", () => set(to(here() + 1), true)).node;
  const track = slider(name, { max: last, value: here, patch: to, says: () => `${here()} of ${last()}` }, set);
  const update = (now) => {
    track.update(now);
    for (const [b, off] of [[back, here() <= 0], [next, here() >= last()]]) // not `disabled`: focus would be lost
      off ? b.setAttribute("aria-disabled", "true") : b.removeAttribute("aria-disabled");
  };
  return { node: el("div", { class: "stepper", role: "group", "aria-label": name }, back, next, track.node), update };
}

// The figure ---------------------------------------------------------------------------------

let figures = 0;

/** Build an explorable in `host`: it follows the model's state, and the state follows the reader. */
export function mount(host, model, spec) {
  const first = model.get("state"), id = `explorable-${++figures}`, state = () => model.get("state");
  const set = (patch, done) => {
    if (Object.keys(patch).length) model.set("state", { ...state(), ...patch });
    if (done) { model.save_changes(); announce(); flush(); }
  };
  const panels = spec.panels.map((one) => new Panel(one)), actions = spec.controls(state, set);
  const said = el("p", { class: "says" }), note = el("p", { class: "notice", "aria-live": "polite" }), live = el("p", { class: "unseen", role: "status" });
  const link = el("a", { href: "#" }, "Link to this state");
  const numbers = el("details", {}, el("summary", {}, "Samples as numbers"), el("div"));
  const root = el("section", { class: "explorable", "aria-label": spec.title, "aria-describedby": id },
    el("div", { class: "panels" }, ...panels.map((panel) => panel.node), ...actions.filter((one) => one.beside).map((one) => one.node)),
    el("div", { class: "controls" }, ...actions.filter((one) => !one.beside).map((one) => one.node), button("Reset", () => set(first, true)).node),
    note, said, live, el("div", { class: "foot" }, el("p", { id }, spec.help), first.X ? numbers : "", model.link ? link : ""));
  // JupyterLab asks the element that has the focus, and none around it, whether its keys are not for the notebook.
  root.addEventListener("focusin", ({ target }) => target.setAttribute("data-lm-suppress-shortcuts", "true"));
  host.append(root);

  let timer, waiting = 0;
  const announce = () => { clearTimeout(timer); timer = setTimeout(() => (live.textContent = said.textContent), 300); };
  const draw = () => {
    waiting = 0;
    const now = state(), derived = spec.derive(now);
    panels.forEach((panel, i) => {
      const { frame, equal, marks, handles } = spec.panels[i];
      panel.scale(frame(now, derived, first), equal);
      panel.marks.replaceChildren(...marks(now, derived, panel).flat(2).filter(Boolean));
      const list = handles?.(now, derived, panel) ?? [], nodes = panel.handles.children;
      while (nodes.length > list.length) nodes[nodes.length - 1].remove();
      while (nodes.length < list.length) panel.handles.append(handle(panel, set));
      list.forEach((one, j) => nodes[j].show(one));
    });
    for (const action of actions) action.update?.(now, derived);
    note.textContent = model.get("notice") ?? "";
    said.textContent = spec.says(now, derived);
    if (model.link) link.href = model.link(first, now);
    if (numbers.open && !numbers.lastChild.contains(document.activeElement)) numbers.lastChild.replaceChildren(table(now, set));
  };
  const later = () => { waiting ||= requestAnimationFrame(draw); };
  const flush = () => { if (waiting) { cancelAnimationFrame(waiting); draw(); } }; // the next key starts from here
  const watch = new ResizeObserver(later);
  draw();
  watch.observe(root);
  numbers.ontoggle = later;
  model.on("change:state", later);
  return () => { watch.disconnect(); model.off("change:state", later); root.remove(); };
}
