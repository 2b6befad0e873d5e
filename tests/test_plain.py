"""Formulas in plain text are found, words are left alone, and what is found is read as meant."""

import sys

import pytest
from guards import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
from linlearn_math import mathml
from linlearn_plain import pieces, written


def marked(text: str) -> str:
    """The text with its formulas between dollars."""
    return "".join(f"${piece}$" if formula else piece for formula, piece in pieces(text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("For any a and b a plane bounds a.", "For any $a$ and $b$ a plane bounds $a$."),
        ("A path a₀ in A of a C and a `", "A path $a_{0}$ in $A$ of a $C$ and a `"),
        ("½‖w‖² + (C/n) Σ(1 - mᵢ)₊:", r"$\tfrac12 \lVert w\rVert ^{2} + (C/n) \sum (1 - m_{i})_{+}$:"),
        ("⟨a, zᵢ⟩ > 0, else 0", "$⟨a, z_{i}⟩ > 0$, else 0"),
        ("at most (R/γ*)² updates from 0", "at most $(R/γ^{*})^{2}$ updates from 0"),
        ("max over ‖a‖ ≤ 1 of x", r"max over $\lVert a\rVert  ≤ 1$ of $x$"),
        ("R = max‖zᵢ‖ (Novikoff 1962)", r"$R = \max \lVert z_{i}\rVert$ (Novikoff 1962)"),
        ("X̃ᵀX̃a, w = Σ̂⁻¹δ", r"$\tilde{X}^{\top }\tilde{X}a$, $w = \hat{Σ}^{-1}δ$"),
        ("½‖ŵ‖² ≤ ‖Bv‖", r"$\tfrac12 \lVert \hat{w}\rVert ^{2} ≤ \lVert Bv\rVert$"),
        ("P(y = +1 | x) and |Au| ≤ τ", r"$P(y = +1 \mid  x)$ and $\lvert Au\rvert  ≤ τ$"),
        ("√⟨g, H⁻¹g⟩, sqrt((n + 1)/2)", r"$\sqrt{⟨g, H^{-1}g⟩}$, $\sqrt{(n + 1)/2}$"),
        ("(1 - ε)^(n-K), 2^{-εn/2}, e^-score", r"$(1 - ε)^{n-K}$, $2^{-εn/2}$, $e^{-\mathrm{score}}$"),
        ("set {i : m_i ≤ 0} in {-1, +1}", r"set $\{i : m_{i} ≤ 0\}$ in $\{-1, +1\}$"),
        ("rate/(k + 1), decay·k", r"$\mathrm{rate}/(k + 1)$, $\mathrm{decay}·k$"),
        ("X (n, d), F′(a), φ*(s)", r"$X\,(n, d)$, $F'(a)$, $φ^{*}(s)$"),
        ("Σ weightsᵢ xᵢ = 0", r"$\sum  \mathrm{weights}_{i} x_{i} = 0$"),
        ("(samples wrong) + (fewest x)", "(samples wrong) + (fewest $x$)"),
    ],
)  # fmt: skip
def test_formulas_are_found(text, wanted):
    """And each can be typeset."""
    assert marked(text) == wanted
    for formula, piece in pieces(text):
        assert not formula or "<math" in mathml(piece, display=False)


@pytest.mark.parametrize(
    "text",
    [
        "i.i.d. samples, lower/upper, k-nearest neighbours, NP-hard, scikit-learn's",
        "**every** member of rest_error, 1962, 10 000, 0.5, half-way",
        "shape (2,), the first 3, 1, 2, …",
        "Devroye, Györfi and Lugosi (1996, theorem 12.6) - a book",
    ],
)
def test_words_are_left_alone(text):
    assert marked(text) == text


def test_nothing_is_lost():
    """All pieces together are the text, where it holds no formula; as nodes, too."""
    text = "A plane (of a kind) is wide; ties count."
    assert "".join(piece for _, piece in pieces(text)) == text
    assert [node.tagname for node in written("any w: yes") if node.astext()] == [
        "#text",
        "math",
        "#text",
    ]
