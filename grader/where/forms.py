"""The forms in which a value of the reference may stand in an answer: other axes, halves of an axis, another shape."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from grader.marking.comparison import Array

View = Callable[[Array], Array]
Shape = tuple[int, ...]

MOST_AXES_TRANSPOSED = 4
"""Arrays with more axes that are longer than one are not transposed."""


@lru_cache(maxsize=4096)
def plain(given: Shape, due: Shape) -> tuple[View, ...]:
    """The views of an array of a shape in another shape, with all its elements, the plainest first."""
    return tuple(_plain(given, due))


def _plain(given: Shape, due: Shape) -> Iterator[View]:
    kept, wanted = [n for n in given if n != 1], [n for n in due if n != 1]
    if sorted(kept) != sorted(wanted):
        if np.prod(given) == np.prod(due) and joined(kept, wanted):
            yield lambda x: x.reshape(due)  # axes that are joined, or cut
        return
    if len(kept) > MOST_AXES_TRANSPOSED:
        return
    for order in itertools.permutations(range(len(kept))):
        if [kept[axis] for axis in order] == wanted:
            yield lambda x, order=order: x.reshape(kept).transpose(order).reshape(due)


def joined(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether one shape is the other with neighbouring axes joined."""
    fine, coarse = (one, other) if len(one) >= len(other) else (other, one)
    rest = iter(fine)
    for length in coarse:
        product = 1
        while product < length:
            product *= next(rest, length + 1)
        if product != length:
            return False
    return True


@lru_cache(maxsize=4096)
def parts(given: Shape, due: Shape) -> tuple[View, ...]:
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
            found += [lambda x, at=at, view=view: view(x[at]) for view in plain(cut_shape, due)[:2]]
    return tuple(found)


@lru_cache(maxsize=4096)
def spread(given: Shape, due: Shape) -> tuple[View, ...]:
    """The views that repeat an array along axes. An array of another shape may also stay as it is if it could still fit."""
    if given == due or not given or np.prod(given) == np.prod(due) == 1:
        return ()
    if not due:
        return (lambda x: x,)
    found: list[View] = []
    if np.prod(given) == np.prod(due):
        return (lambda x: x, lambda x: x.reshape(due))
    if len(given) == len(due) and all(1 in (one, other) or one == other for one, other in zip(given, due, strict=True)):
        found.append(lambda x: x)
    if np.prod(given) < np.prod(due):
        if len(given) <= len(due) and all(n in (1, m) for n, m in zip(given[::-1], due[::-1], strict=False)):
            found.append(lambda x: np.broadcast_to(x, due))
        if len(given) < len(due) and all(n in (1, m) for n, m in zip(given, due, strict=False)):
            column = (*given, *[1] * (len(due) - len(given)))
            found.append(lambda x: np.broadcast_to(x.reshape(column), due))
    return tuple(found)


def cast(value: Array, like: Array) -> Array | None:
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
