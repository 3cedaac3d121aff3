"""Functions of JAX as programs, by the way that an answer's take: traced, encoded, and read again from their bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from grader.jaxpr.encode import Encoder
from grader.program.data import Program, promoted, read, text_of
from grader.program.evaluate import Evaluation
from grader.values.arrays import Array


def sent(function: Callable[[], Any], file: str = "") -> Program:
    """The program of a function without inputs and with one output, as it arrives."""
    encoder = Encoder(file)
    program = encoder.program(jax.make_jaxpr(function)())
    (arrived,) = read(text_of([program]), encoder.arrays)
    return arrived


def value(function: Callable[[], Any], **options: Any) -> Array:
    """What the program of a function gives; the options are those of `Evaluation`."""
    return Evaluation(sent(function), **options).output()


def operations(program: Program) -> set[str]:
    """The names of the operations of a program, those of inner blocks too."""

    def of(block: Any) -> set[str]:
        inner = (of(one) for equation in block.equations for one in equation.blocks)
        return {equation.operation for equation in block.equations}.union(*inner)

    return of(program.block)


def same(got: Array, due: Any, rtol: float = 1e-12, atol: float = 1e-12) -> None:
    """Assert that two arrays are equal up to rounding, NaN included."""
    due = np.asarray(due)
    assert got.shape == due.shape
    np.testing.assert_allclose(got, due, rtol=rtol, atol=atol)


Case = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function, and its inputs."""


def leaves(function: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
    """The outputs of a function, in order."""
    return jax.tree.leaves(function(*(jnp.asarray(one) for one in inputs)))


def programs(case: Case) -> list[Program]:
    """One program for each output of a case."""
    function, *inputs = case
    count = len(jax.tree.leaves(jax.eval_shape(function, *inputs)))
    return [sent(lambda index=index: leaves(function, inputs)[index]) for index in range(count)]


def compare(case: Case) -> None:
    """Assert that the programs of a case give what JAX gives in float64."""
    function, *inputs = case
    with jax.enable_x64(True):
        due = jax.tree.leaves(jax.jit(function)(*(one.astype(promoted(one.dtype)) for one in inputs)))
    for one, expected in zip(programs(case), due, strict=True):
        same(Evaluation(one).output(), expected)
