"""What the process of a reference is called for: JSON documents, and arrays that the judging process makes values of."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from grader.jaxpr.lower import Together, lower
from grader.kit.arguments import Whole
from grader.kit.problem import Problem, Trace
from grader.kit.problem_error import ProblemError
from grader.oracle import calls, mistakes
from grader.oracle.expect import truth_of
from grader.oracle.store import SavedOracle
from grader.values import frames
from grader.values.arrays import Expected
from grader.values.codec import encode, from_frame
from grader.where.steps import Packed
from tests.oracle.conftest import PROBLEM, assert_same
from tests.toy import problem_of

ALL = [
    calls.facts(PROBLEM),
    calls.truth(PROBLEM),
    calls.level(PROBLEM, 1, 1),
    calls.confirmed(PROBLEM, ["faster"], [0]),
    calls.sets(PROBLEM, 1, [0, 2]),
    calls.fresh(PROBLEM, 7),
    calls.steps(PROBLEM, False),
]


@pytest.mark.parametrize("reply", ALL, ids=lambda reply: type(reply).__name__)
def test_a_reply_comes_back_as_it_was_sent(reply: Any) -> None:
    header, arrays = frames.decode(encode(reply))
    json.dumps(header, allow_nan=False)
    assert_same(from_frame(type(reply), header, arrays), reply)


def test_each_set_is_in_one_part(oracle: SavedOracle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "SETS_OF_SHARE", 2)
    assert oracle.screening_case is not None
    found = [calls.level(PROBLEM, 2, oracle.screening_case, part, 2) for part in range(2)]
    due = {one.key: one.expected for one in oracle.levels[2]}
    assert sorted(key for reply in found for key in reply.keys) == sorted(due)
    for reply in found:
        assert 2 <= len(reply.keys) < len(due)
        assert_same(reply.expected.expected(len(reply.keys)), [due[key] for key in reply.keys])


def test_for_a_key_each_set_has_its_values_on_each_case() -> None:
    reply = calls.sets(PROBLEM, 1, [0, 2])
    assert [one.size for one in reply.expected.expected(2 * len(reply.keys))] == [1, 4] * len(reply.keys)


def test_a_key_may_hold_no_steps() -> None:
    assert calls.steps(PROBLEM, False, 10).steps == Packed(b"", ())


def test_steps_that_nobody_can_compute_are_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(problem: Problem, *, of_value: bool) -> Any:
        raise ProblemError("no")

    monkeypatch.setattr(calls, "steps_of", fails)
    assert calls.steps(PROBLEM, True).steps == Packed(b"", ())


def test_the_compiled_reference_has_to_be_right_on_a_device() -> None:
    expected = truth_of(PROBLEM)[1].expected
    calls.check_reference(PROBLEM, expected, "cpu")
    off: list[Expected] = [dataclasses.replace(one, values=one.values + 1.0) for one in expected]
    with pytest.raises(ProblemError, match="compiled on cpu, is "):
        calls.check_reference(PROBLEM, off, "cpu")


def unsteady(seed: int, n: int) -> Any:
    return jnp.arange(n) * 1.5


def test_facts_are_the_declaration_without_its_code() -> None:
    facts = calls.facts(problem_of(unsteady, cases=[(0, 3)], axes=("i",)))
    assert (facts.name, facts.parameters, facts.cases, facts.axes) == ("unsteady", ("seed", "n"), ((0, 3),), ("i",))


def summed(seed: int, n: int) -> Any:
    return jax.lax.scan(lambda total, one: (total + one, total + one), jnp.zeros(()), jnp.ones(n))[1]


@pytest.mark.parametrize(("sizes", "idle"), [((1, 3, 1), {"scan": (0, 2)}), ((2, 3, 4), {}), ((1, 1, 1), {})])
def test_an_operation_is_not_looked_for_where_that_of_the_reference_does_nothing(
    sizes: tuple[int, ...], idle: dict[str, tuple[int, ...]]
) -> None:
    """Where it does nothing in any case, it is looked for in all: else nobody would have to write it."""
    cases = list(enumerate(sizes))
    problem = problem_of(summed, cases=cases, contract="trace", trace=Trace(needs=["scan"]))
    assert calls.facts(problem).asked.idle == idle


def test_answers_may_write_down_what_an_argument_of_a_small_reach_counts() -> None:
    few, many = (
        calls.facts(problem_of(unsteady, cases=[(0, 3)], arguments={"n": Whole(reach=reach)})) for reach in (4, 9)
    )
    assert (few.repeats, many.repeats) == (True, False)


def test_the_check_of_a_reference_compiles_none_of_its_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """To compile a draw takes longer than to make it: a first verdict would wait for seconds."""

    def drawing(seed: int, n: int) -> Any:
        return jax.random.normal(jax.random.key(seed), (n,)) * 2.0

    problem, made = problem_of(drawing, cases=[(0, 3), (1, 4)]), list[Together]()

    def lowered(programs: Any) -> Together:
        made.append(lower(programs))
        return made[-1]

    monkeypatch.setattr(calls, "lower", lowered)
    calls.check_reference(problem, truth_of(problem)[1].expected, "cpu")
    (together,) = made
    assert [len(numbers) for group in together.groups for numbers in group.drawn] == [1, 1]
