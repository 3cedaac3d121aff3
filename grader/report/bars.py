"""Values as bars, one a line, with their numbers."""

from __future__ import annotations

import math

import numpy as np

from grader.marking.comparison import Array
from grader.pictures.scale import Scale

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
