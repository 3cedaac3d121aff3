"""Markdown in a terminal: formulas in Unicode, and unchanged code."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from grader.report.markdown import code, render
from grader.report.terminal import Terminal


def shown(text: str, encoding: str = "utf-8") -> list[str]:
    """The lines that are not blank on a terminal with this encoding."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    render(Terminal(Console(file=stream, width=80, highlight=False)), text)
    stream.flush()
    lines = stream.buffer.getvalue().decode(encoding).splitlines()  # type: ignore[attr-defined]
    return [line.strip() for line in lines if line.strip()]


LONG = f"x = {'a + ' * 40}b"
INDENTED = f"def f():\n    {LONG}\n\n\n    return x"


@pytest.mark.parametrize(
    ("before", "margin"), [("", ""), ("- item\n\n  ", "   "), ("1. item\n\n   ", " " * 3), ("> ", "▌ ")]
)
def test_code_is_neither_cut_nor_wrapped_nor_padded(before: str, margin: str) -> None:
    inside = "> " if before == "> " else " " * len(before.rpartition("\n")[2])
    block = f"```python\n{INDENTED}\n```".replace("\n", f"\n{inside}")
    stream = io.StringIO()
    render(Terminal(Console(file=stream, width=80)), before + block)
    lines = [margin + line for line in INDENTED.split("\n")]
    assert "\n".join(lines) in stream.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_an_answer_is_shown_with_its_own_lines(encoding: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    code(Terminal(Console(file=stream, width=80)), f"{INDENTED}\n")
    stream.flush()
    assert stream.buffer.getvalue().decode(encoding) == f"{INDENTED}\n"  # type: ignore[attr-defined]


def test_a_flow_goes_on_below_where_it_is_too_long() -> None:
    steps = " -> ".join(["x (T, d)", *["an operation of some words"] * 3, "y (T,)"])
    assert shown(f"```flow\n{steps}\n```\n") == [
        "x (T, d) → an operation of some words → an operation of some words →",
        "an operation of some words → y (T,)",
    ]


@pytest.mark.parametrize(("encoding", "marks"), [("utf-8", "■·"), ("ascii", "#-")])
def test_a_grid_is_in_columns(encoding: str, marks: str) -> None:
    filled, empty = marks
    assert shown("```grid\n | k0 | k1\nquery 0 | # | .\nq1 | 0.25 | #\n```\n", encoding) == [
        "k0  k1",
        f"query 0     {filled}   {empty}",
        f"q1       0.25   {filled}",
    ]


@pytest.mark.parametrize("kind", ["flow", "grid"])
def test_a_diagram_that_cannot_be_read_is_shown_as_it_is_written(kind: str) -> None:
    assert shown(f"```{kind}\none line\n```\n") == ["one line"]


def test_code_and_prices_are_not_read_as_formulas() -> None:
    text = "`$x^2$`\n\n```python\na = '$x^2$'\n```\n\nIt costs 5\\$ or $x^2$.\n"
    assert shown(text) == ["$x^2$", "a = '$x^2$'", "It costs 5$ or x²."]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("$a * b$ and *$c * d$*", ["a * b and c * d"]),
        ("$x_{[i]}$ **[$y^2$](file.md)**", ["x_([i]) y² (file.md)"]),
        ("so\n\n$$y_p = \\sin(p)$$\n\nand so on", ["so", "▌ yₚ = sin(p)", "and so on"]),
        ("$$a\n= b$$", ["▌ a = b"]),
        ("where $$a = b$$ holds", ["where a = b holds"]),
        ("5$ alone and $$", ["5$ alone and $$"]),
    ],
)
def test_formulas_stay_inside_their_text_and_displayed_formulas_become_a_quote(text: str, due: list[str]) -> None:
    assert shown(text) == due


def test_without_unicode_formulas_are_not_converted() -> None:
    assert shown("It is $\\omega^2$ – so", "ascii") == ["It is $\\omega^2$ - so"]
