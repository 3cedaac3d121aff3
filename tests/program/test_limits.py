"""Each limit of an evaluation ends it with a reason, and what is below the limit is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.program import operations
from grader.program.data import Block, Equation, Form, Literal, NotAProgram, Program
from grader.program.evaluate import Evaluation
from tests.program.sent import value


def looped(body: Callable[[Any], Any], start: Any) -> Callable[[], Any]:
    return lambda: lax.while_loop(lambda c: jnp.isfinite(c).all(), body, start)


def test_a_loop_without_end_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "LONGEST_LOOP", 50)
    with pytest.raises(NotAProgram, match="does not end"):
        value(looped(lambda c: c * 0.5, 1.0))


def test_a_loop_of_too_many_rounds_is_no_program() -> None:
    with pytest.raises(NotAProgram, match="too long"):
        value(lambda: lax.scan(lambda c, _: (c + 1, None), 0.0, None, length=10**9)[0])


def test_too_many_steps_are_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MOST_STEPS", 100)
    value(lambda: lax.fori_loop(0, 20, lambda _, c: c + 1, 0.0))
    with pytest.raises(NotAProgram, match="steps"):
        value(lambda: lax.fori_loop(0, 90, lambda _, c: c + 1, 0.0))


def test_rounds_of_nothing_are_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MOST_STEPS", 100)
    empty = Block((0,), (), (), (0,))
    inner = Equation(
        "scan", {"constants": 0, "carried": 1, "length": 30, "reverse": False}, (0,), (1,), (NUMBER,), -1, (empty,)
    )
    block = Block((0,), (), (inner,), (1,))
    outer = Equation("scan", dict(inner.parameters), (Literal("float32", 0.0),), (0,), (NUMBER,), -1, (block,))
    with pytest.raises(NotAProgram, match="steps"):
        Evaluation(Program(Block((), (), (outer,), (0,)), [], [])).output()


NUMBER = Form("float32", ())


def test_too_much_work_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MOST_WORK", 10_000)
    for small, large in [
        (lambda: jnp.ones(100) + 1, lambda: jnp.ones(10_000) + 1),
        (lambda: jnp.ones((10, 10)) @ jnp.ones((10, 10)), lambda: jnp.ones((50, 50)) @ jnp.ones((50, 50))),
        (lambda: lax.erf(jnp.ones(10)), lambda: lax.erf(jnp.ones(1000))),
    ]:
        value(small)
        with pytest.raises(NotAProgram, match="work"):
            value(large)


def test_too_many_values_at_a_time_are_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MOST_BYTES_HELD", 10_000)
    value(lambda: lax.fori_loop(0, 20, lambda _, c: c + 1, jnp.zeros(100)))
    with pytest.raises(NotAProgram, match="holds"):
        value(lambda: sum((jnp.sin(jnp.ones(100)) for _ in range(20)), jnp.zeros(100)))


@pytest.mark.parametrize(
    ("operation", "parameters", "inputs", "size"),
    [
        ("iota", {"shape": [30, 4]}, [], 120),
        ("pad", {"padding_config": [[1, -2, 1]]}, [(5,)], 8),
        ("gather", {"slice_sizes": [1, 4]}, [(9, 4), (3, 2)], 12),
        ("dot_general", {"dimension_numbers": [[[2], [1]], [[0], [0]]]}, [(2, 3, 4), (2, 4, 5)], 30),
        ("add", {}, [(3, 1), (1, 4)], 12),
        ("concatenate", {}, [(3,), (4,)], 7),
    ],
)
def test_the_size_of_a_result_is_known_before(
    monkeypatch: pytest.MonkeyPatch, operation: str, parameters: Any, inputs: list[tuple[int, ...]], size: int
) -> None:
    one = Equation(operation, parameters, (), (0,), (NUMBER,), -1)
    arrays = [np.zeros(shape) for shape in inputs]
    monkeypatch.setattr(operations, "LARGEST_ARRAY", size)
    operations.Meter().compute(one, arrays, parameters)
    monkeypatch.setattr(operations, "LARGEST_ARRAY", size - 1)
    with pytest.raises(NotAProgram, match="too large"):
        operations.Meter().compute(one, arrays, parameters)
