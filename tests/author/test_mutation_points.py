"""Where a program can be changed: the line that made an operation, no draws, changes at any depth."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.author.mutation import EvaluatedMutant, MutationPoint, mutation_points, mutations
from grader.kit.problem_error import ProblemError
from grader.oracle.expect import TracedReference, trace
from grader.oracle.server import load
from grader.program.data import Equation
from grader.program.evaluate import Evaluate, Evaluation
from tests.jaxpr.evaluating import as_reference

TEXT = """import jax
import jax.numpy as jnp

from grader import Problem


def sample(seed, T):
    x = jax.random.normal(jax.random.key(seed), (T,))
    y = jnp.where(x > 0, x, -x)  # where

    def step(total, value):
        total = total + 2.0 * value  # step
        return total, total

    _, sums = jax.lax.scan(step, 0.0, y)
    return jnp.sin(sums).reshape(-1)  # sine


problem = Problem(cases=[(0, 3), (1, 6)])
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> TracedReference:
    file = tmp_path_factory.mktemp("points") / "sample" / "answer.py"
    file.parent.mkdir()
    file.write_text(TEXT)
    problem = load(file)
    return trace(problem, problem.cases[0])


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(TEXT.splitlines(), start=1) if text in line)


def found(sample: TracedReference) -> list[MutationPoint]:
    return list(mutation_points(sample.live))


@pytest.mark.parametrize(
    ("operation", "text", "inside"),
    [("sin", "# sine", False), ("select_n", "# where", False), ("gt", "# where", False), ("mul", "# step", False)],
)
def test_an_operation_is_at_the_line_of_the_reference_that_made_it(
    operation: str, text: str, inside: bool, sample: TracedReference
) -> None:
    (point,) = [point for point in found(sample) if point.equation.operation == operation]
    assert (point.line, point.inside) == (line_of(text), inside)


def test_nothing_of_a_draw_is_a_site(sample: TracedReference) -> None:
    names = {point.equation.operation for point in found(sample)}
    assert not names & {"erf_inv", "random_bits", "shift_right_logical"}


def test_a_change_within_a_scan_changes_every_round_and_nothing_else(sample: TracedReference) -> None:
    (point,) = [point for point in found(sample) if point.equation.operation == "mul"]
    (doubled,) = [one for one in mutations(point.equation, point.forms) if one.name == "constant-doubled"]
    evaluated = EvaluatedMutant(sample)
    assert np.array_equal(evaluated.changed([], doubled.change), sample.exact)
    draws = np.asarray(jax.random.normal(jax.random.key(0), (3,)))
    assert np.allclose(
        evaluated.changed([point.equation], doubled.change), np.sin(np.cumsum(4 * np.abs(draws))), atol=1e-6
    )


def change(program: Any, name: str, *which: int) -> np.ndarray:
    """The output of a program with the mutation `name` at its equations number `which` that have it."""
    traced = as_reference(jax.make_jaxpr(program)())
    points = mutation_points(traced.live)
    listed = [(point, one) for point in points for one in mutations(point.equation, point.forms) if one.name == name]
    return EvaluatedMutant(traced).changed([listed[index][0].equation for index in which], listed[which[0]][1].change)


def test_a_function_that_is_called_twice_is_changed_in_one_call() -> None:
    sine = jax.jit(jnp.sin)

    def program() -> Any:
        return sine(jnp.zeros(2)) + 10 * sine(jnp.zeros(2))

    assert change(program, "cos-for-sin", 0).tolist() == [1, 1]
    assert change(program, "cos-for-sin", 1).tolist() == [10, 10]


def test_several_equations_are_changed_together() -> None:
    assert change(lambda: jnp.sin(jnp.zeros(1)) + 10 * jax.jit(jnp.sin)(jnp.zeros(1)), "cos-for-sin", 0, 1) == 11


def test_a_branch_that_is_not_taken_may_be_changed_without_effect() -> None:
    def program() -> Any:
        return jax.lax.cond(jnp.zeros(()) > 1, jnp.sin, jnp.tanh, jnp.zeros(1))

    assert change(program, "cos-for-sin", 0) == 0
    assert change(program, "logistic-for-tanh", 0) == 0.5


def test_a_change_is_called_for_its_own_equation_alone() -> None:
    def program() -> Any:
        return jnp.sin(jnp.zeros(2)) + jnp.sort(jnp.arange(2.0))

    traced = as_reference(jax.make_jaxpr(program)())
    evaluated, again = EvaluatedMutant(traced), []
    (point,) = [point for point in mutation_points(traced.live) if point.equation.operation == "sin"]

    def plus_two(equation: Equation, inputs: list[Any], evaluate: Evaluate) -> list[Any]:
        again.append(equation.operation)
        return [output + 2 for output in evaluate(equation, inputs)]

    assert evaluated.changed([point.equation], plus_two).tolist() == [2, 3]
    assert evaluated.changed([], plus_two).tolist() == [0, 1]
    assert set(again) == {"sin"}


def test_a_change_within_rounding_is_none_and_one_beyond_it_counts() -> None:
    traced = as_reference(jax.make_jaxpr(lambda: 10 * jnp.sin(jnp.ones(2)))())
    (point,) = [point for point in mutation_points(traced.live) if point.equation.operation == "sin"]

    def moved(by: float) -> Any:
        return lambda equation, inputs, evaluate: [output * (1 + by) for output in evaluate(equation, inputs)]

    evaluated = EvaluatedMutant(traced)
    assert evaluated.changed([point.equation], moved(1e-14)).tolist() == traced.exact.tolist()
    assert np.allclose(evaluated.changed([point.equation], moved(1e-9)), traced.exact * (1 + 1e-9), rtol=1e-15)


def test_a_change_of_a_loop_itself_counts(sample: TracedReference) -> None:
    (point,) = [point for point in found(sample) if point.equation.operation == "scan"]
    (reverse,) = [one for one in mutations(point.equation, point.forms) if one.name == "scan-reversed"]
    draws = np.asarray(jax.random.normal(jax.random.key(0), (3,)))
    evaluated = EvaluatedMutant(sample)
    for _ in range(2):  # an execution that was evaluated again is not one more
        assert np.allclose(
            evaluated.changed([point.equation], reverse.change),
            np.sin(np.cumsum(2 * np.abs(draws)[::-1])[::-1]),
            atol=1e-6,
        )


def rounds(step: float) -> Any:
    """How many rounds a loop of this step takes to ten, and the sum of the sines of its numbers."""

    def body(state: Any) -> Any:
        return state[0] + step, state[1] + 1.0, state[2] + jnp.sin(state[0])

    zero = jnp.zeros(())
    return jnp.stack(jax.lax.while_loop(lambda state: state[0] < 10.0, body, (zero, zero, zero))[1:])


STEP = 4
"""The number of the step among the constants of that loop."""


@pytest.mark.parametrize(("name", "step"), [("constant-doubled", 3.0), ("constant-plus-one", 2.5)])
def test_a_loop_that_takes_other_rounds_with_a_change_gives_what_it_gives_then(name: str, step: float) -> None:
    assert np.allclose(change(lambda: rounds(1.5), name, STEP), rounds(step))


def test_a_loop_may_take_more_rounds_with_a_change() -> None:
    assert np.allclose(change(lambda: rounds(5.0), "constant-dropped", STEP + 1), [0.0, rounds(5.0)[1]])
    assert np.allclose(change(lambda: rounds(5.0), "constant-doubled", STEP - 1), [4.0, np.sin([0, 5, 10, 15]).sum()])


def test_a_change_that_is_tried_on_a_loop_first_leaves_as_many_rounds_for_the_whole() -> None:
    """Its condition and its body run 400 times each with the change. Twice that would be too many."""

    def program() -> Any:
        return jax.lax.while_loop(lambda x: x < 1.0, lambda x: x + 1.0, jnp.zeros(()))

    traced = as_reference(jax.make_jaxpr(program)())
    (loop,) = [one for one in traced.live.block.equations if one.operation == "while"]

    def earlier(equation: Equation, inputs: list[Any], evaluate: Evaluate) -> list[Any]:
        return evaluate(equation, [one - 400.5 for one in inputs])

    assert EvaluatedMutant(traced).changed([loop], earlier) == 1.5


def test_a_loop_that_a_change_makes_endless_is_a_fault() -> None:
    with pytest.raises(ProblemError, match="too many rounds"):
        change(lambda: rounds(1.5), "constant-dropped", STEP)


def test_a_change_that_leads_to_another_branch_gives_what_this_branch_gives() -> None:
    def program() -> Any:
        return jax.lax.cond(jnp.zeros(()) + 1.0 > 1.5, lambda x: jnp.sin(x), lambda x: jnp.tanh(x), jnp.ones(1))

    assert np.allclose(change(program, "constant-doubled", 0), np.sin(1.0))


def test_a_change_within_a_loop_of_a_loop_reaches_every_round() -> None:
    def program(factor: float = 2.0) -> Any:
        def inner(total: Any, one: Any) -> Any:
            return total + factor * one, total

        def outer(total: Any, row: Any) -> Any:
            total, sums = jax.lax.scan(inner, total, row)
            return total, sums.sum() + jnp.minimum(total, 0.0)

        return jax.lax.scan(outer, jnp.zeros(()), jnp.arange(6.0).reshape(2, 3))[1]

    assert np.allclose(change(program, "constant-doubled", 1), program(4.0))


def test_a_change_that_cannot_be_seen_behind_an_operation_goes_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    traced = as_reference(jax.make_jaxpr(lambda: jnp.sin(jnp.maximum(jnp.zeros(2) - 5.0, 0.0)))())
    (point,) = [point for point in mutation_points(traced.live) if point.equation.operation == "sub"]
    evaluated, again = EvaluatedMutant(traced), []

    def applied(evaluation: Evaluation, equation: Equation, inputs: Any) -> Any:
        again.append(equation.operation)
        return of_all(evaluation, equation, inputs)

    of_all = Evaluation._apply
    monkeypatch.setattr(Evaluation, "_apply", applied)
    (doubled,) = [one for one in mutations(point.equation, point.forms) if one.name == "constant-doubled"]
    assert evaluated.changed([point.equation], doubled.change).tolist() == [0, 0]
    assert set(again) == {"sub", "max"}


def test_a_change_that_an_operation_cannot_take_is_a_fault() -> None:
    with pytest.raises(ProblemError):
        change(lambda: jnp.ones((2, 3)) @ jnp.ones((3, 1)), "left-transposed", 0)
