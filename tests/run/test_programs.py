"""The programs of an answer as bytes, and nothing where there is no program."""

from __future__ import annotations

import sys
import types
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from grader.program.data import NotAProgram
from grader.run.answer.tracing import packed, trace, traced

FILE = "stub.py"
CASES = [(1,), (2,), (3,)]


def test_a_trace_that_is_no_program_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert packed([], FILE) is None
    assert packed([trace(lambda: np.zeros(3), ())], FILE) is None

    def broken(*_: Any) -> None:
        raise KeyError("a parameter of a newer JAX")

    monkeypatch.setattr("grader.jaxpr.encode.Encoder.program", broken)
    assert packed([trace(lambda n: jnp.ones(n), (3,))], FILE) is None


@pytest.mark.parametrize("error", [NotAProgram("too long"), MemoryError()])
def test_programs_that_are_too_large_are_not_sent(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def large(_: Any) -> bytes:
        raise error

    monkeypatch.setattr("grader.run.answer.tracing.text_of", large)
    assert packed([trace(lambda n: jnp.ones(n), (3,))], FILE) is None


def test_traces_that_are_known_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    noted: list[tuple[str, int]] = []
    monkeypatch.setattr("grader.run.answer.tracing.note", lambda step, case: noted.append((step, case)))

    def toy(n: int) -> Any:
        made.append(n)
        return jnp.ones(n)

    known = traced(toy, CASES[:2])
    assert traced(toy, CASES, known)[:2] == known
    assert traced(toy, CASES[:1], known) == known[:1]
    assert made == [1, 2, 3]
    assert noted == [("call", 0), ("call", 1), ("call", 2)], "a limit of time tells the call that it ends"


def test_where_an_answer_has_taken_the_modules_away_there_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    traces = [trace(lambda n: jnp.ones(n), (3,))]
    monkeypatch.setitem(sys.modules, "grader.jaxpr.encode", types.ModuleType("grader.jaxpr.encode"))
    assert packed(traces, FILE) is None
