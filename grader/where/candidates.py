"""The values of the reference that may belong in a place: by their shapes, the plainest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from grader.marking.comparison import Array
from grader.program.data import Equation, Literal
from grader.where.forms import Shape, View, cast, parts, plain, spread
from grader.where.orders import NONE, Orders
from grader.where.steps import Pick, Steps, picks_of_many, picks_of_one

LEVELS = (plain, parts, spread, plain)
"""The forms that are tried, in this order. The last are plain forms with the places of an axis in another order."""
ORDERED = len(LEVELS) - 1


class Candidates:
    """The steps of one case by their shapes."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._known: dict[int | None, dict[Shape, list[tuple[Pick, list[Array]]]]] = {}

    def near(self, count: int | None, due: Shape, level: int) -> Iterator[tuple[Pick, list[Array]]]:
        """The choices for `count` values of a shape that have views in it. None: one value changes."""
        for shape, listed in self._by_shape(count).items():
            if LEVELS[level](shape, due):
                yield from listed

    def _by_shape(self, count: int | None) -> dict[Shape, list[tuple[Pick, list[Array]]]]:
        if count not in self._known:
            found = self._known[count] = {}
            for pick in picks_of_one(self._steps) if count is None else picks_of_many(self._steps, count):
                values = pick.of(self._steps, count)
                for shape in dict.fromkeys(one.shape for one in values or ()):
                    found.setdefault(shape, []).append((pick, values or []))
        return self._known[count]

    @cached_property
    def _numbers(self) -> list[tuple[Pick, float]]:
        """The numbers that occur, each once."""
        found: dict[float, Pick] = {}
        for shape, listed in self._by_shape(None).items():
            if not int(np.prod(shape)) > 1:
                for pick, values in listed:
                    if values[0].size and values[0].dtype.kind in "fiu":
                        found.setdefault(float(values[0].reshape(())), pick)
        return [(pick, number) for number, pick in found.items() if not np.isnan(number)]

    def constants(self, equation: Equation) -> Iterator[tuple[int, Pick]]:
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
    if len({one.shape for one in given}) > 1:
        if level == 0 and (arrays := _by_shape(given, current)):
            yield arrays
        return
    for view in _views(given[0].shape, current[0].shape, level, orders):
        arrays = [cast(view(value), mine) for value, mine in zip(given, current, strict=True)]
        fitting = [one for one in arrays if one is not None]
        if len(fitting) == len(arrays):
            yield fitting
            if level == 0 and all(one.dtype == np.bool_ for one in fitting):
                yield [~one for one in fitting]


def _by_shape(given: Sequence[Array], current: Sequence[Array]) -> list[Array] | None:
    """Values of several shapes, each where the next value of its shape is; None if they do not fit."""
    left, found = list(given), list[Array]()
    for mine in current:
        fitting = [at for at, one in enumerate(left) if plain(one.shape, mine.shape)]
        if not fitting:
            return None
        value = left.pop(next((at for at in fitting if left[at].shape == mine.shape), fitting[0]))
        array = cast(plain(value.shape, mine.shape)[0](value), mine)
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
