"""Markdown in a terminal: formulas in Unicode, and unchanged code."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from grader.report.markdown import formula, render
from grader.report.terminal import Terminal


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
def test_common_formulas_are_converted_to_unicode(tex: str, shown: str) -> None:
    assert formula(tex) == shown


def shown(text: str, encoding: str = "utf-8") -> list[str]:
    """The lines that are not blank on a terminal with this encoding."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    render(Terminal(Console(file=stream, width=80, highlight=False)), text)
    stream.flush()
    lines = stream.buffer.getvalue().decode(encoding).splitlines()  # type: ignore[attr-defined]
    return [line.strip() for line in lines if line.strip()]


def test_code_and_prices_are_not_read_as_formulas() -> None:
    text = "`$x^2$`\n\n```python\na = '$x^2$'\n```\n\nIt costs 5\\$ or $x^2$.\n"
    assert shown(text) == ["$x^2$", "a = '$x^2$'", "It costs 5$ or x²."]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("$a * b$ and *$c * d$*", ["a * b and c * d"]),
        ("$x_{[i]}$ **[$y^2$](file.md)**", ["x_([i]) y² (file.md)"]),
        ("so\n\n$$y_p = \\sin(p)$$\n\nand so on", ["so", "▌ yₚ = sin (p)", "and so on"]),
        ("$$a\n= b$$", ["▌ a = b"]),
        ("where $$a = b$$ holds", ["where a = b holds"]),
        ("5$ alone and $$", ["5$ alone and $$"]),
    ],
)
def test_formulas_stay_inside_their_text_and_displayed_formulas_become_a_quote(text: str, due: list[str]) -> None:
    assert shown(text) == due


def test_without_unicode_formulas_are_not_converted() -> None:
    assert shown("It is $\\omega^2$ – so", "ascii") == ["It is $\\omega^2$ - so"]
