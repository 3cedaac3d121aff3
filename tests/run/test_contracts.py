"""Answers under contracts: which arguments are traced, whose row comes back, and which keys are used twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.marking.requirements import GRAD, JIT, KEY_REUSE, VMAP, Contract
from grader.run.answer.contracts import check_contract, compiled, compiled_seed, differentiated, mapped, trace_under
from grader.run.answer.tracing import given, run_traces
from grader.run.protocol import ReturnedValue

Case = tuple[int | float, ...]
FILE = __file__
"""The functions below are the answers, so that this is their file."""


@pytest.mark.parametrize(
    ("transform", "expected"),
    [(compiled, ["traced", "int", "traced"]), (compiled_seed, ["traced", "int", "float"])],
)
def test_sizes_are_never_traced_and_floats_only_under_jit(transform: Callable[..., Any], expected: list[str]) -> None:
    seen: list[str] = []

    def answer(*arguments: Any) -> Any:
        seen.extend("traced" if isinstance(one, jax.core.Tracer) else type(one).__name__ for one in arguments)
        return jnp.zeros(arguments[1])

    assert transform(answer, 0, ())(7, 2, 0.5).shape == (2,)
    assert seen == expected


def test_a_compiled_answer_gets_each_argument_at_its_place() -> None:
    def answer(seed: Any, n: int, p: Any) -> Any:
        return 100 * seed + 10 * n + p

    assert compiled(answer, 0, ())(3, 2, 0.5) == 320.5
    assert compiled_seed(answer, 0, ())(3, 2, 0.5) == 320.5


CASES: Sequence[Case] = ((0, 3), (1, 5), (2, 3), (3, 3))


@pytest.mark.parametrize(
    ("case", "pair"),
    [((0, 3), [0, 2]), ((2, 3), [2, 0]), ((1, 5), [1, 2])],
    ids=["first", "second", "no other case of its size"],
)
def test_a_mapped_call_takes_two_seeds_and_gives_the_row_of_its_own(case: Case, pair: list[int]) -> None:
    seeds: list[list[int]] = []

    def answer(seed: Any, n: int) -> Any:
        jax.debug.callback(lambda one: seeds.append(one.tolist()), seed)
        return jnp.full(n, seed)

    row = mapped(answer, 0, CASES)(*case)
    jax.effects_barrier()
    assert row.tolist() == [case[0]] * int(case[1])
    assert sorted(np.ravel(seeds)) == sorted(pair)


def test_a_derivative_follows_the_values() -> None:
    both = differentiated(lambda seed, t, n: jnp.arange(n) * t**2, 1, ())(0, 3.0, 3)
    assert both.tolist() == [0.0, 9.0, 18.0, 0.0, 6.0, 12.0]


def test_values_that_are_not_in_one_row_stay_as_they_are() -> None:
    table = differentiated(lambda seed, t: jnp.ones((2, 3)) * t, 1, ())
    assert jax.eval_shape(lambda: table(0, 3.0)).shape == (2, 2, 3)


# A whole contract


def doubles(seed: Any, n: int) -> Any:
    return 2.0 * jnp.full(n, seed)


def leaves_jax(seed: Any, n: int) -> Any:
    return np.full(n, float(seed))


def is_numpy(seed: Any, n: int) -> Any:
    return np.ones(n)


@pytest.mark.parametrize("contract", [JIT, VMAP])
def test_values_under_a_contract_are_those_of_every_case(contract: Contract) -> None:
    result = check_contract(contract, 0, doubles, CASES, FILE)
    assert result.broken is None
    values = [one.array.tolist() for one in result.values if one.array is not None]
    assert values == [[2.0 * seed] * int(n) for seed, n in CASES]


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many traces are compiled together, each time."""
    counts: list[int] = []

    def run(traces: Sequence[Any], filename: str) -> Any:
        counts.append(len(traces))
        return run_traces(traces, filename)

    monkeypatch.setattr("grader.run.answer.contracts.run_traces", run)
    return counts


def draws_and_adds(seed: Any, n: int) -> Any:
    return jax.random.normal(jax.random.key(seed), (n,)).cumsum()


def plain(answer: Callable[..., Any]) -> list[ReturnedValue]:
    """What an answer gives without the contract."""
    return [given(answer(*case)) for case in CASES]


def test_under_a_contract_one_case_is_compiled_where_its_programs_give_what_plain_calls_gave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = counted(monkeypatch)
    known = plain(draws_and_adds)
    result = check_contract(VMAP, 0, draws_and_adds, CASES, FILE, known=known)
    assert counts == [1]
    assert [one.kind for one in result.values] == ["float32"] * len(CASES)
    assert all(one is due for one, due in zip(result.values[1:], known[1:], strict=True)), "they are of JAX"
    for case, one in zip(CASES, result.values, strict=True):
        assert one.array is not None
        np.testing.assert_allclose(one.array, draws_and_adds(*case), rtol=1e-5, atol=1e-6)


@pytest.mark.few(1)
@pytest.mark.parametrize("changed", ["value", "dtype", "shape"])
def test_every_case_is_compiled_where_one_value_is_not_that_of_the_plain_call(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = counted(monkeypatch)
    known = plain(draws_and_adds)
    array = known[1].array
    assert array is not None
    other = {"value": array + 1e-3, "dtype": array.astype(np.float16), "shape": array[None]}[changed]
    known[1] = ReturnedValue(other.dtype.name, other)
    result = check_contract(VMAP, 0, draws_and_adds, CASES, FILE, known=known)
    assert counts == [len(CASES)]
    for case, one in zip(CASES, result.values, strict=True):
        np.testing.assert_allclose(one.array, draws_and_adds(*case), rtol=1e-5, atol=1e-6)


def not_finite(seed: Any, n: int) -> Any:
    return jnp.full(n, seed) / jnp.where(n == 5, 0.0, 1.0)


def not_a_program(seed: Any, n: int) -> Any:
    return jnp.full(n, seed) * jnp.linalg.qr(jnp.eye(2))[1][0, 0]


def rounds(seed: Any, n: int) -> Any:
    return (jnp.full(n, 1.0 + seed) * 1e8 + 1.0) - 1e8 * (1.0 + seed)


@pytest.mark.few(1)
@pytest.mark.parametrize("answer", [not_finite, not_a_program, rounds])
def test_every_case_is_compiled_where_the_programs_may_give_something_else(
    answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = counted(monkeypatch)
    result = check_contract(VMAP, 0, answer, CASES, FILE, known=plain(answer))
    assert counts[-1] == len(CASES)
    for case, one in zip(CASES, result.values, strict=True):
        np.testing.assert_array_equal(one.array, jax.jit(answer, static_argnums=1)(*case))


def test_the_derivative_is_taken_with_respect_to_the_parameter_of_that_index() -> None:
    result = check_contract(GRAD, 1, lambda seed, t: jnp.array([seed * t]), [(5, 3.0)], FILE)
    (value,) = result.values
    assert value.array is not None
    assert value.array.tolist() == [15.0, 5.0]


@pytest.mark.parametrize("contract", [JIT, VMAP, KEY_REUSE])
def test_a_contract_is_broken_by_an_exception_with_the_line_that_raises(contract: Contract) -> None:
    broken = check_contract(contract, 0, leaves_jax, CASES, FILE).broken
    assert broken is not None
    assert broken.kind == "ConcretizationTypeError"
    assert [one.text for one in broken.frames] == ["return np.full(n, float(seed))"]


def test_an_exit_under_a_contract_breaks_it() -> None:
    def exits(seed: Any, n: int) -> Any:
        raise SystemExit

    broken = check_contract(VMAP, 0, exits, CASES, FILE).broken
    assert broken is not None
    assert broken.kind == "SystemExit"


def test_an_exception_that_only_the_compiled_program_raises_breaks_the_contract_too() -> None:
    def fails(_: Any) -> Any:
        raise ValueError("no")

    def answer(seed: Any, n: int) -> Any:
        return jax.pure_callback(fails, jax.ShapeDtypeStruct((n,), jnp.float32), seed)

    result = check_contract(JIT, 0, answer, CASES[:1], FILE)
    assert result.values == []
    assert result.broken is not None


def test_the_first_case_that_breaks_a_contract_is_the_last_that_is_called() -> None:
    sizes: list[int] = []

    def answer(seed: Any, n: int) -> Any:
        sizes.append(n)
        return leaves_jax(seed, n) if n == 5 else doubles(seed, n)

    traces, broken = trace_under(JIT, 0, answer, CASES, FILE)
    assert (len(traces), broken is None) == (1, False)
    assert set(sizes) == {3, 5}


@pytest.mark.parametrize("must_trace", [True, False])
def test_only_a_contract_that_needs_a_trace_is_broken_without_one(must_trace: bool) -> None:
    def answer(seed: Any, n: int) -> Any:
        if isinstance(jnp.zeros(()), jax.core.Tracer):
            raise TypeError("it is traced")
        return jnp.ones(n)

    contract = replace(VMAP, must_trace=must_trace, transform=f"{__name__}:unchanged")
    result = check_contract(contract, 0, answer, CASES, FILE)
    assert (result.broken is not None) is must_trace
    assert len(result.values) == (0 if must_trace else len(CASES))


def unchanged(function: Any, argnum: int, cases: Any) -> Any:
    return function


def test_a_contract_that_compares_nothing_sends_no_values_and_is_decided_elsewhere() -> None:
    def draws_twice(seed: int) -> Any:
        key = jax.random.key(seed)
        return jax.random.normal(key) + jax.random.uniform(key)

    result = check_contract(KEY_REUSE, 0, draws_twice, [(1,), (2,)], FILE)
    assert (result.values, result.broken) == ([], None)
