"""Draw `book/assets/card.png`, which a shared link to the book shows: python tools/card.py

It is drawn by hand and committed; nothing runs it while the book is built.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import linlearn as ll
from linlearn import plot

DISCS = [[1.5, 1.5], [1.25, 3], [2.5, 0.25], [3, 2.5], [4.25, 1], [3.5, -0.75]]
SQUARES = [[-3, 1], [-2, -0.75], [-1.25, 2.5], [-0.5, 0.5], [0.25, -1], [-3.5, 2.25]]
X, y = np.array(DISCS + SQUARES), np.repeat([1, -1], 6)


def draw(path):
    """The best line, the nearest points of the hulls, and the title; 1200 by 630 pixels."""
    plot.book_style()
    best = ll.max_margin(X, y)
    fig, ax = plt.subplots(figsize=(12, 6.3), dpi=100, facecolor="white")
    ax.set_position([0, 0, 1, 0.78])
    plot.equal(ax, X, pad=0.05)
    ax.set_xlim(-6.2, 6.9)
    plot.halfspaces(ax, best.plane)
    plot.samples(ax, X, y, s=260)
    plot.plane(ax, best.plane, linewidth=4)
    for side in (-1, 1):
        plot.level(ax, best.plane, side, linewidth=2.5)
    ax.set_axis_off()
    fig.text(0.04, 0.885, "Linear classification", fontsize=40, fontweight="bold", va="center")
    fig.text(
        0.96,
        0.88,
        "Draw a line. Prove that no line does better.",
        fontsize=20,
        ha="right",
        va="center",
    )
    fig.savefig(path, bbox_inches=None, facecolor="white", metadata={"Software": None})


if __name__ == "__main__":
    draw(Path(__file__).parent.parent / "book/assets/card.png")
