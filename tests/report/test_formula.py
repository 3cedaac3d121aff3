"""Formulas of LaTeX on one line of Unicode: those of the statements, and others."""

from __future__ import annotations

import re
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.kit.kit import Kit
from grader.report import markdown
from grader.report.formula import formula
from tests.conftest import ROOT

KIT = Kit(ROOT)
GOLDEN = ROOT / "tests" / "golden" / "formulas.txt"
SYNTAX = (
    r"\frac \sqrt [3] { } ^ _ x 12 . \left( \right) \cos \text{a b} \mathrm{ab} \sum & \\ \quad ' \bar \{ \foo $ % é"
)
CASES = r"\begin{cases} x & \text{if } x \ge 0 \\ -x, & \text{otherwise} \end{cases}"


def formulas_of(name: str) -> list[str]:
    """The different formulas of a statement, as they are written."""
    found: dict[str, None] = {}
    with mock.patch("grader.report.formula.formula", lambda tex: found.setdefault(" ".join(tex.split())) or ""):
        parser = markdown._parser(formulas=True)  # pyright: ignore[reportPrivateUsage]
        parser.parse(KIT.statement(name).read_text(encoding="utf-8"))
    return list(found)


@pytest.mark.parametrize("name", KIT.names)
def test_no_syntax_of_latex_is_left_in_a_statement(name: str) -> None:
    for tex in formulas_of(name):
        shown = formula(tex)
        assert not re.search(r"\\[A-Za-z]", shown), tex
        assert not re.search(r"[{}]", shown) or re.search(r"\\[{}]|\{cases\}", tex), tex
        assert all(shown.count(left) == shown.count(right) for left, right in ("()", "[]", "{}")), tex


def test_each_formula_of_a_statement_reads_as_it_was_reviewed(pytestconfig: pytest.Config) -> None:
    """One golden text for all problems: `pytest --bless` rewrites it, `git diff` shows what changed."""
    texts = ["\n".join([f"[{name}]", *(f"{tex}\n{formula(tex)}\n" for tex in formulas_of(name))]) for name in KIT.names]
    text = "\n".join(texts)
    if pytestconfig.getoption("bless"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), f"{GOLDEN} differs: review it, or run pytest --bless"


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"p_j = \frac{e^{x_j}}{\sum_{l \le i} e^{x_l}}", "pⱼ = e^(xⱼ)/(∑_(l ≤ i) e^(xₗ))"),
        (r"\frac{a + b}{c d}, \frac{2k}{d}, \frac{1}{2\pi}", "(a + b)/(c d), 2k/d, 1/(2π)"),
        (r"\frac{\frac{a}{b}}{c}, \frac{\log n}{\log(n/e)}, \tfrac12", "(a/b)/c, (log n)/log(n/e), 1/2"),
        (r"\frac{1}{d} \sum_j x_j, g \frac{x - m}{r} + b", "(1/d) ∑ⱼ xⱼ, g (x − m)/r + b"),
        (r"\log\frac{a}{b}, {\frac{a}{b}}^2, a / \frac{b}{c}", "log (a/b), (a/b)², a / (b/c)"),
        (r"\frac{\partial L}{\partial w} + \frac{d^2 y}{dx^2}", "∂L/∂w + (d² y)/dx²"),
    ],
)
def test_a_fraction_keeps_its_meaning_on_one_line(tex: str, shown: str) -> None:
    assert formula(tex) == shown


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\omega_k = 10000^{-2k/d}", "ωₖ = 10000^(−2k/d)"),
        (r"x_{i - 1}^2 + W_Q + d_{model} + d_{\mathrm{in}}", "xᵢ₋₁² + W_Q + d_model + dᵢₙ"),
        (r"S_{i,j} = q_i^\top k_j", "S_(i,j) = qᵢᵀ kⱼ"),
        (r"x_12 + f'(x)^2 + n!", "x₁2 + f′(x)² + n!"),
        (r"\sum_{k=0}^{n} x_k + \prod_{j \ne i}x_j", "∑ₖ₌₀ⁿ xₖ + ∏_(j ≠ i) xⱼ"),
        (r"\bar g_n + \hat{\theta}_0 + \tilde{x}^2", "ḡₙ + θ̂₀ + x̃²"),
        (r"{a + b}^2, \underbrace{a + b}_{n}", "(a + b)², (a + b)ₙ"),
    ],
)
def test_scripts_are_unicode_where_all_their_characters_are(tex: str, shown: str) -> None:
    assert formula(tex) == shown


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"m = a \qquad v = b, \quad j < n", "m = a ; v = b, j < n"),
        (r"\begin{pmatrix} \cos\theta & -s \\ s & c \end{pmatrix}", "(cos θ, −s ; s, c)"),
        (r"\left[\begin{array}{cc} 1 & 2 \\ 3 & 4 \end{array}\right]", "[1, 2 ; 3, 4]"),
        (rf"|x| = {CASES}", "|x| = {x, if x ≥ 0 ; −x, otherwise}"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a = b ; c = d"),
    ],
)
def test_what_stands_apart_is_separated_by_semicolons(tex: str, shown: str) -> None:
    assert formula(tex) == shown


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"PE_{p,2i} = \sin(p / 10000^{2i/d})", "PE_(p,2i) = sin(p / 10000^(2i/d))"),
        (r"a\cos\phi - 2\pi j\sin^2\phi", "a cos φ − 2π j sin² φ"),
        (r"\operatorname*{arg\,max}_j \mathrm{softmax}(x)_j", "arg maxⱼ softmax(x)ⱼ"),
        (r"\min\left(1, \frac{C}{\lVert g_n \rVert}\right)", "min(1, C/‖gₙ‖)"),
        (r"\sqrt{d_h}, \sqrt{\textstyle\sum_i g_i^2}, \sqrt[3]{x + 1}", "√dₕ, √(∑ᵢ gᵢ²), ³√(x + 1)"),
        (r"\left. y \right|_{x=0} \in \mathbb{R}^2", "y |ₓ₌₀ ∈ ℝ²"),
        (r"a\le b \;\text{ for left-to-right } i", "a ≤ b for left-to-right i"),
        (r"\theta \leftarrow \theta - \eta \nabla_\theta L", "θ ← θ − η ∇_θ L"),
    ],
)
def test_functions_and_signs_read_as_they_are_spoken(tex: str, shown: str) -> None:
    assert formula(tex) == shown


def test_an_unknown_macro_is_its_name_and_a_broken_formula_stays_as_it_is_written() -> None:
    assert formula(r"\foo x + 1") == "foo x + 1"
    for broken in (r"\frac{a}{b", r"a } b", r"\sqrt\frac{a}{b}", r"\begin{cases} a"):
        assert formula(broken) == broken


@given(st.lists(st.sampled_from(SYNTAX.split(" ")), max_size=8).map("".join))
@settings(max_examples=200, deadline=None)
def test_no_formula_stops_the_command(tex: str) -> None:
    assert isinstance(formula(tex), str)
