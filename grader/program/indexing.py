"""Rules for operations that gather, scatter, sort, pad and cut: the arguments of their parameters are plain lists.

What each does is defined by XLA's operation semantics (Gather, Scatter, Pad, Sort). The tests compare them with JAX's own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.values.arrays import Array

Dimensions = Mapping[str, Sequence[int]]


def gather(
    operand: Array,
    indices: Array,
    *,
    dimension_numbers: Dimensions,
    slice_sizes: Sequence[int],
    mode: str,
    fill_value: Any,
) -> Array:
    """A slice of the operand for each row of the indices.

    `mode` says what a slice outside of the operand is: moved inside (`CLIP`, `PROMISE_IN_BOUNDS`), or filled.
    """
    offset, collapsed, start_map, batch, index_batch = (
        list(dimension_numbers[name])
        for name in (
            *("offset_dims", "collapsed_slice_dims", "start_index_map"),
            *("operand_batching_dims", "start_indices_batching_dims"),
        )
    )
    rows = indices.shape[:-1]
    full, inside = _places(operand.shape, indices, start_map, slice_sizes, batch, index_batch)
    kept = [axis for axis in range(operand.ndim) if axis not in collapsed and axis not in batch]
    # Axes: first those of the rows, then those of the slice that are kept.
    at = [
        place.reshape(*rows, *(slice_sizes[axis] if axis == dimension else 1 for axis in kept))
        if dimension in kept
        else place.reshape(*rows, *[1] * len(kept))
        for dimension, place in enumerate(full)
    ]
    taken = operand[tuple(at)] if at else np.broadcast_to(operand, rows)
    if mode == "FILL_OR_DROP":
        fill = _fill(operand.dtype) if fill_value is None else fill_value
        taken = np.where(inside.reshape(*rows, *[1] * len(kept)), taken, np.asarray(fill, operand.dtype))
    rank = len(rows) + len(kept)
    order, row_axes = [0] * rank, iter(range(len(rows)))
    for axis in range(rank):
        order[axis] = len(rows) + offset.index(axis) if axis in offset else next(row_axes)
    return taken.transpose(order)


def _fill(dtype: np.dtype[Any]) -> Any:
    if dtype.kind in "fc":
        return np.nan
    if dtype.kind == "b":
        return True
    return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max


def _places(
    shape: Sequence[int],
    indices: Array,
    start_map: Sequence[int],
    sizes: Sequence[int],
    batch: Sequence[int],
    index_batch: Sequence[int],
) -> tuple[list[Array], Array]:
    """For each axis of the operand the indices of each row's slice, moved inside; and which slices were inside before."""
    rows = indices.shape[:-1]
    inside = np.ones(rows, np.bool_)
    places: list[Array] = []
    for axis, length in enumerate(shape):
        start = np.zeros(rows, np.int64)
        if axis in start_map:
            start = indices[..., start_map.index(axis)].astype(np.int64)
        elif axis in batch:
            along = index_batch[batch.index(axis)]
            start = np.broadcast_to(
                np.arange(rows[along]).reshape([-1 if index_axis == along else 1 for index_axis in range(len(rows))]),
                rows,
            )
        last = length - sizes[axis]
        inside &= (start >= 0) & (start <= last)
        places.append(np.clip(start, 0, max(last, 0))[..., None] + np.arange(sizes[axis]))
    return places, inside


def scatter(
    operand: Array, indices: Array, updates: Array, *, dimension_numbers: Dimensions, mode: str, combine: str = ""
) -> Array:
    """The operand with slices replaced by the updates, or combined with them (`add`, `multiply`, `minimum`, `maximum`)."""
    window, inserted, to_operand, batch, index_batch = (
        list(dimension_numbers[name])
        for name in (
            *("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims"),
            *("operand_batching_dims", "scatter_indices_batching_dims"),
        )
    )
    kept = [axis for axis in range(operand.ndim) if axis not in inserted and axis not in batch]
    sizes = [1] * operand.ndim
    for axis, update_axis in zip(kept, window, strict=True):
        sizes[axis] = updates.shape[update_axis]
    full, inside = _places(operand.shape, indices, to_operand, sizes, batch, index_batch)
    row_axes = [axis for axis in range(updates.ndim) if axis not in window]
    ordered = updates.transpose([*row_axes, *window])
    # Axes: first one for all rows that are written, then those of the windows.
    written = inside if mode != "CLIP" else np.ones_like(inside)
    window_axes = range(operand.ndim)
    at = tuple(
        place[written].reshape(-1, *(sizes[axis] if axis == dimension else 1 for axis in window_axes))
        for dimension, place in enumerate(full)
    )
    values = ordered[written].reshape(-1, *sizes)
    result = operand.copy()
    if combine:
        getattr(np, combine).at(result, at, values)
    else:
        result[at] = values
    return result


def pad(operand: Array, value: Array, *, padding_config: Sequence[Sequence[int]]) -> Array:
    """Values added before, after and between those of each axis; negative numbers cut."""
    lengths = [
        low + high + n + max(n - 1, 0) * between
        for n, (low, high, between) in zip(operand.shape, padding_config, strict=True)
    ]
    result = np.full([max(length, 0) for length in lengths], value, operand.dtype)
    to: list[slice] = []
    of: list[slice] = []
    for n, length, (low, _, between) in zip(operand.shape, lengths, padding_config, strict=True):
        step = between + 1
        first = max(0, math.ceil(-low / step))
        last = min(n, math.ceil((length - low) / step))
        of.append(slice(first, max(last, first)))
        to.append(
            slice(low + first * step, low + max(last - 1, first - 1) * step + 1, step) if last > first else slice(0, 0)
        )
    result[tuple(to)] = operand[tuple(of)]
    return result


def sort(*operands: Array, dimension: int, is_stable: bool, num_keys: int) -> tuple[Array, ...]:
    """All operands in the order of the first `num_keys`; NaN comes last. The order of equal keys is kept."""
    # Zeros of both signs are equal for NumPy; for XLA's total order they are as well, since JAX canonicalises them.
    order = np.lexsort(operands[num_keys - 1 :: -1] if num_keys > 1 else operands[:1], axis=dimension)
    return tuple(np.take_along_axis(operand, order, axis=dimension) for operand in operands)


def top_k(operand: Array, *, k: int, axis: int) -> tuple[Array, Array]:
    """The largest values in descending order, and their indices; of equal values the first comes first."""
    if operand.dtype.kind == "f":
        # In JAX's order NaN is the largest, and 0.0 is larger than -0.0.
        order = np.lexsort((np.signbit(operand), -operand, ~np.isnan(operand)), axis=axis)
    else:
        order = np.lexsort((-operand.astype(np.int64),), axis=axis)
    indices = np.take(order, np.arange(k), axis=axis)
    return np.take_along_axis(operand, indices, axis=axis), indices.astype(np.int32)


def split(operand: Array, *, sizes: Sequence[int], axis: int) -> tuple[Array, ...]:
    """The operand cut into parts along an axis."""
    return tuple(np.split(operand, np.cumsum(sizes)[:-1], axis=axis))


def unstack(operand: Array, *, axis: int) -> tuple[Array, ...]:
    """The rows of the operand along an axis."""
    return tuple(np.take(operand, index, axis=axis) for index in range(operand.shape[axis]))


def where_first(which: Array, array: Array, other: Array) -> Array:
    """Rows of one array or another; `which` has the first axes of both."""
    return (
        array if which.all() else np.where(which.reshape(which.shape + (1,) * (array.ndim - which.ndim)), array, other)
    )
