"""Formulas in a terminal."""

from __future__ import annotations

import pytest

from grader.report.markdown import formula, formulas


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\omega_k = 10000^{-2k/d}", "ωₖ = 10000^(−2k/d)"),
        (r"PE_{p,2i} = \sin(p / 10000^{2i/d})", "PE_(p,2i) = sin (p / 10000^(2i/d))"),
        (r"\frac{q k^\top}{\sqrt{d}}", "(q k^⊤)/(√d)"),
        (r"\sum_{k=0}^{n} x_k", "∑ₖ₌₀ⁿ xₖ"),
        (r"\mathrm{softmax}(x)", "softmax(x)"),
        (r"2\pi \cdot 10000", "2π ⋅ 10000"),
        (r"i = 0, 1, \dots, d/2 - 1", "i = 0, 1, ..., d/2 − 1"),
    ],
)
def test_common_formulas_are_set_in_unicode(tex: str, shown: str) -> None:
    assert formula(tex) == shown


def test_code_and_prices_are_left_alone() -> None:
    text = "`$x^2$`\n\n```python\na = '$x^2$'\n```\n\nIt costs 5\\$ or $x^2$.\n"
    shown = formulas(text)
    assert "`$x^2$`" in shown
    assert "a = '$x^2$'" in shown
    assert "x²" in shown
