"""What the programs of many mistakes share is evaluated once, and gives what each program gives alone."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.kit.mistakes import pitfall_sets
from grader.oracle import family
from grader.oracle.expect import Forms, TracedReference, trace, trace_once, trace_sets
from grader.oracle.family import Family
from grader.program.arithmetic import Exact, NoisyConstants, RepeatedNoise
from grader.program.data import NotAProgram
from tests.toy import problem_of

CASE = (3, 4)


def attention(seed: int, n: int) -> Any:
    key = jax.random.key(seed)
    x = jax.random.normal(key, (n, 3))
    #: uniform: normal -> uniform
    scores = x @ x.T / 1.7
    #: undivided: / 1.7 ->
    #: swapped: x @ x.T -> (x.T @ x)[:1, :1] * jnp.ones((n, n))
    weights = jax.nn.softmax(scores, axis=-1)
    #: by-column: -1 -> 0
    #: unnormalised: weights = jnp.exp(scores)
    total, rows = jax.lax.scan(lambda carry, row: (0.3 * carry + row, carry.sum()), jnp.zeros(n), weights)
    #: another-decay: 0.3 -> 0.7, or -0.3
    return jnp.concatenate([total.at[0].set(0.0), rows])
    #: last: total.at[0] -> total.at[-1]
    #: negative-zero: set(0.0) -> set(-0.0)


PROBLEM = problem_of(attention, cases=[CASE])
SETS = [forms for size in (1, 2) for _, forms in pitfall_sets(PROBLEM.pitfalls, size)]
ARITHMETICS = ((Exact,), (RepeatedNoise, 0, 2.0**-24), (RepeatedNoise, 1, 2.0**-24), (NoisyConstants, 0))


@pytest.mark.parametrize("arithmetic", ARITHMETICS, ids=str)
@pytest.mark.parametrize("most", [family.MOST_BYTES_OF_FAMILY, 2000, 0], ids=["all are kept", "some", "none"])
def test_a_program_gives_what_it_gives_alone(monkeypatch: pytest.MonkeyPatch, arithmetic: Any, most: int) -> None:
    monkeypatch.setattr(family, "MOST_BYTES_OF_FAMILY", most)
    made, *arguments = arithmetic
    shared = [trace_once(PROBLEM, CASE, forms) for forms in SETS]
    for forms, traced in zip(SETS, shared, strict=True):
        alone = alone_with(forms).evaluate(made(*arguments))
        assert traced.shared(made, *arguments).tobytes() == alone.tobytes(), forms


@functools.cache
def alone_with(forms: Forms) -> TracedReference:
    """The worked answer with some mistakes, of which nothing is shared."""
    return trace(PROBLEM, CASE, forms)


class Counting(Exact):
    """Counts the results that it rounds."""

    exact = False
    results = 0

    def rounded(self, value: Any, magnitude: Any) -> Any:
        Counting.results += 1
        return value


def test_what_programs_share_is_evaluated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "results", 0)
    programs = [alone_with(forms) for forms in SETS]
    for program in programs:
        program.evaluate(Counting())
    alone, Counting.results = Counting.results, 0
    shared = Family("")
    for program in programs:
        shared.values(program.jaxpr, program.output, (Counting,))
    assert 0 < Counting.results < alone / 2


def test_a_family_that_is_full_evaluates_each_output_of_a_program_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family, "MOST_BYTES_OF_FAMILY", 0)
    encoded: list[object] = []
    encode = family._SharedBlock.outputs_of
    monkeypatch.setattr(family._SharedBlock, "outputs_of", lambda *called: encoded.append(called) or encode(*called))
    fresh = problem_of(attention, cases=[CASE])
    pairs = [forms for _, forms in pitfall_sets(fresh.pitfalls, 2)]
    for forms, traced in zip(pairs, trace_sets(fresh, CASE, pairs), strict=True):
        assert isinstance(traced, TracedReference)
        assert traced.exact.tobytes() == trace(fresh, CASE, forms).exact.tobytes()
    assert len(encoded) == 1


def test_a_program_that_cannot_be_evaluated_leaves_the_others_as_they_are() -> None:
    x = jnp.array([0.5, 1.5])
    cannot = jax.make_jaxpr(lambda: jnp.sin(x) + jax.pure_callback(np.sin, x, x))()
    shared = Family("")
    doubled = shared.values(jax.make_jaxpr(lambda: jnp.sin(x) * 2.0)(), 0, (Exact,))
    with pytest.raises(NotAProgram):
        shared.values(cannot, 0, (Exact,))
    assert np.array_equal(shared.values(jax.make_jaxpr(lambda: jnp.sin(x) * 4.0)(), 0, (Exact,)), doubled * 2.0)
