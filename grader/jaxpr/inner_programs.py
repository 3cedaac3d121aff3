"""Programs inside a program as ordinary ones: what a `shard_map` runs on each device, and a Pallas kernel."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Collection, Generator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.program.operations import PARAMETERS, RULES

Stacked = jax.Array
"""What all devices hold: the device is the first axis, in the order of the mesh."""


def program_of_shard_map(eqn: Any, file: str) -> core.ClosedJaxpr:
    """A program with the inputs and outputs of a `shard_map`, with the operations of `grader.program.devices`.

    Raises:
        ProblemError: where it holds an operation whose form is not known, or one that cannot be written so.
    """
    try:
        mesh, specs, gathered = (eqn.params[name] for name in ("mesh", "in_specs", "out_specs"))
    except KeyError as error:
        raise compat.unknown(eqn, f"it has no parameter {error}") from error
    devices = Devices(dict(mesh.shape), file)

    def whole(*inputs: Any) -> list[Any]:
        held = devices.each("shard", inputs, specs, [len(input_.shape) for input_ in inputs])
        outputs = devices.run(eqn.params["jaxpr"], held)
        return devices.each("unshard", outputs, gathered, [len(output.shape) - 1 for output in outputs])

    return jax.make_jaxpr(whole)(*(atom.aval for atom in eqn.invars))


@functools.cache
def _primitive(operation: str) -> core.Primitive:
    """An operation of `grader.program.devices` as one of JAX's: its rule tells the shape of what it gives."""
    primitive = core.Primitive(operation)

    @primitive.def_abstract_eval
    def _(*inputs: Any, **parameters: Any) -> Any:
        shape = RULES[operation](*(np.broadcast_to(np.int8(0), input_.shape) for input_ in inputs), **parameters).shape
        return compat.abstract(shape, *(compat.form_of(inputs[0]) if inputs else (np.dtype(np.int32), False)))

    return primitive


class Devices:
    """The devices of a mesh, as sizes by the names of its axes. Without an axis it is one device.

    Args:
        file: the file whose lines are places.
    """

    def __init__(self, sizes: Mapping[str, int], file: str) -> None:
        self._file, self._traceback = file, None
        self.names, self.sizes = tuple(sizes), tuple(sizes.values())
        self.count = math.prod(self.sizes)

    def axes(self, names: Any) -> tuple[int, ...]:
        """The axes of the mesh that a collective or a dimension names."""
        given = () if names is None else (names,) if isinstance(names, str) else tuple(names)
        return tuple(self.names.index(name) for name in given)

    def each(self, operation: str, arrays: Sequence[Any], specs: Sequence[Any], ranks: Sequence[int]) -> list[Any]:
        """Arrays of some ranks after `shard` or `unshard`, each with its spec."""
        return [
            _primitive(operation).bind(
                array,
                mesh=self.sizes,
                spec=tuple(self.axes(spec[axis]) if axis < len(spec) else () for axis in range(rank)),
                argument=(number, len(arrays)),
            )
            for number, (array, spec, rank) in enumerate(zip(arrays, specs, ranks, strict=True))
        ]

    def run(self, program: Any, inputs: Sequence[Stacked]) -> list[Stacked]:
        """The outputs of a program that all devices run at the same time."""
        jaxpr, consts = compat.open_program(program)
        env: dict[Any, Stacked] = dict(zip(jaxpr.invars, inputs, strict=True))
        env.update(zip(jaxpr.constvars, map(self.everywhere, consts), strict=True))

        def value(atom: Any) -> Stacked:
            held = isinstance(atom, core.Literal)
            return self.everywhere(jnp.asarray(atom.val, compat.form_of(atom.aval)[0])) if held else env[atom]

        shown = [eqn for eqn in jaxpr.eqns if not compat.only_shows(eqn)]
        atoms = [*itertools.chain.from_iterable(eqn.invars for eqn in shown), *jaxpr.outvars]
        read = {atom for atom in atoms if not isinstance(atom, core.Literal)}
        for apart, eqns in itertools.groupby(shown, _is_apart):
            if apart:
                self.apart(program, list(eqns), read, env)
                continue
            for eqn in eqns:
                with self._made_as(eqn):
                    made = self.together(eqn, [value(atom) for atom in eqn.invars])
                    env.update(zip(eqn.outvars, made, strict=True))
        return [value(atom) for atom in jaxpr.outvars]

    @contextlib.contextmanager
    def _made_as(self, eqn: Any) -> Generator[None]:
        """What is traced inside has the lines of an equation, or those of the call that it stands in if it has none."""
        around = self._traceback
        self._traceback = compat.traceback_in(eqn, self._file) or around
        try:
            with compat.made_as(eqn, self._traceback):
                yield
        finally:
            self._traceback = around

    def everywhere(self, value: Any) -> Stacked:
        return jnp.broadcast_to(value, (self.count, *jnp.shape(value)))

    def together(self, eqn: Any, inputs: Sequence[Stacked]) -> Sequence[Stacked]:
        """The outputs of an equation in which devices may communicate."""
        name = eqn.primitive.name
        if name in _AS_IT_IS:
            return inputs
        if name in _COLLECTIVES:
            return self.collective(eqn, inputs)
        if compat.is_call(eqn):
            return self.run(compat.called_program(eqn), inputs)
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

    def apart(self, program: Any, eqns: Sequence[Any], read: Collection[Any], env: dict[Any, Stacked]) -> None:
        """Add the outputs of equations that each device evaluates for itself, as far as they are read."""
        made = list(dict.fromkeys(variable for eqn in eqns for variable in eqn.outvars if variable in read))
        atoms = dict.fromkeys(atom for eqn in eqns for atom in eqn.invars if not isinstance(atom, core.Literal))
        variables = [atom for atom in atoms if atom in env]
        # An equation's own traceback may be that of the function of a library.
        placed = [compat.with_traceback(eqn, compat.traceback_in(eqn, self._file) or self._traceback) for eqn in eqns]
        alone = core.jaxpr_as_fun(compat.part_of(program, variables, placed, made))
        if variables:
            outputs = jax.vmap(alone)(*(env[variable] for variable in variables))
        else:
            outputs = [self.everywhere(output) for output in alone()]
        env.update(zip(made, outputs, strict=True))

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

    def collective(self, eqn: Any, inputs: Sequence[Stacked]) -> list[Stacked]:
        parameters = eqn.params
        if parameters.get("axis_index_groups") is not None:
            raise compat.unknown(eqn, "it has groups of devices")
        operation = _COLLECTIVES[eqn.primitive.name]
        given = {_NAMED.get(name, name): value for name, value in parameters.items()}
        kept = {name: given[name] for name in PARAMETERS[operation] if name in given}
        kept.update(mesh=self.sizes, axes=self.axes(parameters.get("axes", parameters.get("axis_name"))))
        primitive = _primitive(operation)
        return [primitive.bind(held, **kept) for held in inputs] or [primitive.bind(**kept)]


def _is_apart(eqn: Any) -> bool:
    """Whether each device evaluates an equation for itself."""
    name = eqn.primitive.name
    if name in _AS_IT_IS or name in _COLLECTIVES or name in ("scan", "while", "cond"):
        return False
    if any(map(_communicates, compat.inner_jaxprs(eqn))):
        return False
    return not compat.is_call(eqn) or bool(compat.sampler(eqn))


def _communicates(jaxpr: Any) -> bool:
    names = {eqn.primitive.name for eqn in jaxpr.eqns}
    return not names.isdisjoint({*_COLLECTIVES, *_AS_IT_IS}) or any(
        _communicates(inner) for eqn in jaxpr.eqns for inner in compat.inner_jaxprs(eqn)
    )


_AS_IT_IS = frozenset(("pvary", "pcast", "pbroadcast", "reshard", "with_memory_space_constraint"))
"""Operations that change only what JAX knows of a value: whether it differs from device to device, and its memory."""

_COLLECTIVES: Mapping[str, str] = {
    **dict.fromkeys(("psum", "psum2", "psum_invariant"), "device_psum"),
    **dict.fromkeys(("all_gather", "all_gather_invariant"), "device_all_gather"),
    **{name: f"device_{name}" for name in ("pmax", "pmin", "reduce_scatter", "ppermute", "all_to_all", "axis_index")},
}
"""The operation of `grader.program.devices` for each collective of JAX."""

_NAMED = {"all_gather_dimension": "dimension", "scatter_dimension": "dimension"}


def program_of_kernel(eqn: Any, file: str) -> core.ClosedJaxpr:
    """A program with the inputs and outputs of a `pallas_call`, without a kernel.

    Raises:
        ProblemError: where its kernel or its blocks have a form that is not known.
    """
    kernel, alone = compat.kernel(eqn), Devices({}, file)
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
