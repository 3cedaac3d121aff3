"""Fresh inputs: the same seed gives the same inputs, they make sense, and rounding does not decide their values."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader import Real, Whole
from grader.kit.problem import Case, Problem
from grader.kit.problem_error import ProblemError
from grader.oracle.calls import CALLS_DRAWN, fresh_calls
from grader.oracle.server import load
from grader.values.arrays import Expected
from tests.conftest import FLAGSHIP, closely, worked_answer
from tests.test_problems import KIT, NAMES
from tests.toy import problem_of


def drawn(seed: int, T: int) -> Any:
    return jax.random.normal(jax.random.key(seed), (T,)).reshape(-1)


def even(seed: int, T: int, d: int, scale: float) -> Any:
    if d % 2:
        raise ValueError("d must be even")
    return (scale * jnp.arange(T * d, dtype=jnp.float32)).reshape(-1)


def scaled(seed: int, T: int, d: int, scale: float) -> Any:
    return scale * jax.random.normal(jax.random.key(seed), (T * d,))


def of_small_seeds(seed: int, T: int) -> Any:
    if seed > 9:
        raise ValueError("no such seed")
    return jnp.zeros(T)


def rounded(seed: int, T: int) -> Any:
    x = jax.random.normal(jax.random.key(seed), (T,))
    return jnp.floor((x - x) + 3.0 * (x / 3.0 - x / 3.0) + jnp.where(seed % 2 == 0, x / x, 0.5)).reshape(-1)


def calls(problem: Problem, seed: int) -> list[Case]:
    return [case for case, _, _ in fresh_calls(problem, seed)]


def test_the_same_seed_draws_the_same_and_another_draws_others() -> None:
    problem = problem_of(drawn, cases=[(0, 3), (1, 5)])
    assert calls(problem, 7) == calls(problem, 7) != calls(problem, 8)


def test_where_the_seed_draws_something_the_sizes_are_the_cases() -> None:
    problem = problem_of(drawn, cases=[(0, 3), (1, 5)])
    found = calls(problem, 7)
    assert len(set(found)) == CALLS_DRAWN
    assert {case[1] for case in found} <= {3, 5}
    assert not {case[0] for case in found} & {0, 1}


def test_where_the_seed_draws_nothing_other_sizes_of_the_same_kind_are_drawn() -> None:
    problem = problem_of(even, cases=[(0, 1, 2, 0.5), (0, 5, 6, 2.0), (0, 30, 8, 1.0)])
    for seed in range(5):
        for _, T, d, scale in calls(problem, seed):
            assert 1 <= T <= 30
            assert d in (2, 4, 6, 8)
            assert 0.5 <= scale <= 2.0
            assert T * d * max(scale, 1.0) <= 240


def test_where_arguments_are_declared_legal_values_are_drawn_with_new_seeds() -> None:
    problem = problem_of(
        scaled,
        cases=[(0, 2, 4, 0.5), (1, 9, 12, 2.0)],
        arguments={"T": Whole(2), "d": Whole(4, step=4), "scale": Real(above=0.0)},
        legal=[lambda T, d: d > T],
    )
    for seed in range(5):
        for new, T, d, scale in calls(problem, seed):
            assert new >= 1000
            assert (2 <= T < d, d % 4, 0.5 <= scale <= 2.0) == (True, 0, True)
    assert {T for seed in range(5) for _, T, *_ in calls(problem, seed)} > {2, 9}


def test_a_call_that_rounding_decides_is_drawn_again() -> None:
    problem = problem_of(rounded, cases=[(1, 2), (3, 2)])
    assert all(seed % 2 for seed, _ in calls(problem, 0))


def test_if_no_call_can_be_drawn_the_fault_says_what_to_write() -> None:
    problem = problem_of(of_small_seeds, cases=[(0, 3)], arguments={"T": Whole()})
    with pytest.raises(ProblemError, match="say in `arguments` and `legal` which arguments a call may have"):
        fresh_calls(problem, 1)


def test_where_hardly_any_call_is_legal_drawing_ends() -> None:
    only = 0.12345  # drawn numbers have three decimals
    arguments = {"T": Whole(), "d": Whole(2, step=2), "scale": Real()}
    problem = problem_of(even, cases=[(0, 3, 2, only)], arguments=arguments, legal=[lambda scale: scale == only])
    with pytest.raises(ProblemError, match="no fresh inputs"):
        fresh_calls(problem, 1)


@pytest.mark.parametrize("name", closely(NAMES))
def test_every_problem_has_fresh_inputs_and_its_worked_answer_is_right_on_them(name: str) -> None:
    from grader.run.answer.process import load as load_answer
    from grader.values.arrays import excess
    from tests.test_answers import traced, value_of

    problem = load(KIT.answer(name))
    answer = load_answer(worked_answer(KIT, name), f"{name}.py", name, problem.parameters)
    for case, _, due in fresh_calls(problem, 20):
        with jax.default_matmul_precision("highest"):
            values = value_of(traced(answer, case)).array
        assert values is not None
        half = values.size  # the expected values may end in derivatives, which the call does not give
        tolerance = due.tolerance[:half] if isinstance(due.tolerance, np.ndarray) else due.tolerance
        assert excess(values, due.values[:half], Expected(due.values[:half], tolerance)) <= 1.0, case


def test_the_flagships_fresh_inputs_are_of_its_kind() -> None:
    assert all(d % 2 == 0 for _, _, d in calls(load(KIT.answer(FLAGSHIP)), 11))
