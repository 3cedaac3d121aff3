"""The programs of an answer as bytes: in a thread as well as at once, and nothing where there is no program."""

from __future__ import annotations

import sys
import types
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from grader.run.programs import Packing, packed, traced
from grader.run.tracing import run_compiled, trace

FILE = "stub.py"
CASES = [(1,), (2,), (3,)]


def test_what_a_thread_packs_is_what_is_packed_at_once() -> None:
    traces = [trace(lambda n: jnp.sin(jnp.arange(n) * 0.1), case) for case in CASES]
    at_once = packed(traces, FILE)
    assert at_once is not None
    sent: list[Any] = []
    assert Packing(traces, FILE, sent.append).sent()
    (one,) = sent
    assert np.array_equal(one, at_once)


def test_a_trace_that_is_no_program_gives_nothing_in_a_thread_either(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    assert not Packing([trace(lambda: np.zeros(3), ())], FILE, sent.append).sent()

    def broken(*_: Any) -> None:
        raise KeyError("a parameter of a newer JAX")

    monkeypatch.setattr("grader.jaxpr.encode.Encoder.program", broken)
    assert not Packing([trace(lambda n: jnp.ones(n), (3,))], FILE, sent.append).sent()
    assert sent == []


def test_traces_that_are_known_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    noted: list[tuple[str, int]] = []
    monkeypatch.setattr("grader.run.programs.note", lambda step, case: noted.append((step, case)))

    def toy(n: int) -> Any:
        made.append(n)
        return jnp.ones(n)

    known = traced(toy, CASES[:2])
    assert traced(toy, CASES, known)[:2] == known
    assert traced(toy, CASES[:1], known) == known[:1]
    assert made == [1, 2, 3]
    assert noted == [("call", 0), ("call", 1), ("call", 2)], "a limit of time tells the call that it ends"


def test_packing_begins_once_as_the_compiler_starts_with_what_is_compiled() -> None:
    begun: list[tuple[int, int]] = []
    derivatives = [trace(lambda n: jnp.cos(jnp.arange(n) * 1.0), case) for case in CASES[:2]]
    compiled = run_compiled(
        lambda n: jnp.arange(n) * 2.0,
        CASES,
        [0],
        FILE,
        lambda: derivatives,
        lambda traces, others: begun.append((len(traces), len(others))),
    )
    assert begun == [(3, 2)]
    assert [len(np.asarray(one.array)) for one in compiled.values] == [1, 2, 3]


def test_where_an_answer_has_taken_the_modules_away_there_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    traces = [trace(lambda n: jnp.ones(n), (3,))]
    monkeypatch.setitem(sys.modules, "grader.jaxpr.encode", types.ModuleType("grader.jaxpr.encode"))
    assert not Packing(traces, FILE, lambda _: pytest.fail("there is nothing to send")).sent()
    assert packed(traces, FILE) is None
