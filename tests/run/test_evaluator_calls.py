"""The calls of an evaluator: each is in the table, its arguments and its reply cross a pipe, and a reply is what it says."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.jaxpr.encode import Encoder
from grader.program.data import read
from grader.run.evaluator_calls import CALLS, EvaluatedProgram, exactly, kinds_of, opened
from grader.values import frames
from grader.values.codec import encode, from_frame, to_frame
from grader.where.steps import Packed
from tests.oracle.conftest import assert_same
from tests.run.test_evaluator import RIGHT, ROUNDED, programs

ARRAYS = (np.arange(2.0), np.arange(3.0))
STEPS = Packed(b"no steps", (0, 1))
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("constants", "rounding", "known", "outlines", "reused"), ()),
    **{"draws": (1,), "widened": (1,), "worst_line": (1, 2), "lines": (None, 0)},
    "where": (STEPS, ARRAYS, ARRAYS, 0.5, True),
}


def evaluated(blob: bytes) -> list[EvaluatedProgram]:
    _, (text, *arrays) = frames.decode(blob)
    return [exactly(one, {}) for one in read(text.tobytes(), arrays)]


@pytest.mark.parametrize("name", CALLS)
def test_the_arguments_and_the_reply_of_a_call_arrive_as_they_were_sent(name: str) -> None:
    call: Any = CALLS[name]
    taken, given = kinds_of(call)
    assert_same(from_frame(taken, *to_frame(ARGUMENTS[name])), ARGUMENTS[name])
    reply = call(evaluated(programs(ROUNDED)), *ARGUMENTS[name])
    header, arrays = frames.decode(encode({"reply": reply}))
    assert_same(from_frame(given, header["reply"], arrays), reply)


def test_values_that_can_be_compared_are_given_and_else_the_reason() -> None:
    listed = evaluated(programs())
    assert [one.tolist() for one in opened(listed, [2, 3]).values] == RIGHT
    assert [one.tolist() for one in opened(listed, None).values] == RIGHT
    other = opened(listed, [2, 4])
    assert (other.values, other.why, other.evaluated) == ((), "they give another number of values", True)
    assert (opened(listed, None).halves, opened(evaluated(programs(ROUNDED)), None).halves) == (False, True)


def drawn() -> Any:
    return jax.random.normal(jax.random.key(7), (3,))


def layer(x: Any) -> Any:
    return jax.random.truncated_normal(jax.random.key(8), -2.0, 2.0, (3,)) * x


@pytest.mark.parametrize(
    ("function", "depends"),
    [
        (lambda: jnp.arange(3.0) + 0.0 * drawn(), False),
        (lambda: jnp.where(jnp.arange(3) < 3, jnp.arange(3.0), drawn()), False),
        (lambda: drawn().at[...].set(jnp.ones(3)), False),
        (lambda: jnp.argmax(jnp.array([9.0, 0.0, 0.0]) + drawn()), False),
        (lambda: jax.random.uniform(jax.random.key(7), (3,)), False),  # nothing of it is rounded
        (lambda: jnp.arange(3.0) + drawn(), True),
        (lambda: jax.lax.scan(lambda total, x: (total, layer(x)), 0.0, jnp.arange(1.0, 3.0))[1], True),
        (lambda: jax.lax.while_loop(lambda x: x[0] < 9, lambda x: x + jnp.abs(drawn()), jnp.zeros(3)), True),
        (lambda: jnp.arange(3.0) + (0.0 * drawn()).astype(jnp.bfloat16), True),  # a rounding may hide it
    ],
)
def test_a_value_depends_on_draws_of_its_own_if_it_changes_with_them(function: Any, depends: bool) -> None:
    assert exactly(Encoder("answer.py").program(jax.make_jaxpr(function)()), {}).others == depends
