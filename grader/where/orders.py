"""The orders in which an answer holds what the reference holds in another one: channels in halves, or heads side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np

from grader.marking.comparison import Array
from grader.where.steps import Steps

Orders = Mapping[int, list[Array]]
"""For the length of an axis, the orders of its places: that of the answer is `array.take(order, axis)`."""

NONE: Orders = MappingProxyType({})

LARGEST_ARRAY_COMPARED = 4_096
"""Arrays with more elements are not compared."""
SHORTEST_AXIS = 3
"""A shorter axis has one other order only, and another form gives that."""
MOST_ORDERS_OF_A_LENGTH = 4
"""The most orders of one length."""
CLOSE = 1e-7
"""How far two numbers may differ that count as one, as a part of the largest."""

_Sums = tuple[Array, Array]


def orders(values: Iterable[Array], steps: Steps) -> Orders:
    """The orders in which values of an answer stand, where those of the reference stand in another one.

    The rows of an axis are told apart by one sum each, with weights that differ from element to element. Two arrays hold the
    same rows if they have the same sums; rows that are equal have no order.
    """
    known: dict[tuple[int, int], list[_Sums]] = defaultdict(list)
    for rows in steps.values():
        for of, sums in _by_axis(rows[0]) if len(rows) == 1 else ():
            known[of].append(sums)
    found: dict[int, dict[bytes, Array]] = defaultdict(dict)
    for value in values:
        for of, (ordered, places) in _by_axis(value):
            for due, due_places in known.get(of, ()):
                if np.allclose(ordered, due, rtol=0.0, atol=CLOSE * float(np.abs(due).max())):
                    order = np.empty_like(places)
                    order[places] = due_places
                    if np.any(order != np.arange(order.size)) and len(found[of[0]]) < MOST_ORDERS_OF_A_LENGTH:
                        found[of[0]].setdefault(order.tobytes(), order)
    return {length: list(several.values()) for length, several in found.items()}


def _by_axis(value: Array) -> Iterator[tuple[tuple[int, int], _Sums]]:
    """For each axis with rows that all differ: its length and that of a row, the sums in order, and where each stands."""
    if value.size > LARGEST_ARRAY_COMPARED or value.dtype.kind not in "fiu" or not np.isfinite(value).all():
        return
    for axis, length in enumerate(value.shape):
        if length < SHORTEST_AXIS:
            continue
        rows = np.moveaxis(value, axis, 0).reshape(length, -1).astype(np.float64)
        weights = np.cos(np.arange(1.0, 1.0 + rows.shape[1]))
        sums = rows @ weights
        places = np.argsort(sums, kind="stable")
        ordered = sums[places]
        if np.all(np.diff(ordered) > 2 * CLOSE * float(np.abs(ordered).max())):
            yield (length, rows.shape[1]), (ordered, places)
