"""How the values of a place are related to the values needed there. NumPy only."""

from __future__ import annotations

import numpy as np

from grader.marking.comparison import Array
from grader.marking.places import Relation

SAME = 1e-6
"""Two values count as the same if they differ by no more than this part of the largest value: constants have 32 bits."""


@np.errstate(all="ignore")
def differing(yours: Array, needed: Array) -> Array:
    """Which values differ by more than rounding; those that differ at all if none does."""
    one, other = (np.asarray(value, np.float64) for value in (yours, needed))
    unlike = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    largest = np.max(np.abs(other), initial=0.0, where=np.isfinite(other))
    far = unlike & ~(np.abs(one - other) <= SAME * largest)
    return far if far.any() else unlike


_RELATIONS = {
    Relation.NEGATED: lambda x: -x,
    Relation.INVERSE: lambda x: 1 / x,
    Relation.TWICE: lambda x: 2 * x,
    Relation.HALF: lambda x: x / 2,
    Relation.SQUARE: lambda x: x * x,
    Relation.ROOT: np.sqrt,
    Relation.COMPLEMENT: lambda x: 1 - x,
}


@np.errstate(all="ignore")
def relation(yours: Array, needed: Array) -> Relation | None:
    """How values needed follow from others at every element; None if they do not, or if several relations would fit."""
    if {yours.dtype.kind, needed.dtype.kind} - set("fiu") or yours.size < 2 or bool(np.all(yours == yours[0])):
        return None
    one, other = yours.astype(np.float64), needed.astype(np.float64)
    fitting = [name for name, of in _RELATIONS.items() if np.isfinite(other).all() and _equal(of(one), other)]
    return fitting[0] if len(fitting) == 1 else None


def reordered(yours: Array, needed: Array) -> bool:
    """Whether the values needed are those that are there, in another order or shape."""
    if {yours.dtype.kind, needed.dtype.kind} - set("fiu") or yours.size != needed.size or yours.size < 2:
        return False
    one, other = (np.sort(values.astype(np.float64), axis=None) for values in (yours, needed))
    return bool(one[0] < one[-1]) and _equal(one, other)


def _equal(one: Array, other: Array) -> bool:
    return bool(np.allclose(one, other, rtol=SAME, atol=0.0, equal_nan=True))
