"""How values look in a terminal: as cells, lines and bars, in colours or in shades where there is no colour."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from grader.kit.text import plain
from grader.locale.language import gettext, pgettext
from grader.pictures.view import Scale
from grader.values.arrays import Array

STEPS = 32
"""A colour scale has this many steps, so that few styles are made."""

FAINT = 0.4
"""How far from the middle of its scale the colour of the smallest difference lies: white would not be seen on white."""

_RISING = ("440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725")

_DIVERGING = ("2166ac", "4393c3", "92c5de", "d1e5f0", "f7f7f7", "fddbc7", "f4a582", "d6604d", "b2182b")
"""Viridis, and blue to red with white at zero: both can be told apart with every form of colour blindness."""

_RISING_OF_256 = (53, 54, 24, 30, 36, 41, 112, 148, 190, 227)

_DIVERGING_OF_256 = (25, 68, 110, 153, 255, 224, 217, 167, 124)
"""The same in a terminal of 256 colours. The nearest of them to each step would wander through other hues."""

_SHADES = {True: " ░▒▓█", False: " .:-=+*#%@"}
LETTERS = {"N": "NaN", "I": "inf", "i": "-inf"}


@dataclass(frozen=True)
class Ink:
    """What a terminal can show.

    Attributes:
        colour: at least 256 colours, and blocks to fill with them.
        unicode: signs beyond ASCII.
        fine: any colour, and not 256 alone.
    """

    colour: bool
    unicode: bool
    fine: bool = True

    def shade(self, place: float) -> str:
        """The sign for a place on a scale, from 0 to 1."""
        shades = _SHADES[self.unicode]
        return shades[min(len(shades) - 1, int(place * len(shades)))]


def letter(value: float) -> str:
    """The letter for a value that is not finite; empty for others."""
    if math.isfinite(value):
        return ""
    return "N" if math.isnan(value) else "I" if value > 0 else "i"


def letters_in(*tables: Array | None) -> str:
    """What the letters in pictures of these tables mean, as `N is NaN, I is inf`; empty if there are none."""
    found: set[str] = set()
    for table in tables:
        if table is not None:
            found |= {letter(float(value)) for value in np.unique(table[~np.isfinite(table)])}
    meaning = gettext("{letter} is {value}")
    return ", ".join(meaning.format(letter=sign, value=name) for sign, name in LETTERS.items() if sign in found)


def steps(values: Array, scale: Scale) -> Array:
    """The step of each value on a colour scale, as integers from 0 to `STEPS`; -1 for NaN."""
    places = scale.places(values)
    return np.where(np.isnan(places), -1, np.nan_to_num(places) * STEPS + 0.5).astype(np.int64)


def steps_apart(values: Array, scale: Scale) -> Array:
    """The same for differences, of which even the smallest is not white."""
    places = 2 * scale.places(values) - 1
    away = np.sign(values) * (FAINT + (1 - FAINT) * np.abs(places))
    return np.where(np.isnan(away), -1, np.nan_to_num(away / 2 + 0.5) * STEPS + 0.5).astype(np.int64)


@functools.cache
def style(diverging: bool, foreground: int, background: int = -1, *, fine: bool = True) -> Style:
    """The style of a block with a step of a scale as its colour, and another as the colour behind it (-1: none)."""
    behind = None if background < 0 else _colour(diverging, background, fine)
    return Style(color=_colour(diverging, foreground, fine), bgcolor=behind)


@functools.cache
def style_behind(diverging: bool, background: int, *, fine: bool = True) -> Style:
    """The style of text on a step of a scale."""
    colour = _colour(diverging, background, fine)
    red, green, blue = colour.get_truecolor()
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 140
    return Style(color=Color.from_rgb(255, 255, 255) if dark else Color.from_rgb(0, 0, 0), bgcolor=colour)


@functools.cache
def _colour(diverging: bool, step: int, fine: bool) -> Color:
    if not fine:
        known = _DIVERGING_OF_256 if diverging else _RISING_OF_256
        return Color.from_ansi(known[round(step / STEPS * (len(known) - 1))])
    anchors = _DIVERGING if diverging else _RISING
    place = step / STEPS * (len(anchors) - 1)
    at = min(int(place), len(anchors) - 2)
    low, high = (np.array([int(anchor[i : i + 2], 16) for i in (0, 2, 4)]) for anchor in anchors[at : at + 2])
    red, green, blue = np.round(low + (high - low) * (place - at))
    return Color.from_rgb(red, green, blue)


def legend(scale: Scale, ink: Ink, width: int, *, apart: bool = False) -> Text:
    """The ends of a scale with their colours, and its zero if that fits.

    Args:
        apart: whether it is the scale of a difference.
    """
    values = [scale.low, 0.0, scale.high] if scale.diverging else [scale.low, scale.high]
    texts = [f"{value:.3g}" for value in values]
    if apart and not ink.colour:
        return _within(pgettext("difference", "up to {value}").format(value=texts[-1]), ink, width)
    each = 4 if ink.colour else 6
    if sum(map(len, texts)) + each * len(texts) - 2 > width:
        values, texts = [values[0], values[-1]], [texts[0], texts[-1]]
    if sum(map(len, texts)) + each * len(texts) - 2 > width:
        short = gettext("up to {value}") if scale.diverging else gettext("{low} to {high}")
        return _within(short.format(value=texts[-1], low=texts[0], high=texts[-1]), ink, width)
    line = Text()
    for value, text in zip(values, texts, strict=True):
        place = float(scale.places(np.array([value]))[0])
        if not ink.colour:
            line.append(f"[{ink.shade(place)}] {text}  ")
        elif apart and value == 0.0:
            line.append("· ", "dim").append(f"{text}  ")
        else:
            line.append("█", style(scale.diverging, int(place * STEPS + 0.5), fine=ink.fine)).append(f" {text}  ")
    line.rstrip()
    return line


def _within(text: str, ink: Ink, width: int) -> Text:
    """A text; empty if it is wider than this."""
    text = text if ink.unicode else plain(text)
    return Text(text if len(text) <= width else "")


NUMBER = 10
"""Columns for a number, with a blank before it."""

_PARTS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")


def bars(values: Array, scale: Scale, width: int, wrong: Array | None, *, unicode: bool) -> list[str]:
    """A bar from zero for each of some values of shape `(n,)`, its number, and `<` behind what is wrong."""
    room = max(1, width - NUMBER - 2)
    ends = Scale(min(0.0, scale.low), max(0.0, scale.high), False)
    zero, *places = ends.places(np.array([0.0, *values])).tolist()
    told = np.zeros(values.size, np.bool_) if wrong is None else wrong
    return [
        f"{_bar(place, zero, room, unicode=unicode):{room}}{f'{value:.4g}':>{NUMBER}}{' <' if bad else ''}"
        for value, place, bad in zip(values.tolist(), places, told.tolist(), strict=True)
    ]


def _bar(place: float, zero: float, room: int, *, unicode: bool) -> str:
    if math.isnan(place):
        return ""
    if zero == 0.0 and unicode:
        whole, part = divmod(round(place * room * 8), 8)
        return "█" * whole + _PARTS[part]
    start, end = sorted((round(zero * room), round(place * room)))
    return " " * start + ("█" if unicode else "#") * (end - start)


_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille sign, by row and column."""

EMPTY = 0x2800


def braille_line(values: Array, scale: Scale, width: int, lines: int, *, unicode: bool) -> list[str]:
    """One line through values of shape `(n,)`, in so many columns and lines of a terminal. It has a gap at each NaN."""
    across, down = (2, 4) if unicode else (1, 1)
    dots = np.zeros((lines * down, width * across), np.bool_)
    heights = _heights(scale.places(values), dots.shape)
    before = np.nan
    for column, height in enumerate(heights.tolist()):
        if np.isnan(height):
            before = np.nan
            continue
        # The dots between two columns are set too, so that a steep line has no gaps.
        middle = height if np.isnan(before) else (before + height) / 2
        first, last = sorted((round(middle), round(height)))
        dots[first : last + 1, column] = True
        if column and not np.isnan(before):
            first, last = sorted((round(before), round(middle)))
            dots[first : last + 1, column - 1] = True
        before = height
    if not unicode:
        return ["".join("*" if dot else " " for dot in row) for row in dots]
    return [
        "".join(_braille_sign(dots[y : y + 4, x : x + 2]) for x in range(0, 2 * width, 2))
        for y in range(0, 4 * lines, 4)
    ]


def _heights(places: Array, shape: tuple[int, int]) -> Array:
    """The row of dots at each column of dots, as a fraction; NaN where there is no line."""
    down, across = shape
    at = columns_of(places.size, across)
    known = ~np.isnan(places)
    if not known.any():
        return np.full(across, np.nan)
    heights = np.interp(np.arange(across), at[known], (1 - places[known]) * (down - 1), left=np.nan, right=np.nan)
    for index in np.flatnonzero(~known).tolist():
        before, after = (at[max(index - 1, 0)], at[min(index + 1, places.size - 1)])
        inside = np.arange(across)
        heights[(inside > before) & (inside < after) | (inside == round(at[index]))] = np.nan
    return heights


def columns_of(count: int, width: int) -> Array:
    """At which column each of some values lies, as fractions: they are spread over the whole width."""
    return np.linspace(0, width - 1, count) if count > 1 else np.zeros(count)


def braille_marks(values: Array, wrong: Array | None, width: int) -> str:
    """A line below: `^` where values are wrong, and letters for those that are not finite."""
    signs = [" "] * width
    for index, column in enumerate(columns_of(values.size, width).round().astype(int).tolist()):
        said = letter(float(values[index])) or ("^" if wrong is not None and wrong[index] else "")
        if said and signs[column] in " ^":
            signs[column] = said
    return "".join(signs).rstrip()


def _braille_sign(dots: Array) -> str:
    bits = sum(_DOTS[y][x] for y in range(4) for x in range(2) if dots[y, x])
    return chr(EMPTY + bits)


LARGER, SMALLER, RIGHT = "+", "-", "."
"""The signs of a difference without colour: the answer's value is larger than what is due, smaller, or right."""

_BOLD = Style(bold=True)
_DIM = Style(dim=True)


@dataclass(frozen=True)
class CellLayout:
    """How the cells of a picture are laid out: columns of a terminal for each, and whether two rows share a line."""

    width: int
    half: bool

    def lines(self, rows: int) -> int:
        return (rows + 1) // 2 if self.half else rows


def grid_for(rows: int, columns: int, room: tuple[int, int], ink: Ink, *, finite: bool) -> CellLayout:
    """The largest cells with which a table fits in `room` lines and columns. A letter needs a line of its own."""
    lines, width = room
    if rows <= lines and 2 * columns <= width:
        return CellLayout(4 if 2 * rows <= lines and 4 * columns <= width and columns < 4 else 2, False)
    return CellLayout(1, ink.colour and finite)


def most(room: tuple[int, int], ink: Ink, *, finite: bool) -> tuple[int, int]:
    """How many rows and columns fit in `room` lines and columns of a terminal."""
    return (2 * room[0] if ink.colour and finite else room[0]), room[1]


def cells(values: Array, scale: Scale, grid: CellLayout, ink: Ink, marked: Array | None = None) -> list[Text]:
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


def difference_cells(values: Array, wrong: Array, scale: Scale, grid: CellLayout, ink: Ink) -> list[Text]:
    """The lines of a table of differences. What is wrong is a block, and what is right is none: also without colour."""
    if not ink.colour:
        return [
            Text("".join(_difference_sign(v, bad) * grid.width for v, bad in zip(*row, strict=True)))
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


def _difference_sign(value: float, wrong: bool) -> str:
    return RIGHT if not wrong else letter(float(value)) or (LARGER if value > 0 else SMALLER)
