"""The values that may belong in a place: those of the reference by their shapes and orders, and numbers for a literal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

import numpy as np

from grader.program.data import Equation, Literal
from grader.values.arrays import ORDERS_CLOSE, SOLVED_CLOSE, Array
from grader.where.steps import (
    Shape,
    StepPick,
    Steps,
    View,
    cast_views,
    part_views,
    picks_of_many,
    picks_of_one,
    plain_views,
    spread_views,
)

Orders = Mapping[int, list[Array]]
"""For the length of an axis, the orders of its places: that of the answer is `array.take(order, axis)`."""

NONE: Orders = MappingProxyType({})

LARGEST_ARRAY_COMPARED = 4_096
"""Arrays with more elements are not compared."""

SHORTEST_AXIS = 3
"""A shorter axis has one other order only, and another form gives that."""

MOST_ORDERS_OF_A_LENGTH = 4
"""The most orders of one length."""

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
                if np.allclose(ordered, due, rtol=0.0, atol=ORDERS_CLOSE * float(np.abs(due).max())):
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
        if np.all(np.diff(ordered) > 2 * ORDERS_CLOSE * float(np.abs(ordered).max())):
            yield (length, rows.shape[1]), (ordered, places)


MOST_NUMBERS_TRIED = 8
"""The most numbers that are tried. Near a root, each round about doubles the digits that are right."""

FIRST_STEP = 1e-3
"""How far the second number is from the first, as a part of it."""

DIGITS = 9
"""A number that is close to one with fewer digits is that one."""

EPSILON = 1e-15
"""A smaller step, as a part of the number, changes nothing."""


def solved_literal(value: Callable[[float], Array], due: Array, start: float) -> float | None:
    """The number for which `value` is nearest to `due`, of shape (n,), where it is found; None where it is not.

    It says nothing about how near that is.
    """
    before, after = start, start + FIRST_STEP * (abs(start) or 1.0)
    was, now = (_apart(value(number), due) for number in (before, after))
    for _ in range(MOST_NUMBERS_TRIED):
        if was is None or now is None or after == before:
            return None
        slope = (now - was) / (after - before)
        steep = float(slope @ slope)
        if not steep:
            return None
        step = float(slope @ now) / steep
        before, was = after, now
        after -= step
        if not np.isfinite(after) or abs(step) <= EPSILON * abs(after):
            break
        now = _apart(value(after), due)
    return _short(after) if np.isfinite(after) and after != start else None


def _apart(values: Array, due: Array) -> Array | None:
    """The differences where both are numbers; None if there are no such places, or the sizes differ."""
    if values.shape != due.shape:
        return None
    with np.errstate(all="ignore"):
        apart = np.asarray(values, np.float64) - due
    clean = np.where(np.isfinite(apart), apart, 0.0)
    return clean if np.isfinite(apart).any() else None


def _short(number: float) -> float:
    """A number as somebody would write it, if that is near enough."""
    for digits in range(1, DIGITS):
        short = float(f"{number:.{digits}g}")
        if abs(short - number) <= SOLVED_CLOSE * abs(number):
            return short
    return number


LEVELS = (plain_views, part_views, spread_views, plain_views)
"""The forms that are tried, in this order. The last are plain forms with the places of an axis in another order."""

ORDERED = len(LEVELS) - 1


class Candidates:
    """The steps of one case by their shapes."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._known: dict[int | None, dict[Shape, list[tuple[StepPick, list[Array]]]]] = {}

    def near(self, count: int | None, due: Shape, level: int) -> Iterator[tuple[StepPick, list[Array]]]:
        """The choices for `count` values of a shape that have views in it. None: one value changes."""
        for shape, listed in self._by_shape(count).items():
            if LEVELS[level](shape, due):
                yield from listed

    def _by_shape(self, count: int | None) -> dict[Shape, list[tuple[StepPick, list[Array]]]]:
        if count not in self._known:
            found = self._known[count] = {}
            for pick in picks_of_one(self._steps) if count is None else picks_of_many(self._steps, count):
                values = pick.of(self._steps, count)
                for shape in dict.fromkeys(value.shape for value in values or ()):
                    found.setdefault(shape, []).append((pick, values or []))
        return self._known[count]

    @cached_property
    def _numbers(self) -> list[tuple[StepPick, float]]:
        """The numbers that occur, each once."""
        found: dict[float, StepPick] = {}
        for shape, listed in self._by_shape(None).items():
            if not int(np.prod(shape)) > 1:
                for pick, values in listed:
                    if values[0].size and values[0].dtype.kind in "fiu":
                        found.setdefault(float(values[0].reshape(())), pick)
        return [(pick, number) for number, pick in found.items() if not np.isnan(number)]

    def constants(self, equation: Equation) -> Iterator[tuple[int, StepPick]]:
        """The numbers of the reference that may belong in the place of each literal of an equation."""
        for operand, atom in enumerate(equation.inputs):
            if isinstance(atom, Literal) and not isinstance(atom.value, bool | complex) and atom.dtype != "uint32":
                whole = isinstance(atom.value, int)
                for pick, number in self._numbers:
                    if number != atom.value and not (whole and (not np.isfinite(number) or number != int(number))):
                        yield operand, pick


def forms_of(
    given: Sequence[Array], current: Sequence[Array], level: int, orders: Orders = NONE
) -> Iterator[list[Array]]:
    """The values in the shapes and dtypes of those that they replace, in each form of a level."""
    if len({value.shape for value in given}) > 1:
        if level == 0 and (arrays := _by_shape(given, current)):
            yield arrays
        return
    for view in _views(given[0].shape, current[0].shape, level, orders):
        arrays = [cast_views(view(value), mine) for value, mine in zip(given, current, strict=True)]
        fitting = [array for array in arrays if array is not None]
        if len(fitting) == len(arrays):
            yield fitting
            if level == 0 and all(array.dtype == np.bool_ for array in fitting):
                yield [~array for array in fitting]


def _by_shape(given: Sequence[Array], current: Sequence[Array]) -> list[Array] | None:
    """Values of several shapes, each where the next value of its shape is; None if they do not fit."""
    left, found = list(given), list[Array]()
    for mine in current:
        fitting = [at for at, value in enumerate(left) if plain_views(value.shape, mine.shape)]
        if not fitting:
            return None
        value = left.pop(next((at for at in fitting if left[at].shape == mine.shape), fitting[0]))
        array = cast_views(plain_views(value.shape, mine.shape)[0](value), mine)
        if array is None:
            return None
        found.append(array)
    return found


def _views(given: Shape, due: Shape, level: int, orders: Orders) -> Iterator[View]:
    views: Sequence[View] = LEVELS[level](given, due)
    if level != ORDERED:
        yield from views
        return
    for view in views[:1]:
        yield view  # where the channels are few, the orders are the same
        for axis, length in enumerate(given):
            for order in orders.get(length, ()):
                yield lambda x, axis=axis, order=order, view=view: view(x.take(order, axis))
