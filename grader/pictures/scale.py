"""The scale of a picture: which value has which place between its ends. Values may be any float64, also not finite."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.marking.comparison import Array

FAR, SOME = 1.0, 0.25
"""What was given widens the scale of what is due at each end by up to FAR times its width. If it needs more, by SOME."""


@dataclass(frozen=True)
class Scale:
    """The ends of a scale. `diverging` says that zero is in its middle, and that both sides are told apart.

    `beyond` says that some values lie outside: they are drawn as the nearer end.
    """

    low: float
    high: float
    diverging: bool
    beyond: bool = False

    def places(self, values: Array) -> Array:
        """Where values lie, from 0 at the low end to 1 at the high end; those outside are clipped. NaN stays NaN."""
        # Everything is halved and then divided by the largest end first, since the width itself may overflow.
        largest = max(abs(self.low), abs(self.high))
        if not largest or self.low == self.high:
            return np.where(np.isnan(values), np.nan, np.clip(np.sign(values - self.low) / 2 + 0.5, 0.0, 1.0))
        low, high = self.low / largest, self.high / largest
        with np.errstate(all="ignore"):
            return np.clip((values / largest - low) / (high - low), 0.0, 1.0)


def scale_of(due: Array | None, given: Array | None) -> Scale:
    """The scale that two tables share: that of what is due, and wider where what was given needs it, within reason.

    One wrong value may be a billion times too large: everything else would have one colour then.
    """
    ends = [_ends(table) for table in (due, given) if table is not None]
    found = [one for one in ends if one is not None]
    if not found:
        return Scale(0.0, 1.0, False)
    low, high = found[0]
    beyond = False
    for other_low, other_high in found[1:]:
        width = (high - low) or abs(high) or 1.0
        below, above = low - other_low > FAR * width, other_high - high > FAR * width
        low = low - SOME * width if below else min(low, other_low)
        high = high + SOME * width if above else max(high, other_high)
        beyond = below or above
    if low < 0 < high:
        return Scale(-max(-low, high), max(-low, high), True, beyond)
    return Scale(low, high, False, beyond)


def scale_of_difference(difference: Array) -> Scale:
    """The scale of a difference: zero is in its middle."""
    ends = _ends(difference)
    largest = max(map(abs, ends)) if ends else 0.0
    return Scale(-(largest or 1.0), largest or 1.0, True)


def _ends(table: Array) -> tuple[float, float] | None:
    finite = table[np.isfinite(table)]
    if not finite.size:
        return None
    most = float(np.finfo(np.float64).max) / 4  # so that no width overflows
    return max(-most, float(finite.min())), min(most, float(finite.max()))
