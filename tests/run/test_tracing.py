"""All cases as one program: which answers compile, which do not, and which change from call to call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.marking.remarks import Remark
from grader.run.answer.tracing import SMALL_PROGRAM, CannotTrace, LongTrace, count, given, run_compiled, trace

CASES = [[0, 1], [0, 3], [0, 40]]


def test_the_values_are_those_of_the_calls() -> None:
    compiled = run_compiled(lambda seed, n: jnp.arange(n) * 2.0, CASES, [1], "")
    assert [value.array.tolist() for value in compiled.values[:2] if value.array is not None] == [
        [0.0],
        [0.0, 2.0, 4.0],
    ]
    assert (compiled.again, compiled.insights) == ({}, [])


def test_an_answer_in_numpy_alone_keeps_its_dtype() -> None:
    compiled = run_compiled(lambda seed, n: np.arange(n) * 0.1, CASES, [], "")
    assert [value.kind for value in compiled.values] == ["float64"] * 3


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "not:NoneType"),
        ([1.0], "not:list"),
        (1.5, "not:float"),
        (np.float32(1), "not:float32"),
        (np.ma.zeros(2), "not:MaskedArray"),
        (np.array([None]), "array:object"),
        (np.zeros(2, "V4"), "array:|V4"),
        (np.zeros(2, [("all points", "f4")]), "array:void32"),
    ],
)
def test_only_plain_arrays_count(value: object, kind: str) -> None:
    assert given(value).kind == kind
    assert given(value).array is None


@pytest.mark.parametrize(
    ("answer", "changes"),
    [
        (
            lambda seed, n: jax.lax.while_loop(lambda c: True, lambda c: c, jnp.zeros(n)),
            False,
        ),
        (
            lambda seed, n: jax.lax.fori_loop(0, n, lambda i, c: c, jnp.zeros(n)),
            True,
        ),
    ],
)
def test_a_loop_that_jax_removes_is_told_with_its_line(answer: Callable[..., Any], changes: bool) -> None:
    told = run_compiled(answer, CASES[:1], [], __file__).insights
    assert told == [Remark("loop-removed", answer.__code__.co_firstlineno, changes)]


def long_loop(seed: int, n: int) -> Any:
    total = jnp.zeros(n)
    for _ in range(600 * n):
        total = total + 1.0
    return total


def long_at_every_size(seed: int, n: int) -> Any:
    total = jnp.zeros(n)
    for _ in range(2000):
        total = total + 1.0
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "insight"),
    [
        (long_loop, "long-trace"),
        (long_at_every_size, "long-trace"),
        (lambda seed, n: jnp.ones(n) * float(jnp.float32(n)), "not-traceable"),
        (lambda seed, n: jnp.ones(n) / 0 if n < 3 else 1 / 0, "not-traceable"),
    ],
)
def test_an_answer_that_cannot_be_one_program_gets_a_reason(function: Callable[..., Any], insight: str) -> None:
    with pytest.raises(CannotTrace) as caught:
        run_compiled(function, CASES, [1], "")
    assert caught.value.remark.name == insight


def test_what_stops_a_trace_is_the_exception_as_it_was_raised() -> None:
    def chooses(seed: int, n: int) -> Any:
        return jnp.ones(n) if jnp.ones(n).sum() > 2 else jnp.zeros(n)

    with pytest.raises(CannotTrace) as caught:
        run_compiled(chooses, CASES, [], "")
    stopped = caught.value.remark.stopped
    assert stopped is not None
    assert (stopped.kind, stopped.lineage[-2:]) == ("TracerBoolConversionError", ("BaseException", "object"))
    assert stopped.message == str(caught.value.__cause__)


def test_a_program_that_holds_a_value_of_another_trace_is_none() -> None:
    def closes_over(seed: int, n: int) -> Any:
        def scaled(theta: Any) -> Any:
            times = jax.custom_vjp(lambda b: theta * b)
            times.defvjp(lambda b: (theta * b, None), lambda _, g: (theta * g,))
            return times(jnp.ones(n))

        return jax.jacrev(scaled)(jnp.float32(2.0))

    with pytest.raises(CannotTrace) as caught:
        trace(closes_over, (0, 3))
    assert isinstance(caught.value.__cause__, jax.errors.UnexpectedTracerError)


def test_traces_that_are_too_long_come_with_the_reason_and_its_figures_are_those_of_the_cases() -> None:
    with pytest.raises(LongTrace) as caught:
        run_compiled(long_at_every_size, CASES, [1], "")
    traces = caught.value.traces
    assert len(traces) == 2
    sizes = tuple(count(one.program.jaxpr) for one in traces if one.program is not None)
    assert caught.value.remark == Remark("long-trace", sizes=sizes)


@pytest.mark.nightly
def test_a_long_program_of_many_kinds_is_compiled_as_one() -> None:
    """A model whose layers are a Python list has a long trace, and each shape of it would compile alone."""

    def layers(seed: int, n: int) -> Any:
        x = jnp.ones((n, 1))
        for layer in range(20 * n):
            x = jnp.tanh(x @ jnp.ones((x.shape[1], layer % 9 + 1))) + 1.0
        return x

    compiled = run_compiled(layers, [[0, n] for n in range(1, 12)], [], "")
    assert sum(count(one.program.jaxpr) for one in compiled.traces if one.program is not None) > SMALL_PROGRAM
    assert [insight.name for insight in compiled.insights] == ["long-trace"]


@pytest.mark.slow
def test_a_loop_over_growing_lengths_is_one_program_with_a_remark() -> None:
    def prefixes(seed: int, n: int) -> Any:
        x = jnp.sin(jnp.arange(n) + 1.0)
        return jnp.stack([jax.nn.softmax(x[:t]).max() + x[:t].std() for t in range(1, n + 1)])

    compiled = run_compiled(prefixes, [[0, 1], [0, 5]], [], "")
    assert [insight.name for insight in compiled.insights] == ["long-trace"]
    assert compiled.values[1].array is not None
    np.testing.assert_allclose(compiled.values[1].array, prefixes(0, 5), rtol=1e-5)


@pytest.mark.parametrize(
    "function",
    [
        lambda seed, n: jnp.ones(n) * np.random.uniform(),
        lambda seed, n: np.random.uniform(size=n),
        lambda seed, n: jax.random.normal(jax.random.key(np.random.randint(1 << 30)), (n,)),
        lambda seed, n: jnp.ones(n) + jnp.asarray(np.random.uniform(size=n)),
    ],
)
def test_an_answer_that_changes_between_two_traces_has_two_values(function: Callable[..., Any]) -> None:
    compiled = run_compiled(function, CASES, [1], "")
    first, second = compiled.values[1].array, compiled.again[1].array
    assert first is not None
    assert second is not None
    assert not np.array_equal(first, second)
