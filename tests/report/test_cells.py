"""Tables as cells: half blocks in colour, shades without, and differences that need no colour."""

from __future__ import annotations

import numpy as np

from grader.pictures.view import scale_of, scale_of_difference
from grader.report.ink import CellLayout, Ink, cells, difference_cells, grid_for, most
from tests.pictures.samples import hostile

COLOUR, SHADES, ASCII = Ink(True, True), Ink(False, True), Ink(False, False)
TABLE = np.array([[0.0, 1.0], [0.5, 0.25], [1.0, 0.0]])
SCALE = scale_of(TABLE, None)


def test_two_rows_share_a_line_of_half_blocks() -> None:
    lines = cells(TABLE, SCALE, CellLayout(1, True), COLOUR)
    assert [line.plain for line in lines] == ["▀▀", "▀▀"]
    first = lines[0].spans[0].style
    assert first.color is not None
    assert first.bgcolor is not None


def test_without_colour_each_row_is_a_line_of_shades() -> None:
    assert [line.plain for line in cells(TABLE, SCALE, CellLayout(2, False), ASCII)] == ["  @@", "++::", "@@  "]
    assert [line.plain for line in cells(TABLE, SCALE, CellLayout(1, False), SHADES)] == [" █", "▒░", "█ "]


def test_a_wide_cell_that_is_wrong_has_a_mark() -> None:
    marked = np.array([[True, False], [False, False], [False, True]])
    assert [line.plain for line in cells(TABLE, SCALE, CellLayout(2, False), COLOUR, marked)] == [
        "><  ",
        "    ",
        "  ><",
    ]


def test_what_is_wrong_is_a_block_and_what_is_right_is_none() -> None:
    apart = np.array([[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0]])
    scale = scale_of_difference(apart)
    wrong = apart != 0
    assert [line.plain for line in difference_cells(apart, wrong, scale, CellLayout(1, True), COLOUR)] == ["▄▀█"]
    assert [line.plain for line in difference_cells(apart, wrong, scale, CellLayout(1, False), COLOUR)] == [
        "·██",
        "█·█",
    ]
    assert [line.plain for line in difference_cells(apart, wrong, scale, CellLayout(1, False), ASCII)] == [".++", "-.+"]


def test_what_is_not_finite_is_seen_as_what_it_is() -> None:
    table = hostile()
    for ink in (COLOUR, SHADES, ASCII):
        grid = grid_for(*table.shape, (12, 24), ink, finite=False)
        assert not grid.half
        shown = cells(table, scale_of(table, None), grid, ink)[1].plain
        assert shown.replace(" ", "")[:5].startswith("NIi") or shown.startswith("NNIIii")
        signs = difference_cells(table, np.ones(table.shape, np.bool_), scale_of_difference(table), grid, ink)[1].plain
        assert all(sign in signs for sign in "NIi")


def test_cells_are_as_large_as_there_is_room() -> None:
    room = (12, 24)
    assert grid_for(4, 3, room, COLOUR, finite=True) == CellLayout(4, False)
    assert grid_for(12, 12, room, COLOUR, finite=True) == CellLayout(2, False)
    assert grid_for(24, 24, room, COLOUR, finite=True) == CellLayout(1, True)
    assert (most(room, COLOUR, finite=True), most(room, ASCII, finite=True)) == ((24, 24), (12, 24))
