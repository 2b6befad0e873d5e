"""Drawings carry the numbers they are given; artists are looked at, not pixels."""

import re
from io import StringIO
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont

import linlearn as ll
from linlearn import plot


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def test_samples_differ_by_colour_and_shape(ax):
    X, y = ll.data.drawn()
    positive, negative = plot.samples(ax, X, y)
    assert np.array_equal(positive.get_offsets(), X[y > 0]) and np.array_equal(
        negative.get_offsets(), X[y < 0]
    )
    assert len(positive.get_paths()[0].vertices) != len(negative.get_paths()[0].vertices)
    assert not np.array_equal(positive.get_facecolor(), negative.get_facecolor())


@pytest.mark.parametrize("b", [-1.0, 0.0, 2.5])
def test_the_line_lies_on_the_plane(ax, b):
    plane = ll.Hyperplane([3.0, -4.0], b)
    (line,) = plot.plane(ax, plane)
    assert plane.score([line.get_xy1(), line.get_xy2()]) == pytest.approx([0, 0])
    (edge,) = plot.level(ax, plane, 1.0)
    assert plane.score([edge.get_xy1(), edge.get_xy2()]) == pytest.approx([1, 1])
    assert plot.plane(ax, ll.Hyperplane([0.0, 0.0], 1.0)) == []


@pytest.mark.parametrize(
    ("w", "b", "count"), [([1.0, 0.0], -0.5, 2), ([1.0, 2.0], 9.0, 1), ([0.0, 0.0], 1.0, 1)]
)
def test_the_regions_are_on_their_sides(ax, w, b, count):
    plane = ll.Hyperplane(w, b)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    regions = plot.halfspaces(ax, plane)
    assert len(regions) == count
    for region, sign in zip(regions, (1, -1), strict=False):
        assert (sign * plane.score(region.get_xy()) >= -1e-12).all()
    assert ax.get_xlim() == (0, 1) and ax.get_ylim() == (0, 1)


def test_a_fit_may_stand_for_its_plane(ax):
    X, y = ll.data.drawn()
    fit = ll.separate(X, y)
    ax.set(xlim=(0, 4), ylim=(0, 4))
    for draw in (plot.plane, lambda ax, p: plot.level(ax, p, 1.0)):
        (one,), (other,) = draw(ax, fit), draw(ax, fit.plane)
        assert np.array_equal(one.get_xy1(), other.get_xy1())
    assert len(plot.halfspaces(ax, fit)) == len(plot.normal(ax, fit)) == 2
    assert len(plot.distances(ax, fit, X)) == 1


def test_distances_end_on_the_plane(ax):
    X, _ = ll.data.drawn()
    plane = ll.Hyperplane([1.0, 1.0], -3.0)
    (segments,) = plot.distances(ax, plane, X)
    ends = np.array(segments.get_segments())
    assert np.array_equal(ends[:, 0], X) and plane.score(ends[:, 1]) == pytest.approx(
        np.zeros(24), abs=1e-12
    )


def test_the_normal_starts_on_the_plane_and_points_to_its_positive_side(ax):
    plane = ll.Hyperplane([1.0, 2.0], -1.0)
    arrow, _ = plot.normal(ax, plane, at=[5.0, 5.0])
    assert plane.score([arrow.xyann]) == pytest.approx([0], abs=1e-12)
    assert np.subtract(arrow.xy, arrow.xyann) == pytest.approx([1, 2])


def test_a_path_has_an_arrow_per_update_and_a_ring_at_the_end(ax):
    A = [[0, 0], [1, 2], [3, 1]]
    *arrows, ring = plot.weight_path(ax, A)
    assert [tuple(a.xy) for a in arrows] == [(1, 2), (3, 1)]
    assert ring.get_offsets().tolist() == [[3, 1]]


def test_the_cone_holds_exactly_the_separating_weights(ax):
    Z = np.array([[1.0, 0.2], [-0.3, 1.0]])
    ax.set(xlim=(-1, 1), ylim=(-1, 1))
    *lines, region = plot.cone(ax, Z, [1, -1])
    assert len(lines) == 2
    assert (region.get_xy() @ Z.T >= -1e-12).all()
    assert (Z @ region.get_xy().mean(axis=0) > 0).all()
    assert len(plot.cone(ax, [[1.0, 0.0], [-1.0, 0.0]])) == 2  # no weights, no region


def test_notes_stand_beside_their_point(ax):
    assert plot.note(ax, "here", [1, 2]).xy == (1, 2)


def heights(texts):
    return {text.get_text(): text.xyann[1] for text in texts}


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_names_of_lines_keep_their_order_and_their_distance(ax, scale):
    """Names that are far enough from others stand where their line ends; near ones share the room."""
    ax.set(yscale=scale, ylim=(1, 1000))
    ends = {"top": (900.0, plot.RED), "b": (10.0, plot.INK), "a": (10.0, plot.INK)}
    found = heights(plot.names(ax, ends, gap=1.0))
    assert found["top"] == pytest.approx(900)
    place = np.log10 if scale == "log" else float
    assert place(found["a"]) - place(found["b"]) == pytest.approx(1.0)
    assert place(found["a"]) + place(found["b"]) == pytest.approx(2 * place(10.0))


def test_names_stand_beside_the_axes_and_lead_to_their_end(ax):
    right, left = (
        plot.names(ax, {"a": (0.5, plot.RED)}, side=side)[0] for side in ("right", "left")
    )
    assert right.xy == (1, 0.5) and right.xyann[0] > 1 and right.get_ha() == "left"
    assert left.xy == (0, 0.5) and left.xyann[0] < 0 and left.get_ha() == "right"
    assert right.get_color() == plot.RED and right.arrow_patch.get_edgecolor()[:3] == to_rgb(
        plot.RED
    )


@pytest.mark.parametrize(("side", "edge"), [("left", -1.0), ("right", 3.0)])
def test_a_plane_meets_the_edge_where_its_score_is_zero(ax, side, edge):
    ax.set(xlim=(-1, 3))
    plane = ll.Hyperplane([1.0, -2.0], 0.5)
    assert plane.score([[edge, plot.meets(ax, plane, side)]]) == pytest.approx([0], abs=1e-12)


def test_an_arrow_takes_the_colour_of_its_plane(ax):
    arrow, text = plot.normal(ax, ll.Hyperplane([1.0, 2.0]), color=plot.GREEN)
    assert text.get_color() == plot.GREEN
    assert arrow.arrow_patch.get_edgecolor()[:3] == to_rgb(plot.GREEN)


def test_the_style_draws_with_the_shipped_font(ax):
    with matplotlib.rc_context():
        plot.book_style()
        for style in ("normal", "italic"):
            found = findfont(
                FontProperties(family=matplotlib.rcParams["font.sans-serif"], style=style)
            )
            assert Path(found).parent == Path(plot.__file__).parent / "fonts"
            assert ("italic" in found) == (style == "italic")


def test_the_envelope_has_three_curves(ax):
    k = np.arange(1, 5)
    _, low, mid, high = plot.envelope(ax, k, k, k + 1, k + 2)
    assert [line.get_ydata().tolist() for line in (low, mid, high)] == [
        (k + c).tolist() for c in (0, 1, 2)
    ]


def test_what_has_no_picture_in_the_plane_says_so(ax):
    with pytest.raises(ValueError, match=r"draws points of ℝ², shape \(n, 2\); got shape \(2, 3\)"):
        plot.samples(ax, np.zeros((2, 3)), [1, -1])
    with pytest.raises(ValueError, match="draws lines in ℝ² only; got 3 weights"):
        plot.plane(ax, ll.Hyperplane([1.0, 2.0, 3.0]))


def drawn_as_svg(width, label="x"):
    """A clipped curve in axes of that width, as Matplotlib writes it and with the ids numbered."""
    with matplotlib.rc_context({"svg.hashsalt": "linlearn"}):
        figure = Figure()
        figure.add_axes([0.1, 0.1, width, 0.8], xlabel=label).plot([0, 1, 2], [0, 1, 0], "o-")
        figure.savefig(file := StringIO(), format="svg", metadata={"Date": None})
    return file.getvalue(), plot._number_ids(file.getvalue())


def ids(svg):
    return re.findall(r' id="([^"]*)"', svg)


def test_ids_in_a_figure_do_not_hang_on_the_last_digit():
    (hashed, numbered), (other, same) = drawn_as_svg(0.8), drawn_as_svg(np.nextafter(0.8, 1))
    assert hashed != other and numbered == same
    assert not plot.HASHED.search(numbered) and len(set(ids(numbered))) == len(ids(hashed))
    assert set(re.findall(r'[("]#([^")]*)', numbered)) <= set(ids(numbered))


def test_two_figures_share_no_numbered_id():
    one, two = (set(ids(drawn_as_svg(0.8, label)[1])) for label in "xy")
    assert not [n for n in one & two if re.search(r"-\d+$", n) and not n.startswith("DejaVu")]


def test_a_figure_is_drawn_once_and_as_it_would_be_saved(monkeypatch):
    """With a layout, `savefig` draws it twice; afterwards it is the figure that it was."""
    with matplotlib.rc_context({"svg.hashsalt": "linlearn"}):
        figure, drawn = Figure(layout="constrained"), []
        line = figure.subplots(1, 2)[0].plot([0, 1, 2], [0, 1, 0], label="a curve")[0]
        line.axes.set(xlabel="$x_1$", title="A title", yscale="symlog")
        line.axes.legend()
        draw, canvas, dpi = line.draw, figure.canvas, figure.dpi
        monkeypatch.setattr(line, "draw", lambda renderer: drawn.append(draw(renderer)))
        svg = plot._svg(figure)
        assert len(drawn) == 1 and (figure.canvas, figure.dpi) == (canvas, dpi)
        metadata = {"Date": None, "Creator": None}
        figure.savefig(file := StringIO(), format="svg", metadata=metadata)
    assert len(drawn) == 3 and svg == plot._number_ids(file.getvalue())
