"""What the devices of a `shard_map` do together, in NumPy: the first axis of an array counts them, in the order of the mesh.

`mesh` is the sizes of its axes, and `axes` are some of them, by number. A `spec` lists for each axis of an array those along
which it is cut.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grader.values.arrays import Array

Spec = Sequence[Sequence[int]]

MOST_AXES_OF_A_MESH = 3
"""Of a mesh with more axes, no other specs are listed: there are very many."""


def shard(x: Array, *, mesh: Sequence[int], spec: Spec, argument: Sequence[int]) -> Array:
    """What each device holds of an array that is cut: shape (devices, ...).

    Args:
        argument: which argument of the `shard_map` it is, and of how many. It changes no value.
    """
    del argument
    inside = x.reshape([size for length, axes in zip(x.shape, spec, strict=True) for size in _cut(length, mesh, axes)])
    order = [device for axes in spec for device in (*axes, -1)]
    cut = sorted(device for device in order if device >= 0)
    local = [at for at, device in enumerate(order) if device < 0]
    moved = inside.transpose(*map(order.index, cut), *local)
    sizes = [size if device in cut else 1 for device, size in enumerate(mesh)]
    held = moved.shape[len(cut) :]
    return np.broadcast_to(moved.reshape(*sizes, *held), (*mesh, *held)).reshape(math.prod(mesh), *held)


def _cut(length: int, mesh: Sequence[int], axes: Sequence[int]) -> list[int]:
    sizes = [mesh[axis] for axis in axes]
    return [*sizes, length // math.prod(sizes)]


def unshard(x: Array, *, mesh: Sequence[int], spec: Spec, argument: Sequence[int]) -> Array:
    """The array whose parts the devices hold. Of copies, the first is taken.

    Args:
        argument: which result of the `shard_map` it is, and of how many. It changes no value.
    """
    del argument
    used = sorted(device for axes in spec for device in axes)
    inside = x.reshape(*mesh, *x.shape[1:])[tuple(slice(None) if axis in used else 0 for axis in range(len(mesh)))]
    order = [at for axis, axes in enumerate(spec) for at in (*map(used.index, axes), len(used) + axis)]
    whole = [
        length * math.prod(mesh[device] for device in axes) for length, axes in zip(x.shape[1:], spec, strict=True)
    ]
    return inside.transpose(*order).reshape(whole)


def _in_groups(x: Array, mesh: Sequence[int], axes: Sequence[int], function: Callable[[Array], Array]) -> Array:
    """A function of each group of devices that differ only along some axes of the mesh. The first axis is the slow one."""
    others = [axis for axis in range(len(mesh)) if axis not in axes]
    held, order = x.shape[1:], [*axes, *others]
    first = x.reshape(*mesh, *held).transpose(*order, *range(len(mesh), len(mesh) + len(held)))
    groups = first.reshape(math.prod(mesh[axis] for axis in axes), -1, *held)
    made = np.stack([function(groups[:, group]) for group in range(groups.shape[1])], axis=1)
    back = made.reshape(*(mesh[axis] for axis in order), *made.shape[2:])
    inverse = sorted(range(len(mesh)), key=order.__getitem__)
    return back.transpose(*inverse, *range(len(mesh), back.ndim)).reshape(len(x), *made.shape[2:])


def _of_all(reduce: Callable[..., Array]) -> Callable[..., Array]:
    def rule(x: Array, *, mesh: Sequence[int], axes: Sequence[int]) -> Array:
        return _in_groups(x, mesh, axes, lambda held: np.broadcast_to(reduce(held, axis=0), held.shape))

    return rule


def all_gather(x: Array, *, mesh: Sequence[int], axes: Sequence[int], dimension: int, tiled: bool) -> Array:
    """On each device of a group, what all of them hold, along a dimension."""

    def gathered(held: Array) -> Array:
        whole = _gathered(held, dimension, tiled)
        return np.broadcast_to(whole, (len(held), *whole.shape))

    return _in_groups(x, mesh, axes, gathered)


def _gathered(held: Array, dimension: int, tiled: bool) -> Array:
    whole = np.moveaxis(held, 0, dimension)
    return whole.reshape(*held.shape[1 : dimension + 1], -1, *held.shape[dimension + 2 :]) if tiled else whole


def _parts(whole: Array, dimension: int, count: int, tiled: bool) -> Array:
    """An array in parts along a dimension, one for each device."""
    cut = whole.reshape(*whole.shape[:dimension], count, -1, *whole.shape[dimension + 1 :])
    return np.moveaxis(cut if tiled else cut.reshape(whole.shape), dimension, 0)


def reduce_scatter(x: Array, *, mesh: Sequence[int], axes: Sequence[int], dimension: int, tiled: bool) -> Array:
    """On each device of a group, its part of the sum of what all of them hold, along a dimension."""
    return _in_groups(x, mesh, axes, lambda held: _parts(held.sum(0), dimension, len(held), tiled))


def ppermute(x: Array, *, mesh: Sequence[int], axes: Sequence[int], perm: Spec) -> Array:
    """What each device receives: pairs say who sends to whom. A device to which no other one sends gets zeros."""

    def sent(held: Array) -> Array:
        received = np.zeros_like(held)
        for sender, receiver in perm:
            if max(sender, receiver) < len(held):
                received[receiver] = held[sender]
        return received

    return _in_groups(x, mesh, axes, sent)


def all_to_all(
    x: Array, *, mesh: Sequence[int], axes: Sequence[int], split_axis: int, concat_axis: int, tiled: bool
) -> Array:
    """On each device of a group, its part of what each of them holds, along another dimension."""

    def exchanged(held: Array) -> Array:
        parts = np.stack([_parts(own, split_axis, len(held), tiled) for own in held], axis=1)
        return np.stack([_gathered(received, concat_axis, tiled) for received in parts])

    return _in_groups(x, mesh, axes, exchanged)


def axis_index(*, mesh: Sequence[int], axes: Sequence[int]) -> Array:
    """The number of each device among those that differ only along some axes of the mesh: shape (devices,)."""
    return _in_groups(np.zeros(math.prod(mesh), np.int32), mesh, axes, lambda held: np.arange(len(held)))


def other_specs(spec: Spec, mesh: Sequence[int]) -> Iterator[list[list[int]]]:
    """The specs that cut an array of as many axes in another way, each axis of the mesh along one axis or along none."""
    rank, listed = len(spec), [list(axes) for axes in spec]
    if len(mesh) > MOST_AXES_OF_A_MESH:
        return
    for order in itertools.permutations(range(len(mesh))):
        for cut in itertools.product(range(rank + 1), repeat=len(mesh)):
            other = [[axis for axis in order if cut[axis] == at] for at in range(rank)]
            if other != listed and (order == tuple(sorted(order)) or any(len(axes) > 1 for axes in other)):
                yield other


def other_axes(axes: Sequence[int], mesh: Sequence[int]) -> Iterator[list[int]]:
    """Other axes of a mesh, in every order."""
    for count in range(1, len(mesh) + 1) if len(mesh) <= MOST_AXES_OF_A_MESH else ():
        yield from (
            list(other) for other in itertools.permutations(range(len(mesh)), count) if list(other) != list(axes)
        )


def other_parameters(parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Small changes of one of these operations, as people make them by accident: a parameter, and another value of it."""
    mesh = parameters["mesh"]
    if "spec" in parameters:
        yield from (("spec", spec) for spec in other_specs(parameters["spec"], mesh))
    if "axes" in parameters:
        yield from (("axes", axes) for axes in other_axes(parameters["axes"], mesh))
    if "perm" in parameters:
        yield "perm", [pair[::-1] for pair in parameters["perm"]]


RULES: Mapping[str, Callable[..., Any]] = {
    "shard": shard,
    "unshard": unshard,
    "device_psum": _of_all(np.sum),
    "device_pmax": _of_all(np.max),
    "device_pmin": _of_all(np.min),
    "device_all_gather": all_gather,
    "device_reduce_scatter": reduce_scatter,
    "device_ppermute": ppermute,
    "device_all_to_all": all_to_all,
    "device_axis_index": axis_index,
}
"""The rule of each of these operations."""
