"""Which case of an answer is drawn: the one on which there is most to see."""

from __future__ import annotations

import math

import numpy as np

from grader.marking.picture_data import Compared, Drawable, Pictured

FEWEST_VALUES_DRAWN = 6
"""With fewer values than this, their numbers say more than a picture."""


def telling(drawable: Drawable, rows: int, columns: int, *, wrong: bool) -> tuple[Pictured, Compared] | None:
    """The first picture that shows something, and the case to draw it of, in so many rows and columns.

    Args:
        wrong: whether only cases count on which the answer is wrong.

    Returns:
        None if no picture shows more than the numbers do.
    """
    for picture in drawable.pictures:
        best = max(
            (one for one in drawable.cases if not wrong or (one.wrong is not None and bool(np.any(one.wrong)))),
            key=lambda one: _seen(picture, one, rows, columns),
            default=None,
        )
        if best is not None and _seen(picture, best, rows, columns) > 0:
            return picture, best
    return None


def _seen(picture: Pictured, one: Compared, rows: int, columns: int) -> float:
    """How much there is to see: the values that fit, less where many are left out; 0 for a single line or a few values."""
    if not set(picture.axes) <= set(one.axes) or len(one.axes) + bool(one.parts) > len(one.shape):
        return 0.0
    sizes = [one.shape[one.axes.index(axis) + bool(one.parts)] for axis in picture.axes]
    if math.prod(sizes) < (FEWEST_VALUES_DRAWN if len(sizes) > 1 else 3) or min(sizes) < 2:
        return 0.0
    room = (rows, columns) if len(sizes) > 1 else (columns,)
    parts = [math.ceil(size / most) for size, most in zip(sizes, room, strict=True)]
    return math.prod(map(min, sizes, room)) / math.sqrt(math.prod(parts))
