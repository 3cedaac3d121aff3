"""The evaluator of an answer's programs: what it gives of right data; bad data is no program, and never a fault."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Generator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from grader.marking.judge import Array
from grader.run import evaluator, frames
from grader.run.child import Child, start_thread
from grader.run.programs import packed, traced_again
from grader.run.replay import Replay
from grader.run.tracing import trace

FILE = "answer.py"
TEXT = """
import jax.numpy as jnp
def toy(n):
    x = jnp.arange(float(n)) + 1.0
    small = (x + 1e6) - 1e6
    return small * 1.4142135
"""
ROUNDED = """
import jax.numpy as jnp
def toy(n):
    x = jnp.arange(float(n)) + 0.1
    late = (x > 1).astype(jnp.bfloat16)
    near = x.astype(jnp.float16).astype(jnp.float32)
    far = (3 * x).astype(jnp.bfloat16)
    return near + (far * late).astype(jnp.float32)
"""


def programs(text: str = TEXT) -> Array:
    scope: dict[str, Any] = {}
    exec(compile(text, FILE, "exec"), scope)
    blob = packed([trace(scope["toy"], (n,)) for n in (2, 3)], FILE)
    assert blob is not None
    return blob


@contextlib.contextmanager
def evaluating(blob: Array, count: int = 2) -> Generator[Replay]:
    """The evaluator's own code, in a thread on two pipes."""
    requests, request = os.pipe()
    result, results = os.pipe()
    child = Child(-1, request, lambda: child.ended.set(), result)

    def serve() -> None:
        try:
            evaluator.serve(requests, results)
        finally:
            os.close(results)
            child.ended.set()

    thread = start_thread(serve)
    replay = Replay(child, blob, [{}] * count)
    try:
        yield replay
    finally:
        os.close(child.request)
        child.request = os.open(os.devnull, os.O_RDONLY)
        thread.join(10)
        replay.close()
        os.close(requests)


def test_the_values_are_those_of_float64_and_noise_is_asked_for_by_name() -> None:
    with evaluating(programs()) as replay:
        values = replay.values()
        assert values is not None
        assert [one.tolist() for one in values] == [[1.4142135, 2.828427], [1.4142135, 2.828427, 4.2426405]]
        constants, rounding = replay.constants(), replay.rounding()
        assert constants is not None
        assert rounding is not None
        assert 1e-8 < constants[0].max() < 1e-6
        assert 1e-2 < rounding[0].max() < 1.0
        assert replay.worst_line(1, 2) == 5


@pytest.mark.parametrize(
    "blob",
    [
        np.zeros(0, np.uint8),
        np.frombuffer(b"GRD1\xff\xff\xff\xff", np.uint8),
        np.frombuffer(frames.encode({}, []), np.uint8),
        np.frombuffer(frames.encode({}, [np.zeros(3, np.float32)]), np.uint8),
        np.frombuffer(frames.encode({}, [np.frombuffer(b"[1, 2]", np.uint8)]), np.uint8),
        np.frombuffer(frames.encode({}, [np.frombuffer(json.dumps([]).encode(), np.uint8)]), np.uint8),
    ],
)
def test_bytes_that_hold_no_programs_give_none(blob: Array) -> None:
    with evaluating(blob) as replay:
        assert replay.values() is None
        assert replay.constants() is None
        assert replay.worst_line(0, 0) == 0


def test_an_answer_that_computes_with_numpy_or_does_not_trace_has_no_programs() -> None:
    assert packed([trace(lambda: np.zeros(3), ())], FILE) is None
    assert traced_again(lambda n: 1 / 0, [(1,)]) == []
    assert len(traced_again(lambda n: jnp.zeros(n), [(1,), (2,)])) == 2


def test_a_trace_that_the_encoder_does_not_know_is_no_program_and_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a parameter of a newer JAX")

    monkeypatch.setattr("grader.run.programs.Encoder.program", broken)
    assert packed([trace(lambda: jnp.zeros(3), ())], FILE) is None


def test_of_rounding_to_16_bits_the_line_that_costs_most_is_told_with_the_values_without_it() -> None:
    with evaluating(programs(ROUNDED)) as replay:
        values, wide = replay.values(), replay.widened(1)
    assert values is not None
    assert wide is not None
    assert (wide.line, wide.dtype) == (7, "bfloat16")
    np.testing.assert_allclose(wide.values()[1], [0.1, 1.1 + 3.3, 2.1 + 6.3], rtol=1e-12)
    assert 1e-3 < np.abs(values[1] - wide.values()[1]).max() < 0.05
    with evaluating(programs()) as replay:
        assert replay.widened(1) is None
