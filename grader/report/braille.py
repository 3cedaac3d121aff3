"""Lines in braille, whose signs hold two by four dots; in asterisks where there is no Unicode."""

from __future__ import annotations

import numpy as np

from grader.marking.comparison import Array
from grader.pictures.scale import Scale
from grader.report.ink import letter

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille sign, by row and column."""
EMPTY = 0x2800


def line(values: Array, scale: Scale, width: int, lines: int, *, unicode: bool) -> list[str]:
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
    return ["".join(_sign(dots[y : y + 4, x : x + 2]) for x in range(0, 2 * width, 2)) for y in range(0, 4 * lines, 4)]


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


def marks(values: Array, wrong: Array | None, width: int) -> str:
    """A line below: `^` where values are wrong, and letters for those that are not finite."""
    signs = [" "] * width
    for index, column in enumerate(columns_of(values.size, width).round().astype(int).tolist()):
        said = letter(float(values[index])) or ("^" if wrong is not None and wrong[index] else "")
        if said and signs[column] in " ^":
            signs[column] = said
    return "".join(signs).rstrip()


def _sign(dots: Array) -> str:
    bits = sum(_DOTS[y][x] for y in range(4) for x in range(2) if dots[y, x])
    return chr(EMPTY + bits)
