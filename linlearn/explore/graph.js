// NP-hardness: a graph's vertices and edges as samples, a hyperplane, and the fewest mistakes of any hyperplane.
import { dot, margins, plus, range } from "./maths.js";
import { button, el, labelled, many, number } from "./figure.js";

const VERTICES = 5;
const SPOTS = range(VERTICES).map((v) => [Math.sin, Math.cos].map((f) => f((2 * Math.PI * v) / VERTICES)));

/** All pairs of vertices; a state says of each whether it is an edge. */
export const PAIRS = range(VERTICES).flatMap((j) => range(j).map((i) => [i, j])).sort(([i, j], [k, l]) => i - k || j - l);

const touches = (chosen) => ([i, j]) => chosen[i] || chosen[j];
const indicator = (members) => range(VERTICES).map((v) => (members.includes(v) ? 1 : 0));
const SUBSETS = range(2 ** VERTICES).map((bits) => range(VERTICES).map((v) => (bits >> v) & 1));
const size = (chosen) => chosen.reduce((sum, v) => sum + v, 0);

/** Whoever touches every edge with the fewest vertices, by trying all sets. */
function smallestCover(drawn) {
  const covers = SUBSETS.filter((chosen) => drawn.every(touches(chosen)));
  return covers.reduce((best, one) => (size(one) < size(best) ? one : best));
}

const joined = (members) => members.map((v) => v + 1).join("–");
const named = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

export const graph = {
  title: "A graph and its samples",
  help: "Click a faint line to draw an edge, and an edge to delete it, by the small dot in its middle. Click a vertex to change its weight between 5 and −1. By keyboard: arrows go from vertex to vertex and on to the edges, Space clicks. A cross marks a sample that is a mistake.",

  valid: (s) => [...s.edges, ...s.chosen].every((v) => v === 0 || v === 1),

  derive({ edges, chosen }) {
    const drawn = PAIRS.filter((_, k) => edges[k]), members = [...range(VERTICES).map((v) => [v]), ...drawn];
    const X = members.map(indicator), y = members.map((one) => (one.length === 1 ? -1 : 1));
    const w = chosen.map((v) => (v ? VERTICES : -1)), m = margins({ w, b: 0 }, X, y), cover = smallestCover(drawn);
    return { drawn, members, X, y, w, m, mistakes: m.filter((v) => v <= 0).length, cover, fewest: size(cover) };
  },

  panels: [{
    title: "A graph, and the weights of its vertices",
    basis: 280,
    height: 330,
    bare: true,
    equal: true,
    frame: () => [-1.3, 1.3, -1.05, 1.25],
    marks: (s, d, panel) => [
      PAIRS.map(([i, j], k) => {
        const sum = d.w[i] + d.w[j], look = !s.edges[k] ? "constraint" : sum > 0 ? "plane" : "wrong plane";
        return panel.path([SPOTS[i], SPOTS[j]], { class: look });
      }),
      SPOTS.map((at, v) => panel.text(plus(at, at, 0.15), number(d.w[v], 0), { class: "strong", "text-anchor": "middle" }, 0, 4)),
      SPOTS.filter((_, v) => d.w[v] > 0).map((at) => panel.wrong(at)),
    ],
    handles: (s) => [
      ...SPOTS.map((at, v) => ({
        at, shape: s.chosen[v] ? "disc picked" : "square passed", roving: true, text: String(v + 1), label: `Weight 5 for vertex ${v + 1}`,
        on: !!s.chosen[v], toggle: () => ({ chosen: s.chosen.map((old, u) => (u === v ? 1 - old : old)) }),
      })),
      ...PAIRS.map(([i, j], k) => ({
        at: plus(SPOTS[i], SPOTS[j]).map((v) => v / 2), shape: s.edges[k] ? "dot drawn" : "dot", roving: true, label: `Edge between ${i + 1} and ${j + 1}`,
        on: !!s.edges[k], toggle: () => ({ edges: s.edges.map((old, l) => (l === k ? 1 - old : old)) }),
      })),
    ],
  }],

  controls: (state, set) => [
    button("Smallest cover", () => set({ chosen: graph.derive(state()).cover }, true)),
    button("No edges", () => set({ edges: PAIRS.map(() => 0) }, true)),
    listed(),
  ],

  says(s, d) {
    const wrong = d.members.filter((_, i) => d.m[i] <= 0), list = (n) => named(wrong.filter((one) => one.length === n).map(joined));
    const counted = [[1, "vertices"], [2, "edges"]].filter(([n]) => list(n)).map(([n, what]) => `${what} ${list(n)}`).join("; ");
    const best = d.mistakes === d.fewest ? "No plane makes fewer" : `The fewest of any plane: ${d.fewest}`;
    return `This plane makes ${many(d.mistakes, "mistake")}${counted && ` (${counted})`}. ${best}. The smallest vertex cover has ${d.fewest === 1 ? "1 vertex" : `${d.fewest} vertices`}.`;
  },
};

/** The samples with their labels and scores. */
function listed() {
  const head = ["sample", "x", "label", "score", ""].map((h) => el("th", { scope: "col" }, h || el("span", { class: "unseen" }, "verdict"))), body = el("tbody");
  const update = (now, d) => body.replaceChildren(...d.members.map((one, i) => el("tr", {},
    el("th", { scope: "row" }, `${one.length === 1 ? "vertex" : "edge"} ${joined(one)}`),
    ...[d.X[i].join("\u2009"), labelled(d.y[i]), number(dot(d.w, d.X[i]), 0), d.m[i] > 0 ? "" : "mistake"].map((words) => el("td", {}, words)))));
  return { beside: true, node: el("table", { class: "results" }, el("thead", {}, el("tr", {}, ...head)), body), update };
}
