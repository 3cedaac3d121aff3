"""The steps of a reference: what its operations give on a case, in the forms of an answer, and packed as bytes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from grader.values import frames
from grader.values.arrays import STEPS_CLOSE, Array
from grader.values.codec import from_frame, to_frame
from grader.values.decode import Malformed

View = Callable[[Array], Array]
Shape = tuple[int, ...]

MOST_AXES_TRANSPOSED = 4
"""Arrays with more axes that are longer than one are not transposed."""


@lru_cache(maxsize=4096)
def plain_views(given: Shape, due: Shape) -> tuple[View, ...]:
    """The views of an array of a shape in another shape, with all its elements, the plainest first."""
    return tuple(_plain(given, due))


def _plain(given: Shape, due: Shape) -> Iterator[View]:
    kept, wanted = [n for n in given if n != 1], [n for n in due if n != 1]
    if sorted(kept) != sorted(wanted):
        if np.prod(given) == np.prod(due) and is_joined_shape(kept, wanted):
            yield lambda x: x.reshape(due)  # axes that are joined, or cut
        return
    if len(kept) > MOST_AXES_TRANSPOSED:
        return
    for order in itertools.permutations(range(len(kept))):
        if [kept[axis] for axis in order] == wanted:
            yield lambda x, order=order: x.reshape(kept).transpose(order).reshape(due)


def is_joined_shape(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether one shape is the other with neighbouring axes joined."""
    fine, coarse = (first, second) if len(first) >= len(second) else (second, first)
    rest = iter(fine)
    for length in coarse:
        product = 1
        while product < length:
            product *= next(rest, length + 1)
        if product != length:
            return False
    return True


@lru_cache(maxsize=4096)
def part_views(given: Shape, due: Shape) -> tuple[View, ...]:
    """The views of halves of an axis: its even and odd places, its first and second half."""
    found: list[View] = []
    if np.prod(given) != 2 * np.prod(due):
        return ()
    for axis, length in enumerate(given):
        if length % 2:
            continue
        half = length // 2
        for cut in (slice(0, None, 2), slice(1, None, 2), slice(0, half), slice(half, None)):
            at = (*[slice(None)] * axis, cut)
            cut_shape = (*given[:axis], half, *given[axis + 1 :])
            found += [lambda x, at=at, view=view: view(x[at]) for view in plain_views(cut_shape, due)[:2]]
    return tuple(found)


@lru_cache(maxsize=4096)
def spread_views(given: Shape, due: Shape) -> tuple[View, ...]:
    """The views that repeat an array along axes. An array of another shape may also stay as it is if it could still fit."""
    if given == due or not given or np.prod(given) == np.prod(due) == 1:
        return ()
    if not due:
        return (lambda x: x,)
    found: list[View] = []
    if np.prod(given) == np.prod(due):
        return (lambda x: x, lambda x: x.reshape(due))
    if len(given) == len(due) and all(1 in (n, m) or n == m for n, m in zip(given, due, strict=True)):
        found.append(lambda x: x)
    if np.prod(given) < np.prod(due):
        if len(given) <= len(due) and all(n in (1, m) for n, m in zip(given[::-1], due[::-1], strict=False)):
            found.append(lambda x: np.broadcast_to(x, due))
        if len(given) < len(due) and all(n in (1, m) for n, m in zip(given, due, strict=False)):
            column = (*given, *[1] * (len(due) - len(given)))
            found.append(lambda x: np.broadcast_to(x.reshape(column), due))
    return tuple(found)


def cast_views(value: Array, like: Array) -> Array | None:
    """A value in the dtype of another one; None where it does not fit: 0.5 is no integer, and 2 is no truth value."""
    if value.dtype == like.dtype:
        return value
    if like.dtype.kind == "c" or value.dtype.kind == "c":
        return None
    if like.dtype.kind == "f":
        return value.astype(like.dtype)
    with np.errstate(all="ignore"):
        changed = value.astype(like.dtype)
    return changed if np.array_equal(changed, value) else None


Steps = Mapping[str, Array]
"""For each name, the values each time that the operation was evaluated: the first axis counts them.

A name is `line:column:operation:output:form`, where `form` counts the shapes that the operation gave.
"""

WITHOUT_DERIVATIVES = "0:0:without-derivatives:0:0"
"""The name under which the steps of a reference that takes a derivative say which of its results depend on none: truth
values of shape (1, n). It is no step."""


def spoiled(outputs: Sequence[Array]) -> list[Array]:
    """Values with NaN in the place of each number that is not whole: what depends on them is NaN too."""
    return [np.full_like(output, np.nan) if output.dtype.kind in "fc" else output for output in outputs]


MOST_EVALUATIONS_APART = 12
"""An operation that is evaluated more often gives all its values at once, or the last one."""

MOVES = frozenset(
    (
        *("broadcast_in_dim", "concatenate", "convert_element_type", "copy", "dynamic_slice", "dynamic_update_slice"),
        *(
            "expand_dims",
            "gather",
            "pad",
            "reshape",
            "reshard",
            "rev",
            "scatter",
            "select_n",
            "slice",
            "split",
            "squeeze",
        ),
        *("stack", "stop_gradient", "transpose", "unstack"),
        *("shard", "unshard", "device_all_gather", "device_ppermute", "device_all_to_all"),
    )
)
"""Operations that only move values, or choose among them."""

MOST_VALUES_KNOWN = 64
"""Of an operation that is evaluated more often, only this many values count."""

LARGEST_TRANSPOSED = 4_096
"""The axes of a larger array are known in one order only."""


@dataclass(frozen=True)
class StepPick:
    """A choice of values of one step.

    `how` is the number of one row; "all" for the rows as one array; "each" for one row for each evaluation of the place,
    of this step or of all forms of its operation; "cut" for one row whose first axis is shared out among the evaluations;
    or "same" for one row in all evaluations.
    """

    step: str
    how: int | str

    def of(self, steps: Steps, count: int | None) -> list[Array] | None:
        """The values on a case, one for each of `count` evaluations (None: only one changes); None if there are none."""
        rows = steps.get(self.step)
        if rows is None:
            return None
        times = len(rows)
        match self.how:
            case int(row):
                return [rows[row]] if -times <= row < times and count is None else None
            case "all":
                return [rows] if count is None else None
            case "each":
                return list(rows) if times == count else _of_all_forms(self.step, steps, count)
            case "cut":
                return list(rows[0]) if times == 1 and rows.ndim > 1 and rows.shape[1] == count else None
            case _:
                return [rows[0]] * count if times == 1 and count is not None else None


def _of_all_forms(step: str, steps: Steps, count: int | None) -> list[Array] | None:
    """The rows of all forms of an operation, if there are `count` of them: layers of several widths give several forms."""
    operation = step.rpartition(":")[0]
    every = [
        row
        for number in itertools.takewhile(lambda at: f"{operation}:{at}" in steps, itertools.count())
        for row in steps[f"{operation}:{number}"]
    ]
    return every if len(every) == count else None


def picks_of_one(steps: Steps) -> Iterator[StepPick]:
    """The choices where one value changes."""
    for name, rows in steps.items():
        if len(rows) <= MOST_EVALUATIONS_APART:
            yield from (StepPick(name, row) for row in range(len(rows)))
        else:
            yield StepPick(name, -1)
        if len(rows) > 1:
            yield StepPick(name, "all")


def picks_of_many(steps: Steps, count: int) -> Iterator[StepPick]:
    """The choices where `count` values change at once."""
    for name, rows in steps.items():
        if len(rows) == count or (name.endswith(":0") and _of_all_forms(name, steps, count)):
            yield StepPick(name, "each")
        if len(rows) == 1:
            if rows.ndim > 1 and rows.shape[1] == count:
                yield StepPick(name, "cut")
            yield StepPick(name, "same")


class Occurring:
    """The values of the steps of one case, and their halves (see `part_views`).

    Arrays that differ in rounding, in their sign or in the order of their axes count as one.
    """

    def __init__(self, steps: Steps) -> None:
        found: dict[tuple[int, int], list[tuple[float, float]]] = {}
        weighted: dict[tuple[int, int], list[tuple[float, float]]] = {}
        self._shapes: dict[tuple[int, int], list[list[int]]] = {}
        for rows in steps.values():
            for value in (rows, *rows[:MOST_VALUES_KNOWN], *_halves(rows[0])):
                form, sums = _summary(value)
                found.setdefault(form, []).append(sums)
                for turned in _turned(value):
                    weighted.setdefault(form, []).append((_weighted(turned), sums[1]))
                    self._shapes.setdefault(form, []).append(_long_axes(turned))
        self._sums = {form: np.array(listed) for form, listed in found.items()}
        self._weighted = {form: np.array(listed) for form, listed in weighted.items()}

    def in_place(self, value: Array, *, of_shape: bool = False) -> bool:
        """Whether a value that occurs has its elements where they belong: axes of the same length are not exchanged.

        Args:
            of_shape: whether its axes must also be cut as they are there. Axes that are joined are no other cut.
        """
        if value.size < 2 or bool(np.all(value == value.flat[0])):
            return True
        form, (_, squares) = _summary(value)
        known = self._weighted.get(form)
        if known is None:
            return False
        near = np.flatnonzero(_near(known[:, 0], known[:, 1], _weighted(value), squares, value.size))
        shapes, own = self._shapes[form], _long_axes(value)
        return near.size > 0 and (not of_shape or any(is_joined_shape(own, shapes[at]) for at in near))

    def holds(self, value: Array) -> bool:
        """Whether a value occurs. One number again and again occurs everywhere."""
        if value.size == 0 or ((value.size > 1 or value.dtype.kind in "iub") and bool(np.all(value == value.flat[0]))):
            return True
        form, (total, squares) = _summary(value)
        known = self._sums.get(form)
        if known is None:
            return False
        return bool(np.any(_near(known[:, 0], known[:, 1], total, squares, value.size)))


def same_values(array: Array, other: Array) -> bool:
    """Whether one array is the other with its axes in another order, up to rounding and the sign."""
    (form, (total, squares)), (other_form, (other_total, other_squares)) = _summary(array), _summary(other)
    return form == other_form and bool(_near(total, squares, other_total, other_squares, array.size))


def _near(total: Any, squares: Any, other_total: float, other_squares: float, size: int) -> Any:
    # The sum is compared with the largest one that numbers with these squares can have.
    near = np.abs(total - other_total) <= STEPS_CLOSE * np.sqrt(other_squares * size)
    return near & (np.abs(squares - other_squares) <= STEPS_CLOSE * other_squares)


@np.errstate(over="ignore")
def _summary(value: Array) -> tuple[tuple[int, int], tuple[float, float]]:
    wide = value.astype(np.float64) if value.dtype.kind in "fiub" else np.abs(value).astype(np.float64)
    finite = np.isfinite(wide)
    clean = wide if finite.all() else np.where(finite, wide, 0.0)
    return (value.size, int(finite.sum())), (abs(float(clean.sum())), float((clean * clean).sum()))


def _weighted(value: Array) -> float:
    """The sum of the elements with weights that depend on their places: the order counts, and the sign does not."""
    flat = np.where(np.isfinite(value), value, 0).reshape(-1)
    return abs(complex(flat @ np.cos(np.arange(1.0, 1.0 + flat.size))))


def _turned(value: Array) -> Iterator[Array]:
    """An array with its axes in every order that its shape shows."""
    axes = [axis for axis, length in enumerate(value.shape) if length > 1]
    yield value
    if len(axes) in (2, 3) and 0 < value.size <= LARGEST_TRANSPOSED:
        kept = value.reshape([value.shape[axis] for axis in axes])
        for order in itertools.permutations(range(len(axes))):
            moved = [at for at, axis in enumerate(order) if at != axis]
            if moved and len({kept.shape[at] for at in moved}) == len(moved):
                yield kept.transpose(order)


def _long_axes(value: Array) -> list[int]:
    return [length for length in value.shape if length != 1]


def _halves(value: Array) -> Iterator[Array]:
    for axis, length in enumerate(value.shape):
        if length % 2 == 0 and value.size > 2:
            moved = np.moveaxis(value, axis, 0)
            yield from (moved[::2], moved[1::2], moved[: length // 2], moved[length // 2 :])


def size_of(steps: Sequence[Steps]) -> int:
    """The bytes of the steps of all cases."""
    return sum(rows.nbytes for step in steps for rows in step.values())


LARGEST_STEPS = 1 << 27
"""The most bytes of the steps of all cases, unpacked."""

LEVEL = 6
"""How hard zlib tries. Most bytes are those of float64, which no level makes much smaller."""


@dataclass(frozen=True)
class Packed:
    """The steps of some cases as bytes. `cases` are the indices of these cases."""

    data: bytes
    cases: tuple[int, ...]


def packed(steps: Sequence[Steps]) -> bytes:
    """The steps of some cases as compressed bytes.

    Raises:
        Malformed: if they are too many for a frame.
    """
    return frames.pack(*to_frame({"steps": list(steps)}), level=LEVEL)


def unpacked(data: bytes) -> list[Steps]:
    """The inverse of `packed`.

    Raises:
        Malformed: if the bytes are not those of steps, or hold too many of them.
    """
    header, arrays = frames.unpack(data, LARGEST_STEPS)
    steps: list[Steps] = [*from_frame(list[dict[str, Array]], header.get("steps"), arrays)]
    if not all(len(rows.shape) and len(rows) for rows in arrays):
        raise Malformed("its arrays are not those of steps")
    return steps
