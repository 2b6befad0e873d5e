"""HTML representations of fits and certificates for notebooks: the interval as a bar, and what it proves."""

from html import escape
from typing import Any

# Colours are the page's own (currentColor), so that light and dark need no second drawing.
STYLE = "font-variant-numeric:tabular-nums;line-height:1.5"
WIDTH, HEIGHT, TRACK = 320, 22, 280  # of the drawing and of its track, in pixels


def certificate_html(claim: Any) -> str:
    """The interval drawn and said."""
    low, high = f"{claim.lower:.6g}", f"{claim.upper:.6g}"
    said = f"{low} ≤ {claim.named} ≤ {high}{bounded_in_words(claim)}"
    return (
        f'<div style="{STYLE}">{bar(claim, said)}'
        f"<div>{escape(said)} · {escape(meaning(claim))}</div></div>"
    )


def bounded_in_words(claim: Any) -> str:
    """For which hyperplanes both bounds are proved, unless it is all of them."""
    if claim.score_bound == float("inf"):
        return ""
    return f", for hyperplanes with score bound {claim.score_bound:.6g}"


def fit_html(said: list[str], claim: Any) -> str:
    """The hyperplane, what was done and why a gap is left, above the certificate."""
    head = " · ".join(said)
    return f'<div style="{STYLE}"><code>{escape(head)}</code>{certificate_html(claim)}</div>'


def meaning(claim: Any) -> str:
    """What the ends prove, in words."""
    if claim.separable is not None:
        return f"proved: the samples are {'' if claim.separable else 'in'}separable"
    if claim.upper == float("inf") or claim.lower == -float("inf"):
        return "one bound is missing"
    if claim.gap == 0:
        return "known exactly"
    return f"relative gap {claim.relative_gap:.0e}"


def bar(claim: Any, said: str) -> str:
    """A track from 0 to a little beyond the larger end, with the interval on it, at least two pixels wide."""
    finite = [abs(v) for v in (claim.lower, claim.upper) if abs(v) < float("inf")]
    end = 1.1 * max(finite, default=0.0) or 1.0
    left = 20 + TRACK * min(max(claim.lower, 0.0) / end, 1.0)
    right = 20 + TRACK * min(claim.upper / end, 1.0)
    left = min(left, 20 + TRACK - 2)
    return (
        f'<svg role="img" aria-label="{escape(said)}" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" style="max-width:100%;display:block">'
        f'<rect x="20" y="10" width="{TRACK}" height="2" fill="currentColor" opacity="0.35"/>'
        f'<rect x="20" y="6" width="1.5" height="10" fill="currentColor" opacity="0.6"/>'
        f'<rect x="{left:.1f}" y="5" width="{max(right - left, 2):.1f}" height="12" rx="2" '
        f'fill="currentColor" opacity="0.8"/></svg>'
    )
