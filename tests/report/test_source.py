"""Lines of an answer with carets under one expression: tabs, wide characters, long lines, several lines."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from grader.report.source import MOST_LINES, fitted, source


def under(line: str, carets: str) -> str:
    """What stands above the carets, by columns of the terminal."""
    start, size = carets.index("^"), carets.count("^")
    columns = "".join(cell + "\0" * (cell_len(cell) - 1) for cell in line)
    return columns[start : start + size].replace("\0", "")


@pytest.mark.parametrize(
    ("line", "expression"),
    [
        ("    a = b + c", "b + c"),
        ("\ta = b\t+ c", "b\t+ c"),
        ("日本 = x; 数 = 値 @ y", "値 @ y"),
        ("é = ü * x", "ü * x"),
        ("a\u200b = b\x1b[31m + c", "b\x1b[31m + c"),
    ],
)
def test_the_carets_stand_under_the_very_expression(line: str, expression: str) -> None:
    start = line.index(expression)
    text, carets = fitted(line, start, start + len(expression), 80, unicode=True)
    seen = under(text, carets)
    assert seen.split() == expression.replace("\x1b", "").split()
    assert "\t" not in text + carets
    assert "\x1b" not in text


@pytest.mark.parametrize("room", [30, 40, 72])
@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("at", [0, 40, 150, 290])
def test_a_long_line_is_cut_around_the_expression(room: int, unicode: bool, at: int) -> None:
    line = "".join(f"{number:03}+" for number in range(76))
    text, carets = fitted(line, at, at + 7, room, unicode=unicode)
    assert cell_len(text) <= room
    assert under(text, carets) == line[at : at + 7]
    assert ("…" if unicode else "...") in text
    assert text.isascii() or unicode


def test_of_a_long_line_the_beginning_is_kept_where_the_expression_still_fits() -> None:
    text, _ = fitted("scores = " + "x" * 90, 9, 20, 40, unicode=True)
    assert text.startswith("scores = x")


def test_an_expression_that_is_too_long_is_shown_from_its_start() -> None:
    text, carets = fitted("a = " + "f(" + "x" * 200 + ")", 4, 207, 40, unicode=True)
    assert text.startswith("…f(x")
    assert set(carets.strip()) == {"^"}


def test_several_lines_have_carets_from_the_start_to_the_end_of_the_expression() -> None:
    first, second, third = source(["    a = f(", "        x,", "    ).sum()"], 9, 8, 5, 80, unicode=True)
    assert under(first.line, first.carets) == "f("
    assert under(second.line, second.carets) == "x,"
    assert under(third.line, third.carets) == ")"
    assert [one.line.split()[0] for one in (first, second, third)] == ["9", "10", "11"]


def test_lines_keep_their_indentation_against_each_other_where_one_is_cut() -> None:
    rows = source(["    a = f(", "        " + "x" * 90, "    )"], 1, 8, 5, 60, unicode=True)
    assert [one.line.index("│ ") for one in rows] == [rows[0].line.index("│ ")] * 3
    assert "│ a = f(" in rows[0].line
    assert "│ )" in rows[2].line


def test_of_very_many_lines_the_first_are_shown() -> None:
    rows = source([f"x{number}," for number in range(40)], 1, 0, 3, 80, unicode=True)
    assert len(rows) == MOST_LINES + 1
    assert f"({40 - MOST_LINES} more lines)" in rows[-1].line
