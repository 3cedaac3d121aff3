"""The page of a walk: each line once, what it makes, marks that are explained, and the first doubt of a wrong result."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from grader.report.terminal import Terminal
from grader.report.trace import ProgramWalk, print_trace, remarks
from grader.run.questions import Made
from grader.values.places import Place

TEXT = """def toy(seed, n):
    a = f(n)
    scores = where(a < 2, a, 0.0)
    return scores.sum(axis=0)
"""


def at(line: int, expression: str, **fields: object) -> Made:
    start = TEXT.splitlines()[line - 1].index(expression)
    usual = Made(
        *(Place(line, start, line, start + len(expression)), 1, "float32", (2, 3), -1.5, 2.0),
        *((0.5, -1.5, 2.0, 0.25, 0.125, 0.75), True, False),
    )
    return replace(usual, **fields)  # type: ignore[arg-type]


MADE = (
    at(2, "f(n)"),
    at(3, "a < 2", dtype="bool", values=(1.0, 0.0, 1.0, 1.0, 1.0, 0.0), low=0.0, high=1.0, occurs=False, doubted=True),
    at(3, "where(a < 2, a, 0.0)", occurs=None, low=1.0, high=1.0, count=4),
    at(4, "scores.sum(axis=0)", shape=(3,), values=(float("nan"), float("-inf"), 1.0), occurs=False),
)
WALK = ProgramWalk("toy", 2, 6, "n=3", TEXT, MADE, right=False, compared=True)


def printed(walk: ProgramWalk, width: int = 80, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    print_trace(Terminal(Console(file=stream, width=width, highlight=False)), walk)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


def test_each_line_is_shown_with_what_it_makes() -> None:
    text = printed(WALK)
    assert "toy   case 2 of 6: n=3" in text
    assert text.partition("doubt")[0].count("scores = where") == 1
    assert "│ = a              float32 (2, 3)  -1.500 to 2.000\n" in text
    assert "│                   0.500 -1.500  2.000  0.250  0.125  0.750\n" in text
    assert "scores         float32 (2, 3)  4 times, the last:" in text
    assert "? return         float32 (3,)" in text
    assert "nan -inf 1.000" in text


def test_an_editor_has_one_remark_for_each_line() -> None:
    assert remarks(WALK) == [
        (2, "float32(2, 3) 0.500 -1.500 2.000 0.250 ..."),
        (3, "float32(2, 3) 0.500 -1.500 2.000 0.250 ..."),
        (4, "float32(3,) nan -inf 1.000"),
    ]


def test_the_first_doubt_of_a_wrong_result_is_underlined() -> None:
    text = printed(WALK)
    assert "the result is wrong" in text
    line, carets = text.splitlines()[-2:]
    assert line[carets.index("^") : carets.rindex("^") + 1] == "a < 2"


def test_a_right_result_has_no_doubt() -> None:
    text = printed(replace(WALK, right=True))
    assert "the result is right" in text
    assert "doubt" not in text
    assert "^" not in text


def test_where_nothing_is_compared_nothing_is_said_of_the_reference() -> None:
    text = printed(replace(WALK, right=None, compared=False))
    assert not any(word in text for word in ("reference", "doubt", "the result", "?"))


@pytest.mark.parametrize("marks", [(True, False, None), (True, False), (False,), (True, None)])
def test_the_marks_that_are_printed_are_explained_and_no_others(marks: tuple[bool | None, ...]) -> None:
    explained = {True: "=: the reference", False: "?: not in", None: "No mark means that"}
    text = printed(
        replace(
            WALK, made=tuple(replace(one, occurs=mark) for one, mark in zip((MADE[0], *MADE[2:]), marks, strict=False))
        )
    )
    assert {mark for mark, said in explained.items() if said in " ".join(text.split())} == {*marks}


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_a_small_array_is_shown_whole_at_any_width(width: int) -> None:
    values = tuple(number / 8 for number in range(24))
    text = printed(replace(WALK, made=(at(2, "f(n)", shape=(2, 4, 3), values=values, low=None),)), width)
    assert re.findall(r"\b\d\.\d{3}\b", text) == [f"{value:.3f}" for value in values]
    assert "..." not in text


def test_the_rows_of_a_small_array_stay_whole_where_one_fits() -> None:
    values = tuple(map(float, range(24)))
    text = printed(replace(WALK, made=(at(2, "f(n)", dtype="int32", shape=(4, 6), values=values),)), 70)
    rows = [line.partition("│")[2].split() for line in text.splitlines()]
    assert [*map(str, range(12))] in rows
    assert [*map(str, range(12, 24))] in rows


@pytest.mark.parametrize("width", [60, 80])
def test_a_large_array_is_shown_by_its_first_values(width: int) -> None:
    values = tuple(number / 8 for number in range(32))
    text = printed(replace(WALK, made=(at(2, "f(n)", shape=(100,), values=values),)), width)
    assert "0.000 0.125" in text
    assert text.count(" ...") == 1
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_fits_and_has_only_characters_of_the_encoding(width: int, encoding: str) -> None:
    text = printed(WALK, width, encoding)
    assert max(map(len, text.splitlines())) <= width
    assert text.isascii() or encoding == "utf-8"


def test_lines_of_a_notebook_are_told_with_their_cells() -> None:
    cells = tuple((3, number + 4) for number in range(1, len(TEXT.splitlines()) + 1))
    text = printed(replace(WALK, cells=cells))
    assert "Of the notebook, 3:2 is line 2 of the third code cell." in text
    assert f"   3:{MADE[0].place.line + 4} │" in text
