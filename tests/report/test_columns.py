"""Tables on narrow terminals: words are whole, and what is needed least is left out."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.console import Console
from rich.text import Text

from grader.report.table import fits, print_table
from grader.report.terminal import Terminal

HEADERS = ("problem", "difficulty", "status", "remarks")
ROWS = (
    ("vmap_clipped_gradients", "medium", Text("unattempted", "dim"), ""),
    ("rope", "hard", "wrong", "half-exponent, stacked-layout"),
)


def lines_of(
    width: int, rows: Sequence[Sequence[str | Text]] = ROWS, *, one_line: str | None = None, encoding: str = "utf-8"
) -> list[str]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    terminal = Terminal(Console(file=stream, width=width))
    print_table(terminal, HEADERS, rows, optional=("difficulty", "remarks"), one_line=one_line)
    stream.flush()
    printed = stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    assert all(len(line) <= width for line in printed.splitlines())
    return [" ".join(line.split()) for line in printed.splitlines()]


def test_a_table_that_fits_is_not_folded() -> None:
    assert lines_of(80) == [
        "problem difficulty status remarks",
        "vmap_clipped_gradients medium unattempted",
        "rope hard wrong half-exponent, stacked-layout",
    ]


def test_text_is_folded_between_words() -> None:
    *_, rope, rest = lines_of(66)
    assert (rope, rest) == ("rope hard wrong half-exponent,", "stacked-layout")


@pytest.mark.parametrize(("width", "header"), [(60, "problem status remarks"), (40, "problem status")])
def test_the_columns_that_are_needed_least_are_left_out_before_a_word_is_broken(width: int, header: str) -> None:
    first, *rows = lines_of(width)
    assert first == header
    words = {word for line in rows for word in line.split()}
    assert words <= {"vmap_clipped_gradients", "unattempted", "rope", "wrong", "half-exponent,", "stacked-layout"}


def test_a_remark_on_one_line_ends_after_a_whole_word() -> None:
    assert lines_of(70, one_line="remarks")[-1] == "rope hard wrong half-exponent, …"
    assert lines_of(70, one_line="remarks", encoding="ascii")[-1] == "rope hard wrong half-exponent, ..."


def test_a_path_is_folded_after_a_folder() -> None:
    first, second, *_ = lines_of(46, [("students/alice_smith_2026/stub.py", "", "correct", "")])[1:]
    assert first.startswith("students/alice_smith_2026/ correct")
    assert second == "stub.py"


def test_where_no_columns_fit_each_row_has_lines_of_its_own() -> None:
    assert lines_of(24) == ["vmap_clipped_gradients", "unattempted", "rope", "wrong"]


def test_without_columns_a_number_stands_behind_its_header_and_no_dash_is_left() -> None:
    rows = [("vmap_clipped_gradients", "12", "-", "3 %")]
    stream = io.StringIO()
    print_table(Terminal(Console(file=stream, width=30)), HEADERS, rows)
    assert [" ".join(line.split()) for line in stream.getvalue().splitlines()] == [
        "vmap_clipped_gradients",
        "difficulty 12 remarks 3 %",
    ]


def test_a_word_that_is_longer_than_the_terminal_is_folded_and_not_cut() -> None:
    assert sum(line.count("x") for line in lines_of(40, [("x" * 100, "", "wrong", "")])) == 100


@pytest.mark.parametrize(("width", "whole"), [(80, True), (79, False)])
def test_a_table_fits_if_nothing_has_to_be_folded(width: int, whole: bool) -> None:
    rows = [("vmap_clipped_gradients", "medium", "unattempted", "half-exponent, stacked-layout")]
    assert fits(Terminal(Console(file=io.StringIO(), width=width)), HEADERS, rows) is whole
