"""A Pallas kernel as an ordinary program: its programs run one after the other, on slices of the arrays.

It does what `interpret=True` does: arrays are padded to whole blocks, and what no program writes is NaN.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.shard_map import Devices


def program_of(eqn: Any) -> core.ClosedJaxpr:
    """A program with the inputs and outputs of a `pallas_call`, without a kernel.

    Raises:
        ProblemError: where its kernel or its blocks have a form that is not known.
    """
    kernel, alone = compat.kernel(eqn), Devices({})
    outputs = [variable.aval for variable in eqn.outvars]

    def whole(*inputs: Any) -> list[Any]:
        arrays = [*inputs, *(_unwritten(one.shape, compat.form_of(one)[0]) for one in outputs)]
        held = [_padded(one, block.sizes) for one, block in zip(arrays, kernel.blocks, strict=True)]
        for index in itertools.product(*map(range, kernel.grid)):
            with jax.ensure_compile_time_eval():
                starts = [_start(block, index) for block in kernel.blocks]
            parts = [
                jax.lax.dynamic_slice(one, start, block.sizes).reshape(block.shape)
                for one, start, block in zip(held, starts, kernel.blocks, strict=True)
            ]
            numbers = [jnp.int32(number(index)) for number in kernel.numbers]
            written = [one[0] for one in alone.run(kernel.body, [one[None] for one in (*parts, *numbers)])]
            for number in range(len(inputs), len(held)):
                block = kernel.blocks[number]
                made = written[number].reshape(block.sizes)
                held[number] = jax.lax.dynamic_update_slice(held[number], made, starts[number])
        return [
            jax.lax.slice(one, [0] * one.ndim, aval.shape)
            for one, aval in zip(held[len(inputs) :], outputs, strict=True)
        ]

    return jax.make_jaxpr(whole)(*(atom.aval for atom in eqn.invars))


def _start(block: compat.KernelBlock, index: Sequence[int]) -> list[int]:
    """The first index of a block along each axis."""
    return [int(one) * size for one, size in zip(block.index(*index), block.sizes, strict=True)]


def _padded(array: Any, sizes: Sequence[int]) -> Any:
    """An array with a whole number of blocks."""
    widths = [(0, -array.shape[axis] % size, 0) for axis, size in enumerate(sizes)]
    return jax.lax.pad(array, _unwritten((), array.dtype), widths)


def _unwritten(shape: Sequence[int], dtype: Any) -> Any:
    fill = jnp.nan if jnp.issubdtype(dtype, jnp.inexact) else 0
    return jnp.full(shape, fill, dtype)
