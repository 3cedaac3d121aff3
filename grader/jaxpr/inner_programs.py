"""Programs inside a program as ordinary ones: what a `shard_map` runs on each device, and a Pallas kernel."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core

from grader.jaxpr import compat

Stacked = jax.Array
"""What all devices hold: the device is the first axis, in the order of the mesh."""


def program_of_shard_map(eqn: Any) -> core.ClosedJaxpr:
    """A program with the inputs and outputs of a `shard_map`, without devices.

    Raises:
        ProblemError: where it holds an operation whose form is not known, or one that cannot be written so.
    """
    try:
        mesh, specs, gathered = (eqn.params[name] for name in ("mesh", "in_specs", "out_specs"))
    except KeyError as error:
        raise compat.unknown(eqn, f"it has no parameter {error}") from error
    devices = Devices(dict(mesh.shape))

    def whole(*inputs: Any) -> list[Any]:
        held = [devices.cut(input_, spec) for input_, spec in zip(inputs, specs, strict=True)]
        outputs = devices.run(eqn.params["jaxpr"], held)
        return [devices.joined(output, spec) for output, spec in zip(outputs, gathered, strict=True)]

    return jax.make_jaxpr(whole)(*(atom.aval for atom in eqn.invars))


class Devices:
    """The devices of a mesh, as sizes by the names of its axes. Without an axis it is one device."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.names, self.sizes = tuple(sizes), tuple(sizes.values())
        self.count = math.prod(self.sizes)

    def axes(self, names: Any) -> list[int]:
        """The axes of the mesh that a collective or a dimension names."""
        given = () if names is None else (names,) if isinstance(names, str) else tuple(names)
        return [self.names.index(name) for name in given]

    def cut(self, array: Any, spec: Any) -> Stacked:
        """What each device holds of an array that is cut along the dimensions that a spec names."""
        named = [self.axes(spec[axis]) if axis < len(spec) else [] for axis in range(array.ndim)]
        parts = [[*(self.sizes[axis] for axis in axes), -1] for axes in named]
        inside = array.reshape(
            [
                size if part < 0 else part
                for sizes, size in zip(parts, self._local(array.shape, named), strict=True)
                for part in sizes
            ]
        )
        order = [device_axis for axes in named for device_axis in (*axes, -1)]
        device = [order.index(device_axis) for device_axis in range(len(self.sizes)) if device_axis in order]
        local = [axis for axis, device_axis in enumerate(order) if device_axis < 0]
        moved = inside.transpose(*device, *local)
        shape = [size if index in order else 1 for index, size in enumerate(self.sizes)]
        whole = [*self.sizes, *moved.shape[len(device) :]]
        return jnp.broadcast_to(moved.reshape(*shape, *moved.shape[len(device) :]), whole).reshape(
            self.count, *whole[len(self.sizes) :]
        )

    def joined(self, held: Stacked, spec: Any) -> Any:
        """The array whose parts the devices hold. Of copies, the first is taken."""
        local = held.shape[1:]
        named = [self.axes(spec[axis]) if axis < len(spec) else [] for axis in range(len(local))]
        used = [device_axis for axes in named for device_axis in axes]
        inside = held.reshape(*self.sizes, *local)
        for device_axis in reversed(range(len(self.sizes))):
            if device_axis not in used:
                inside = inside[(slice(None),) * device_axis + (0,)]
        kept = sorted(used)
        order: list[int] = []
        for axis, axes in enumerate(named):
            order += [*(kept.index(device_axis) for device_axis in axes), len(kept) + axis]
        whole = [
            size * math.prod(self.sizes[device_axis] for device_axis in axes)
            for size, axes in zip(local, named, strict=True)
        ]
        return inside.transpose(*order).reshape(whole)

    def _local(self, shape: Sequence[int], named: Sequence[Sequence[int]]) -> list[int]:
        return [size // math.prod(self.sizes[axis] for axis in axes) for size, axes in zip(shape, named, strict=True)]

    def run(self, program: Any, inputs: Sequence[Stacked]) -> list[Stacked]:
        """The outputs of a program that all devices run at the same time."""
        jaxpr, consts = compat.open_program(program)
        env: dict[Any, Stacked] = dict(zip(jaxpr.invars, inputs, strict=True))
        env.update(zip(jaxpr.constvars, map(self.everywhere, consts), strict=True))

        def value(atom: Any) -> Stacked:
            held = isinstance(atom, core.Literal)
            return self.everywhere(jnp.asarray(atom.val, compat.form_of(atom.aval)[0])) if held else env[atom]

        for eqn in jaxpr.eqns:
            if compat.only_shows(eqn):
                continue
            with compat.made_as(eqn):
                made = self.together(eqn, [value(atom) for atom in eqn.invars])
                env.update(zip(eqn.outvars, self.apart(program, eqn, env) if made is None else made, strict=True))
        return [value(atom) for atom in jaxpr.outvars]

    def everywhere(self, value: Any) -> Stacked:
        return jnp.broadcast_to(value, (self.count, *jnp.shape(value)))

    def together(self, eqn: Any, inputs: Sequence[Stacked]) -> Sequence[Stacked] | None:
        """The outputs of an equation in which devices may communicate; None for another one."""
        name = eqn.primitive.name
        if name in _AS_IT_IS:
            return inputs
        if name in _COLLECTIVES:
            return self.collective(eqn, _COLLECTIVES[name], inputs)
        inside = any(map(_communicates, compat.inner_jaxprs(eqn)))
        if compat.is_call(eqn) and (inside or not compat.sampler(eqn)):
            return self.run(compat.called_program(eqn), inputs)
        if not inside:
            return None
        match name:
            case "scan":
                return self.scan(compat.scan(eqn), inputs)
            case "while":
                return self.loop(compat.while_loop(eqn), inputs)
            case "cond":
                made = [self.run(branch, inputs[1:]) for branch in compat.branches(eqn)]
                return [jax.vmap(jax.lax.select_n)(inputs[0], *chosen) for chosen in zip(*made, strict=True)]
            case _:
                raise compat.unknown(eqn, "devices communicate inside it")

    def apart(self, program: Any, eqn: Any, env: Mapping[Any, Stacked]) -> Sequence[Stacked]:
        """The outputs of an equation that each device evaluates for itself."""
        variables = list(dict.fromkeys(atom for atom in eqn.invars if not isinstance(atom, core.Literal)))
        alone = core.jaxpr_as_fun(compat.part_of(program, variables, [eqn], eqn.outvars))
        if not variables:
            return [self.everywhere(output) for output in alone()]
        return jax.vmap(alone)(*(env[variable] for variable in variables))

    def scan(self, scan: compat.Scan, inputs: Sequence[Stacked]) -> Sequence[Stacked]:
        constants, carry = inputs[: scan.constants], inputs[scan.constants : scan.constants + scan.carried]
        sequences = [jnp.moveaxis(input_, 1, 0) for input_ in inputs[scan.constants + scan.carried :]]

        def body(carried: Sequence[Stacked], slices: Sequence[Stacked]) -> tuple[Sequence[Stacked], Sequence[Stacked]]:
            outputs = self.run(scan.body, [*constants, *carried, *slices])
            return outputs[: scan.carried], outputs[scan.carried :]

        last, rows = jax.lax.scan(body, list(carry), sequences, length=scan.length, reverse=scan.reverse)
        return [*last, *(jnp.moveaxis(row, 0, 1) for row in rows)]

    def loop(self, loop: compat.While, inputs: Sequence[Stacked]) -> Sequence[Stacked]:
        """A device whose condition no longer holds keeps its state."""
        first, second = loop.condition_constants, loop.condition_constants + loop.body_constants
        asked, constants, start = inputs[:first], inputs[first:second], inputs[second:]

        def goes_on(state: Sequence[Stacked]) -> Stacked:
            return self.run(loop.condition, [*asked, *state])[0]

        def body(state: Sequence[Stacked]) -> Sequence[Stacked]:
            made = self.run(loop.body, [*constants, *state])
            keep = jax.vmap(jnp.where, in_axes=(0, 0, 0))
            return [keep(goes_on(state), new, old) for new, old in zip(made, state, strict=True)]

        return jax.lax.while_loop(lambda state: goes_on(state).any(), body, list(start))

    def collective(self, eqn: Any, function: Callable[..., Any], inputs: Sequence[Stacked]) -> list[Stacked]:
        parameters = eqn.params
        if parameters.get("axis_index_groups") is not None:
            raise compat.unknown(eqn, "it has groups of devices")
        axes = self.axes(parameters["axes"] if "axes" in parameters else parameters["axis_name"])
        sizes = [self.sizes[axis] for axis in axes]
        others = [axis for axis in range(len(self.sizes)) if axis not in axes]
        outputs: list[Stacked] = []
        # The axes that it names come first, as one: the first named is the slow one.
        for held in inputs or [self.everywhere(jnp.int32(0))]:
            grid = held.reshape(*self.sizes, *held.shape[1:])
            order = [*axes, *others, *range(len(self.sizes), grid.ndim)]
            first = grid.transpose(*order).reshape(math.prod(sizes), -1, *held.shape[1:])
            made = jax.vmap(lambda group: function(group, parameters), in_axes=1, out_axes=1)(first)
            back = made.reshape(*sizes, *(self.sizes[other] for other in others), *made.shape[2:])
            inverse = sorted(range(len(self.sizes)), key=[*axes, *others].__getitem__)
            outputs.append(
                back.transpose(*inverse, *range(len(self.sizes), back.ndim)).reshape(self.count, *made.shape[2:])
            )
        return outputs


def _communicates(jaxpr: Any) -> bool:
    names = {eqn.primitive.name for eqn in jaxpr.eqns}
    return not names.isdisjoint({*_COLLECTIVES, *_AS_IT_IS}) or any(
        _communicates(inner) for eqn in jaxpr.eqns for inner in compat.inner_jaxprs(eqn)
    )


def _of_all(reduce: Callable[..., Any]) -> Callable[..., Any]:
    return lambda held, _: jnp.broadcast_to(reduce(held, axis=0), held.shape)


def _all_gather(held: Stacked, parameters: Mapping[str, Any]) -> Stacked:
    at = parameters["all_gather_dimension"]
    whole = jnp.moveaxis(held, 0, at)
    if parameters["tiled"]:
        whole = whole.reshape(*held.shape[1 : at + 1], -1, *held.shape[at + 2 :])
    return jnp.broadcast_to(whole, (held.shape[0], *whole.shape))


def _reduce_scatter(held: Stacked, parameters: Mapping[str, Any]) -> Stacked:
    at, count = parameters["scatter_dimension"], held.shape[0]
    return _parts(held.sum(0), at, count, tiled=parameters["tiled"])


def _parts(whole: Any, at: int, count: int, *, tiled: bool) -> Stacked:
    """An array in parts along an axis, one for each device."""
    cut = whole.reshape(*whole.shape[:at], count, -1, *whole.shape[at + 1 :])
    if not tiled:
        cut = cut.reshape(whole.shape)
    return jnp.moveaxis(cut, at, 0)


def _permute(held: Stacked, parameters: Mapping[str, Any]) -> Stacked:
    source = {to: given for given, to in parameters["perm"]}
    return jnp.stack([held[source[to]] if to in source else jnp.zeros_like(held[0]) for to in range(len(held))])


def _all_to_all(held: Stacked, parameters: Mapping[str, Any]) -> Stacked:
    split, concat, tiled = (parameters[name] for name in ("split_axis", "concat_axis", "tiled"))
    parts = jax.vmap(lambda own: _parts(own, split, len(held), tiled=tiled))(held).swapaxes(0, 1)
    return jax.vmap(lambda received: _all_gather(received, {"all_gather_dimension": concat, "tiled": tiled})[0])(parts)


def _index(held: Stacked, _: Mapping[str, Any]) -> Stacked:
    return jnp.arange(len(held), dtype=jnp.int32).reshape(-1, *([1] * (held.ndim - 1))) + held


_AS_IT_IS = frozenset(("pvary", "pcast", "pbroadcast", "reshard", "with_memory_space_constraint"))
"""Operations that change only what JAX knows of a value: whether it differs from device to device, and its memory."""

_COLLECTIVES: Mapping[str, Callable[..., Any]] = {
    **dict.fromkeys(("psum", "psum2", "psum_invariant"), _of_all(jnp.sum)),
    "pmax": _of_all(jnp.max),
    "pmin": _of_all(jnp.min),
    **dict.fromkeys(("all_gather", "all_gather_invariant"), _all_gather),
    "reduce_scatter": _reduce_scatter,
    "ppermute": _permute,
    "all_to_all": _all_to_all,
    "axis_index": _index,
}


def program_of_kernel(eqn: Any) -> core.ClosedJaxpr:
    """A program with the inputs and outputs of a `pallas_call`, without a kernel.

    Raises:
        ProblemError: where its kernel or its blocks have a form that is not known.
    """
    kernel, alone = compat.kernel(eqn), Devices({})
    outputs = [variable.aval for variable in eqn.outvars]

    def whole(*inputs: Any) -> list[Any]:
        arrays = [*inputs, *(_unwritten(output.shape, compat.form_of(output)[0]) for output in outputs)]
        held = [_padded(array, block.sizes) for array, block in zip(arrays, kernel.blocks, strict=True)]
        for index in itertools.product(*map(range, kernel.grid)):
            with jax.ensure_compile_time_eval():
                starts = [_start(block, index) for block in kernel.blocks]
            parts = [
                jax.lax.dynamic_slice(array, start, block.sizes).reshape(block.shape)
                for array, start, block in zip(held, starts, kernel.blocks, strict=True)
            ]
            numbers = [jnp.int32(number(index)) for number in kernel.numbers]
            written = [output[0] for output in alone.run(kernel.body, [part[None] for part in (*parts, *numbers)])]
            for number in range(len(inputs), len(held)):
                block = kernel.blocks[number]
                made = written[number].reshape(block.sizes)
                held[number] = jax.lax.dynamic_update_slice(held[number], made, starts[number])
        return [
            jax.lax.slice(array, [0] * array.ndim, aval.shape)
            for array, aval in zip(held[len(inputs) :], outputs, strict=True)
        ]

    return jax.make_jaxpr(whole)(*(atom.aval for atom in eqn.invars))


def _start(block: compat.KernelBlock, index: Sequence[int]) -> list[int]:
    """The first index of a block along each axis."""
    return [int(number) * size for number, size in zip(block.index(*index), block.sizes, strict=True)]


def _padded(array: Any, sizes: Sequence[int]) -> Any:
    """An array with a whole number of blocks."""
    widths = [(0, -array.shape[axis] % size, 0) for axis, size in enumerate(sizes)]
    return jax.lax.pad(array, _unwritten((), array.dtype), widths)


def _unwritten(shape: Sequence[int], dtype: Any) -> Any:
    fill = jnp.nan if jnp.issubdtype(dtype, jnp.inexact) else 0
    return jnp.full(shape, fill, dtype)
