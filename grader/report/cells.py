"""Tables of values as cells: half blocks in colour, two rows a line; shades where there is no colour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from rich.style import Style
from rich.text import Text

from grader.marking.comparison import Array
from grader.pictures.scale import Scale
from grader.report.ink import Ink, letter, steps, steps_apart, style, style_behind

LARGER, SMALLER, RIGHT = "+", "-", "."
"""The signs of a difference without colour: the answer's value is larger than what is due, smaller, or right."""
_BOLD = Style(bold=True)
_DIM = Style(dim=True)


@dataclass(frozen=True)
class Grid:
    """How the cells of a picture are laid out: columns of a terminal for each, and whether two rows share a line."""

    width: int
    half: bool

    def lines(self, rows: int) -> int:
        return (rows + 1) // 2 if self.half else rows


def grid_for(rows: int, columns: int, room: tuple[int, int], ink: Ink, *, finite: bool) -> Grid:
    """The largest cells with which a table fits in `room` lines and columns. A letter needs a line of its own."""
    lines, width = room
    if rows <= lines and 2 * columns <= width:
        return Grid(4 if 2 * rows <= lines and 4 * columns <= width and columns < 4 else 2, False)
    return Grid(1, ink.colour and finite)


def most(room: tuple[int, int], ink: Ink, *, finite: bool) -> tuple[int, int]:
    """How many rows and columns fit in `room` lines and columns of a terminal."""
    return (2 * room[0] if ink.colour and finite else room[0]), room[1]


def cells(values: Array, scale: Scale, grid: Grid, ink: Ink, marked: Array | None = None) -> list[Text]:
    """The lines of a table of values.

    Args:
        marked: the cells that get a mark, where they are wide enough.
    """
    if not ink.colour:
        places = scale.places(values)
        signs = [
            [letter(v) or ink.shade(p) for v, p in zip(*row, strict=True)] for row in zip(values, places, strict=True)
        ]
        return [Text("".join(sign * grid.width for sign in row)) for row in signs]
    found = steps(values, scale)
    if grid.half:
        return _halves(found, scale.diverging, ink)
    lines: list[Text] = []
    for at, row in enumerate(found):
        line = Text()
        for column, step in enumerate(row.tolist()):
            said = letter(float(values[at, column]))
            if said:
                line.append(f"{said:^{grid.width}}", _BOLD)
            else:
                wrong = marked is not None and bool(marked[at, column]) and grid.width > 1
                line.append(
                    f"{'><' if wrong else '':^{grid.width}}", style_behind(scale.diverging, step, fine=ink.fine)
                )
        lines.append(line)
    return lines


def _halves(found: Array, diverging: bool, ink: Ink) -> list[Text]:
    lines: list[Text] = []
    for at in range(0, len(found), 2):
        line = Text()
        below = found[at + 1].tolist() if at + 1 < len(found) else [-1] * found.shape[1]
        for upper, lower in zip(found[at].tolist(), below, strict=True):
            line.append("▀", style(diverging, upper, lower, fine=ink.fine))
        lines.append(line)
    return lines


def difference(values: Array, wrong: Array, scale: Scale, grid: Grid, ink: Ink) -> list[Text]:
    """The lines of a table of differences. What is wrong is a block, and what is right is none: also without colour."""
    if not ink.colour:
        return [
            Text("".join(_sign(v, bad) * grid.width for v, bad in zip(*row, strict=True)))
            for row in zip(values, wrong, strict=True)
        ]
    found = np.where(wrong, steps_apart(values, scale), -1)
    lines: list[Text] = []
    for at in range(0, len(found), 2 if grid.half else 1):
        line = Text()
        below = found[at + 1].tolist() if grid.half and at + 1 < len(found) else [-1] * found.shape[1]
        for column, (upper, lower) in enumerate(zip(found[at].tolist(), below, strict=True)):
            said = letter(float(values[at, column])) if wrong[at, column] and not grid.half else ""
            if said:
                line.append(f"{said:^{grid.width}}", _BOLD)
            elif grid.half:
                line.append(*_two(upper, lower, ink))
            elif upper < 0:
                line.append(f"{'·':^{grid.width}}", _DIM)
            else:
                line.append("█" * grid.width, style(True, upper, fine=ink.fine))
        lines.append(line)
    return lines


def _two(upper: int, lower: int, ink: Ink) -> tuple[str, Style]:
    """Two cells of a difference, one above the other."""
    if upper < 0 and lower < 0:
        return "·", _DIM
    if upper == lower:
        return "█", style(True, upper, fine=ink.fine)
    if lower < 0:
        return "▀", style(True, upper, fine=ink.fine)
    if upper < 0:
        return "▄", style(True, lower, fine=ink.fine)
    return "▀", style(True, upper, lower, fine=ink.fine)


def _sign(value: float, wrong: bool) -> str:
    return RIGHT if not wrong else letter(float(value)) or (LARGER if value > 0 else SMALLER)
