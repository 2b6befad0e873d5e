"""Draw on Matplotlib axes: samples, hyperplanes, paths, bounds, odds ratios; `book_style` for notebooks.

Samples of class +1 are blue discs, samples of class -1 orange squares; a hyperplane is a dark line, and its
normal vector an arrow to the positive side. This module needs matplotlib: pip install matplotlib.
"""

import hashlib
import re
from collections.abc import Mapping
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

try:
    import matplotlib as mpl
    import matplotlib.style
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
    from matplotlib.font_manager import fontManager
    from matplotlib.patheffects import withStroke
except ImportError:
    raise ModuleNotFoundError(
        "`linlearn.plot` needs matplotlib, which is not installed. Install it with: pip install matplotlib"
    ) from None

from linlearn.fit import Fit
from linlearn.inference import Summary
from linlearn.plane import Hyperplane
from linlearn.validation import check_points, check_samples

INK, MUTED, GRID, PAPER = "#24292f", "#57606a", "#d0d7de", "#ffffff"
BLUE, ORANGE, GREEN, PURPLE, RED = "#1f5fa8", "#bf4b0b", "#1a7f4b", "#7a3fb0", "#b3261e"
HERE, FONT = Path(__file__).parent, "Linlearn Sans"
HASHED = re.compile(r'(?<=[#"])[A-Za-z]\w*?[0-9a-f]{10}(?=[)"])')
COORDINATES = re.compile(r'(?<= )(?:d|x|y|width|height|viewBox|transform)="[^"]*"')
CLASSES = {1.0: (BLUE, "o", "y = +1"), -1.0: (ORANGE, "s", "y = −1")}


def book_style() -> None:
    """Use the book's style and font; in a notebook, draw figures as SVG that is the same on every run.

    Style and font come with the package, so that figures look the same on every machine.

    >>> with mpl.rc_context():
    ...     book_style()
    ...     mpl.rcParams["axes.spines.top"]
    False
    """
    if FONT not in fontManager.get_font_names():
        for face in sorted((HERE / "fonts").glob("*.ttf")):
            fontManager.addfont(face)
    mpl.style.use(HERE / "book.mplstyle")
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:
        return
    if (shell := get_ipython()) is not None:
        set_matplotlib_formats("svg")
        shell.display_formatter.formatters["image/svg+xml"].for_type(Figure, _svg)


def samples(ax: Axes, X: ArrayLike, y: ArrayLike, **style: Any) -> list[Artist]:
    """Draw a scatter plot of samples X, shape (n, 2), with labels y, shape (n,): one artist for each class.

    The two artists have legend labels; `style` is passed to Matplotlib's `scatter`.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> [artist.get_label() for artist in samples(ax, [[0, 0], [1, 2]], [-1, 1])]
    ['y = +1', 'y = −1']
    """
    X, y = check_samples(X, y, fit_intercept=False)
    _flat(X, "samples")
    artists: list[Artist] = []
    for label, (colour, marker, name) in CLASSES.items():
        rows = y == label
        look: dict[str, Any] = dict(
            s=34, c=colour, marker=marker, linewidths=0.6, edgecolors=PAPER, zorder=3, label=name
        )
        artists.append(ax.scatter(X[rows, 0], X[rows, 1], **(look | style)))
    return artists


def plane(ax: Axes, plane: Hyperplane | Fit, **style: Any) -> list[Artist]:
    """Draw the line ⟨w, x⟩ + b = 0 of `plane` (a hyperplane or a fit) across the axes; nothing if w = 0.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> plane(ax, Hyperplane([0.0, 2.0], b=-1.0))[0].get_xy1().tolist()
    [0.0, 0.5]
    """
    plane = _line(plane, "plane")
    w: np.ndarray = plane.w
    if not w.any():
        return []
    at = -plane.b * w / (w @ w)
    look: dict[str, Any] = dict(color=INK, linewidth=1.6, zorder=2)
    return [ax.axline(at, at + np.array([-w[1], w[0]]) / np.linalg.norm(w), **(look | style))]


def level(ax: Axes, plane_: Hyperplane | Fit, value: float, **style: Any) -> list[Artist]:
    """Draw the dashed line ⟨w, x⟩ + b = value of `plane_`; in canonical form, ±1 bound the margin.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> level(ax, Hyperplane([0.0, 2.0], b=-1.0), 1.0)[0].get_xy1().tolist()
    [0.0, 1.0]
    """
    line = _line(plane_, "level")
    moved = Hyperplane(line.w, line.b - value)
    return plane(ax, moved, **(dict(linestyle=(0, (4, 3)), color=MUTED, linewidth=1.1) | style))


def halfspaces(ax: Axes, plane: Hyperplane | Fit, *, alpha: float = 0.1) -> list[Artist]:
    """Tint the two sides of `plane` within the current limits of the axes, with opacity `alpha`.

    Points on the line belong to the negative side.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> len(halfspaces(ax, Hyperplane([1.0, 1.0], b=-1.0)))
    2
    """
    plane = _line(plane, "halfspaces")
    limits, corners = (ax.get_xlim(), ax.get_ylim()), _corners(ax)
    artists: list[Artist] = []
    for label, (colour, _, _) in CLASSES.items():
        polygon = _clip(corners, label * plane.w, label * plane.b)
        if len(polygon) > 2:
            artists += ax.fill(*polygon.T, color=colour, alpha=alpha, linewidth=0, zorder=0)
    ax.set(xlim=limits[0], ylim=limits[1])
    return artists


def normal(
    ax: Axes,
    plane: Hyperplane | Fit,
    *,
    at: ArrayLike | None = None,
    label: str = "$w$",
    length: float | None = None,
    color: str = INK,
) -> list[Artist]:
    """Draw the normal vector of `plane` as an arrow that starts at the point of the plane nearest to `at`.

    If `at` is None, it is the origin. The arrow is as long as w, or has the given `length` in the units of
    the axes. `label` is written beside its tip; arrow and label have the colour `color`.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> arrow, text = normal(ax, Hyperplane([0.0, 2.0], b=-1.0))
    >>> [float(v) for v in arrow.xy], text.get_text()
    ([0.0, 2.5], '$w$')
    """
    plane = _line(plane, "normal")
    w = plane.w
    if not w.any():
        return []
    foot = plane.project(np.asarray([0.0, 0.0] if at is None else at)[None])[0]
    tip = foot + (w if length is None else length * w / np.linalg.norm(w))
    arrow = ax.annotate(
        "",
        tip,
        foot,
        arrowprops=dict(arrowstyle="-|>", color=color, shrinkA=0, shrinkB=0, linewidth=1.6),
        zorder=4,
    )
    side = 0.06 * np.linalg.norm(tip - foot) * np.array([-w[1], w[0]]) / np.linalg.norm(w)
    x, y = tip + side
    text = ax.text(x, y, label, color=color, ha="center", va="bottom", zorder=5)
    return [arrow, text]


def distances(ax: Axes, plane: Hyperplane | Fit, X: ArrayLike, **style: Any) -> list[Artist]:
    """Draw a segment from each row of X, shape (n, 2), to the nearest point on `plane`; `style` is its style.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> distances(ax, Hyperplane([0.0, 2.0]), [[3.0, 4.0]])[0].get_segments()[0].tolist()
    [[3.0, 4.0], [3.0, 0.0]]
    """
    X = _flat(check_points(X), "distances")
    segments = np.stack([X, _line(plane, "distances").project(X)], axis=1)
    look: dict[str, Any] = dict(colors=MUTED, linewidths=1.0, zorder=1)
    return [ax.add_collection(LineCollection(list(segments), **(look | style)))]


def weight_path(ax: Axes, A: ArrayLike, **style: Any) -> list[Artist]:
    """Draw a path a₀, a₁, … in the plane of two weights, A of shape (k+1, 2): arrows, and a ring at the end.

    There is an arrow for each update; `style` is passed to the arrows.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> len(weight_path(ax, [[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]]))
    3
    """
    A = _flat(check_points(A, name="A"), "weight_path")
    colour = style.pop("color", INK)
    look: dict[str, Any] = dict(
        arrowstyle="-|>", color=colour, shrinkA=0, shrinkB=1.5, linewidth=1.1
    )
    steps = [ax.annotate("", b, a, arrowprops=look | style, zorder=3) for a, b in pairwise(A)]
    ax.update_datalim(A)
    ax.autoscale_view()
    x, y = A[-1]
    ring = ax.scatter(x, y, s=60, facecolors="none", edgecolors=colour, linewidths=1.4, zorder=4)
    return [*steps, ring]


def note(ax: Axes, text: str, xy: ArrayLike, color: str = INK, **style: Any) -> Artist:
    """Write `text` beside the point `xy`, shape (2,), in `color`, on a light halo that keeps it legible.

    `xy` is in the units of the axes; `style` is passed to Matplotlib's `annotate`.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> note(ax, "here", (1.0, 2.0)).get_text()
    'here'
    """
    look: dict[str, Any] = dict(color=color, ha="left", va="bottom", zorder=6, xytext=(3, 3))
    look |= dict(
        textcoords="offset points", path_effects=[withStroke(linewidth=3, foreground=PAPER)]
    )
    return ax.annotate(text, tuple(np.asarray(xy, dtype=np.float64)), **(look | style))


def meets(ax: Axes, plane: Hyperplane, side: str = "right") -> float:
    """The height at which the line of `plane` meets the edge of the axes on the given `side`.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> meets(ax, Hyperplane([1.0, 1.0], b=-3.0))  # of limits from 0 to 1
    2.0
    """
    (w1, w2), b = _line(plane, "meets").w, plane.b
    return float(-(b + w1 * ax.get_xlim()[side == "right"]) / w2)


def names(
    ax: Axes, ends: Mapping[str, tuple[float, str]], *, side: str = "right", gap: float = 0.0
) -> list[Artist]:
    """Label lines beside the axes: each label at the end of its line, in the colour of the line, no overlaps.

    `ends` maps each label to the height at which its line ends and to a colour; `side` is "right" or "left".
    Labels closer than `gap` (in units of the axis, or in decades if it is logarithmic) are moved apart as
    little as possible, by isotonic regression, and a thin line connects each with the end of its line.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> near = {"low": (0.0, INK), "high": (0.5, RED)}
    >>> [round(float(text.xyann[1]), 2) for text in names(ax, near, gap=1.0)]
    [-0.25, 0.75]
    """
    scale = ax.yaxis.get_transform()
    order = sorted(ends, key=lambda name: round(ends[name][0], 6))  # ties as they were given
    at, steps = scale.transform([ends[name][0] for name in order]), gap * np.arange(len(order))
    heights = scale.inverted().transform(isotonic_regression(at - steps).x + steps)
    edge, place, ha = (1, 1.09, "left") if side == "right" else (0, -0.09, "right")
    line = dict(arrowstyle="-", lw=0.7, shrinkA=2, shrinkB=0, relpos=(1 - edge, 0.5))
    look: dict[str, Any] = dict(
        xycoords=ax.get_yaxis_transform(), ha=ha, va="center", annotation_clip=False
    )
    return [
        ax.annotate(
            name,
            (edge, ends[name][0]),
            (place, height),
            color=ends[name][1],
            arrowprops=line | dict(color=ends[name][1]),
            **look,
        )
        for name, height in zip(order, heights, strict=True)
    ]


def cone(
    ax: Axes, Z: ArrayLike, y: ArrayLike | None = None, *, alpha: float = 0.16
) -> list[Artist]:
    """In the plane of two weights, draw the lines ⟨a, zᵢ⟩ = 0 and shade the cone of all a with Za > 0.

    Z, shape (n, 2), has the rows zᵢ; if y is given, the lines have the colours of the classes. Everything
    stays within the current limits of the axes; an empty cone is not drawn. `alpha` is the opacity of the
    shading.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> len(cone(ax, [[1.0, 0.0], [0.0, 1.0]])), len(cone(ax, [[1.0, 0.0], [-1.0, 0.0]]))
    (3, 2)
    """
    Z = _flat(check_points(Z, name="Z"), "cone")
    limits = ax.get_xlim(), ax.get_ylim()
    colours = (
        [MUTED] * len(Z) if y is None else [CLASSES[label][0] for label in np.asarray(y, float)]
    )
    artists: list[Artist] = [
        ax.axline((0, 0), (-z[1], z[0]), color=c, linewidth=0.9, alpha=0.75, zorder=1)
        for z, c in zip(Z, colours, strict=True)
        if z.any()
    ]
    polygon = _corners(ax)
    for z in Z:
        polygon = _clip(polygon, z, 0.0) if len(polygon) else polygon
    if len(polygon) > 2:
        artists += ax.fill(*polygon.T, color=GREEN, alpha=alpha, linewidth=0, zorder=0)
    ax.set(xlim=limits[0], ylim=limits[1])
    return artists


def envelope(
    ax: Axes, k: ArrayLike, lower: ArrayLike, value: ArrayLike, upper: ArrayLike
) -> list[Artist]:
    """Draw a curve between a lower and an upper bound, as functions of k, and shade the area between them.

    `k`, `lower`, `value` and `upper` have shape (n,), and the curves these names as their labels.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> room, *lines = envelope(ax, [0, 1], [0, 1], [1, 2], [2, 3])
    >>> [line.get_label() for line in lines]
    ['lower', 'value', 'upper']
    """
    k, lower, value, upper = (np.asarray(v, dtype=np.float64) for v in (k, lower, value, upper))
    room = ax.fill_between(k, lower, upper, color=GREEN, alpha=0.1, linewidth=0, zorder=0)
    lines = [
        ax.plot(k, v, color=colour, label=name, linewidth=width, zorder=2)[0]
        for name, v, colour, width in (
            ("lower", lower, GREEN, 1.3),
            ("value", value, INK, 1.9),
            ("upper", upper, GREEN, 1.3),
        )
    ]
    return [room, *lines]


def forest(ax: Axes, summary: Summary) -> list[Artist]:
    """Draw a forest plot: the odds ratios of a `Fit.summary` with their profile intervals, one row a feature.

    The axis is logarithmic, with a line at 1: if an interval contains 1, the data are compatible with odds
    that do not depend on the feature. An arrow marks an infinite end.

    >>> from matplotlib.figure import Figure
    >>> from linlearn import logistic
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]
    >>> ax = Figure().subplots()
    >>> line, bar, dot = forest(ax, logistic(X, y).summary(X, y))
    >>> [float(v.round(3)) for v in bar.get_xdata()], float(dot.get_xdata()[0].round(3))
    ([0.383, 55.189], 2.48)
    """
    names, centres, ends = (
        summary.names[:-1],
        summary.odds_ratios[:-1],
        np.exp(summary.profile[:-1]),
    )
    seen = np.concatenate([[1.0], ends.ravel(), centres])
    seen = seen[np.isfinite(seen) & (seen > 0)]
    room = (seen.max() / seen.min()) ** 0.1
    low, high = seen.min() / room, seen.max() * room
    look: dict[str, Any] = dict(color=INK, zorder=2)
    artists: list[Artist] = [ax.axvline(1.0, color=MUTED, linewidth=1.0, linestyle=(0, (4, 3)))]
    for k, ((left, right), centre) in enumerate(zip(ends, centres, strict=True)):
        bar = np.clip([left, right], low, high)
        artists += ax.plot(bar, [k, k], linewidth=1.6, **look)
        for end, at, marker in ((left, low, "<"), (right, high, ">")):
            if end in (0.0, np.inf):
                artists += ax.plot([at], [k], marker, markersize=7, **look)
        if 0 < centre < np.inf:
            artists += ax.plot([centre], [k], "o", markersize=6, **look)
    ax.set(xscale="log", xlim=(low, high), ylim=(len(names) - 0.5, -0.5), xlabel="odds ratio")
    ax.set_yticks(range(len(names)), names)
    return artists


def equal(ax: Axes, X: ArrayLike, *, pad: float = 0.12) -> None:
    """Set limits around X, shape (n, 2), and equal scales on both axes; `pad` is the share of blank space.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> equal(ax, [[0.0, 0.0], [2.0, 1.0]], pad=0.5)
    >>> [float(v) for v in (*ax.get_xlim(), *ax.get_ylim())]
    [-1.0, 3.0, -1.0, 2.0]
    """
    X = _flat(check_points(X), "equal")
    low, high = X.min(axis=0), X.max(axis=0)
    room = pad * max(float((high - low).max()), 1e-12)
    ax.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))
    ax.set_aspect("equal", adjustable="box")


def _svg(figure: Figure) -> str | None:
    """The figure as SVG, None where it is empty, drawn once.

    `Figure.savefig` draws twice where there is a layout, first to find it. Every drawing finds it anyway.

    >>> figure = Figure()
    >>> _svg(figure), _svg(figure.subplots().figure).count("<svg")
    (None, 1)
    """
    if not figure.axes and not figure.lines:
        return None
    canvas, dpi, out = figure.canvas, figure.dpi, StringIO()
    try:
        FigureCanvasSVG(figure).print_svg(out, metadata={"Date": None, "Creator": None})
    finally:
        figure.set_canvas(canvas)
        figure.dpi = dpi
    return _number_ids(out.getvalue())


def _number_ids(svg: str) -> str:
    """The same drawing with ids that no rounding changes: numbered as they appear, after the figure's name.

    Matplotlib's ids are hashes of coordinates with all their digits, and the last of those depends on
    the processor. The name is a hash of everything that is not a coordinate, because a page may show many
    figures in one document, where an id must not mean two things.

    >>> _number_ids('<g clip-path="url(#p0123456789)"/><clipPath id="p0123456789"/>')
    '<g clip-path="url(#f48401117-0)"/><clipPath id="f48401117-0"/>'
    """
    numbers: dict[str, str] = {}
    svg = HASHED.sub(lambda found: numbers.setdefault(found[0], f"?-{len(numbers)}"), svg)
    name = hashlib.sha256(COORDINATES.sub("", svg).encode()).hexdigest()[:8]
    return re.sub(r"(?<=[#\"])\?(?=-\d)", f"f{name}", svg)


def _line(of: Hyperplane | Fit, what: str) -> Hyperplane:
    plane = of.plane if isinstance(of, Fit) else of
    if plane.w.size != 2:
        raise ValueError(f"`{what}` draws lines in ℝ² only; got {plane.w.size} weights.")
    return plane


def _flat(X: np.ndarray, what: str) -> np.ndarray:
    if X.shape[1] != 2:
        raise ValueError(f"`{what}` draws points of ℝ², shape (n, 2); got shape {X.shape}.")
    return X


def _corners(ax: Axes) -> np.ndarray:
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top]])


def _clip(polygon: np.ndarray, w: np.ndarray, b: float) -> np.ndarray:
    """The part of a convex polygon with ⟨w, x⟩ + b ≥ 0 (Sutherland and Hodgman)."""
    f, kept = polygon @ w + b, []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if f[i] >= 0:
            kept.append(polygon[i])
        if f[i] * f[j] < 0:
            kept.append(polygon[i] + (polygon[j] - polygon[i]) * f[i] / (f[i] - f[j]))
    return np.array(kept).reshape(-1, 2)
