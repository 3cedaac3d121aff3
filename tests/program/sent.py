"""Functions of JAX as programs, by the way that an answer's take: traced, encoded, and read again from their bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from grader.jaxpr.encode import Encoder
from grader.marking.judge import Array
from grader.program.data import Program, read, text_of
from grader.program.evaluate import Evaluation


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
