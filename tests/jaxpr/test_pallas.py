"""A Pallas kernel without its kernel gives the numbers that `interpret=True` gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import pallas as pl

from grader.jaxpr.encode import Encoder
from grader.program.data import NotAProgram
from grader.program.evaluate import Evaluation

X = jnp.sin(jnp.arange(35.0)).reshape(7, 5)


def called(kernel: Callable[..., None], grid: Any, inside: Any, outside: Any = None, shape: Any = (7, 5)) -> Any:
    return pl.pallas_call(
        kernel,
        grid=grid,
        in_specs=[inside],
        out_specs=inside if outside is None else outside,
        out_shape=jax.ShapeDtypeStruct(shape, jnp.float32),
        interpret=True,
    )


def softmax(x: Any, out: Any) -> None:
    p = jnp.exp(x[...] - x[...].max(-1, keepdims=True))
    out[...] = p / p.sum(-1, keepdims=True)


def numbered(x: Any, out: Any) -> None:
    out[...] = x[...] * pl.program_id(0) + pl.num_programs(0)


def in_halves(x: Any, out: Any) -> None:
    out[:, 1:] = 2 * x[:, :-1]
    out[:, 0] = x[:, 0]


def chosen(x: Any, out: Any) -> None:
    first = pl.program_id(0) == 0

    @pl.when(first)
    def _() -> None:
        out[...] = jnp.zeros_like(x)

    out[...] += x[...]


def in_a_loop(x: Any, out: Any) -> None:
    out[...] = jax.lax.fori_loop(0, 3, lambda _, total: total + x[...], jnp.zeros_like(x))


ROWS = pl.BlockSpec((2, 5), lambda i: (i, 0))
KERNELS: dict[str, Any] = {
    "rows, the last block not full": called(softmax, (4,), ROWS),
    "a block for all": called(softmax, (1,), pl.BlockSpec((7, 5), lambda i: (0, 0))),
    "one row each": called(softmax, (7,), pl.BlockSpec((1, 5), lambda i: (i, 0))),
    "rows that no program writes": called(softmax, (2,), ROWS),
    "an index beyond the end": called(softmax, (4,), pl.BlockSpec((2, 5), lambda i: (2 * i, 0))),
    "the number of the program": called(numbered, (4,), ROWS),
    "parts of a block": called(in_halves, (4,), ROWS),
    "a choice": called(chosen, (4,), ROWS),
    "a loop": called(in_a_loop, (4,), ROWS),
    "two axes": called(numbered, (4, 3), pl.BlockSpec((2, 2), lambda i, j: (i, j))),
    "a sum over programs": called(
        chosen, (7,), pl.BlockSpec((1, 5), lambda i: (i, 0)), pl.BlockSpec((1, 5), lambda i: (0, 0)), (1, 5)
    ),
    "an axis that the kernel does not see": called(
        lambda x, out: out.__setitem__(..., x[...] * 2), (7,), pl.BlockSpec((None, 5), lambda i: (i, 0))
    ),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("name", KERNELS)
def test_the_numbers_are_those_of_the_kernel(name: str) -> None:
    function = KERNELS[name]
    program = Encoder(__file__).program(jax.make_jaxpr(lambda: function(X))())
    np.testing.assert_allclose(Evaluation(program).output(), function(X), rtol=1e-5, atol=1e-6)


def test_a_kernel_of_another_form_is_no_program() -> None:
    def inner(x: Any, out: Any) -> None:
        out[...] = jax.lax.cond(x[0, 0] > 0, lambda: x[...] * pl.program_id(0), lambda: x[...])

    with pytest.raises(NotAProgram, match="inside a choice or a loop"):
        Encoder(__file__).program(jax.make_jaxpr(lambda: called(inner, (4,), ROWS)(X))())
