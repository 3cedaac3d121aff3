"""How the values of a place are related to the values needed there. NumPy only."""

from __future__ import annotations

import numpy as np

from grader.values.arrays import SAME_RELATION, Array
from grader.values.places import Relation


@np.errstate(all="ignore")
def differing(yours: Array, needed: Array) -> Array:
    """Which values differ by more than rounding; those that differ at all if none does."""
    yours, needed = (np.asarray(value, np.float64) for value in (yours, needed))
    unlike = ~((yours == needed) | (np.isnan(yours) & np.isnan(needed)))
    largest = np.max(np.abs(needed), initial=0.0, where=np.isfinite(needed))
    far = unlike & ~(np.abs(yours - needed) <= SAME_RELATION * largest)
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
    yours, needed = yours.astype(np.float64), needed.astype(np.float64)
    hidden = np.isinf(needed) & (yours == needed)  # a mask makes them, and a relation has to hold for them too
    if hidden.all() or not np.isfinite(needed[~hidden]).all():
        return None
    fitting = [name for name, of in _RELATIONS.items() if _equal(of(yours), needed)]
    return fitting[0] if len(fitting) == 1 else None


def reordered(yours: Array, needed: Array) -> bool:
    """Whether the values needed are those that are there, in another order or shape."""
    if {yours.dtype.kind, needed.dtype.kind} - set("fiu") or yours.size != needed.size or yours.size < 2:
        return False
    yours, needed = (np.sort(values.astype(np.float64), axis=None) for values in (yours, needed))
    return bool(yours[0] < yours[-1]) and _equal(yours, needed)


def _equal(array: Array, other: Array) -> bool:
    return bool(np.allclose(array, other, rtol=SAME_RELATION, atol=0.0, equal_nan=True))
