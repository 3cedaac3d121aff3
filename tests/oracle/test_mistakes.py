"""The worked answer with mistakes: every set on one case and on all cases, and the choice of the screening case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import random

from grader.kit.mistakes import form_numbers, pitfall_sets
from grader.kit.problem import Case, Problem
from grader.kit.problem_error import ProblemError
from grader.marking.facts import MistakeSet
from grader.oracle import mistakes
from grader.oracle.expect import expect, trace, trace_sets
from grader.oracle.mistakes import confirm, for_key, rough, screening_case
from grader.oracle.store import roughly
from grader.values.arrays import Expected
from tests.toy import forms, problem_of

CASES: list[Case] = [(0, 1), (0, 2), (0, 5), (0, 6)]


def ramp(seed: int, n: int) -> Any:
    values = jnp.arange(n, dtype=jnp.float32) * 1.0 + 0.0
    #: double: 1.0 -> 2.0
    #: triple: 1.0 -> 3.0
    #: shifted: 0.0 -> 1.0, or -1.0
    return values
    #: backwards: values -> jnp.flip(values)


def numbers(case: Case, *, factor: float = 1.0, shift: float = 0.0, backwards: bool = False) -> np.ndarray:
    values = np.arange(case[1]) * factor + shift
    return values[::-1] if backwards else values


PROBLEM = problem_of(ramp, cases=CASES)
VALUES = {
    ("double",): [{"factor": 2.0}],
    ("triple",): [{"factor": 3.0}],
    ("shifted",): [{"shift": 1.0}, {"shift": -1.0}],
    ("backwards",): [{"backwards": True}],
    ("double", "shifted"): [{"factor": 2.0, "shift": 1.0}, {"factor": 2.0, "shift": -1.0}],
    ("double", "backwards"): [{"factor": 2.0, "backwards": True}],
    ("triple", "shifted"): [{"factor": 3.0, "shift": 1.0}, {"factor": 3.0, "shift": -1.0}],
    ("triple", "backwards"): [{"factor": 3.0, "backwards": True}],
    ("shifted", "backwards"): [{"shift": 1.0, "backwards": True}, {"shift": -1.0, "backwards": True}],
}


def truth(problem: Problem) -> list[Expected]:
    return [expect(trace(problem, case)) for case in problem.cases]


def only(*names: str, cases: list[Case] | None = None) -> Problem:
    """The problem with some of its mistakes."""
    solution = PROBLEM.solution
    assert solution is not None
    kept = tuple(one for one in solution.pitfalls if one.name in names)
    return replace(PROBLEM, cases=cases or CASES, solution=replace(solution, pitfalls=kept))


def outputs(problem: Problem, size: int, case: int) -> list[MistakeSet]:
    """The sets in declared order: they come in the order in which they are traced."""
    sets = pitfall_sets(problem.pitfalls, size)
    declared = [(names, form_numbers(problem.pitfalls, names, made)) for names, made in sets] if size else []
    found = list(mistakes.outputs(problem, size, case))
    return sorted(found, key=lambda one: declared.index((one.names, one.forms))) if size else found


@pytest.mark.parametrize("size", [1, 2])
def test_every_set_that_can_be_made_comes_with_its_numbers(size: int) -> None:
    found = outputs(PROBLEM, size, 2)
    due = [(names, values) for names, listed in VALUES.items() if len(names) == size for values in listed]
    assert [mistake.names for mistake in found] == [names for names, _ in due]
    assert [len(mistake.forms) for mistake in found] == [size] * len(due)
    assert len({(mistake.names, mistake.forms) for mistake in found}) == len(due)
    for mistake, (_, values) in zip(found, due, strict=True):
        assert np.array_equal(mistake.expected.values, numbers(CASES[2], **values))


def test_mistakes_that_change_the_same_part_are_never_combined() -> None:
    triples = {mistake.names for mistake in outputs(PROBLEM, 3, 2)}
    assert triples == {("double", "shifted", "backwards"), ("triple", "shifted", "backwards")}
    assert outputs(PROBLEM, 4, 2) == []


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_set_is_confirmed_on_all_cases_within_its_own_tolerances(size: int) -> None:
    for mistake in outputs(PROBLEM, size, 2):
        confirmed = confirm(PROBLEM, mistake.names, mistake.forms)
        assert len(confirmed) == len(CASES)
        assert np.array_equal(confirmed[2].values, mistake.expected.values)
        for one, case in zip(confirmed, CASES, strict=True):
            assert np.shape(one.tolerance) == one.values.shape == (case[1],)


def test_the_tolerance_on_the_screening_case_is_wider_than_the_confirmations() -> None:
    def sine(seed: int, n: int) -> Any:
        return jnp.sin(jnp.arange(n) / 3)
        #: fast: (n) / 3 -> (n) / 3 * 1e4

    problem = problem_of(sine, cases=CASES)
    (mistake,) = outputs(problem, 1, 3)
    confirmed = confirm(problem, mistake.names, mistake.forms)[3]
    due = truth(problem)[3]
    assert mistake.expected.largest_tolerance > confirmed.largest_tolerance
    # A mistake can be more sensitive to rounding than the truth.
    assert confirmed.largest_tolerance > 100 * due.largest_tolerance
    assert rough(trace(problem, CASES[3])).largest_tolerance > due.largest_tolerance


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_key_is_nowhere_more_generous_than_the_reference(size: int) -> None:
    cases = [1, 3]
    sets = dict(for_key(PROBLEM, size, cases))
    for mistake in outputs(PROBLEM, size, 3):
        key = mistake.names, mistake.forms
        confirmed = confirm(PROBLEM, *key)
        for case, one in zip(cases, sets[key], strict=True):
            assert np.array_equal(one.values, confirmed[case].values)
            assert np.all(one.tolerance <= confirmed[case].tolerance)
        # What is too sensitive to rounding to be compared on the screening case is so in the key as well.
        if mistake.expected.by_value:
            assert np.all(roughly(sets[key][1]).tolerance >= mistake.expected.tolerance)
        assert len(sets) == len(list(outputs(PROBLEM, size, 3)))


@pytest.mark.parametrize("size", [2, 3])
def test_the_tolerance_of_a_set_follows_from_its_members(size: int) -> None:
    found = list(outputs(PROBLEM, size, 3))
    assert found
    for mistake, (_, made) in zip(found, pitfall_sets(PROBLEM.pitfalls, size), strict=True):
        noisy = rough(trace(PROBLEM, CASES[3], made))
        assert np.array_equal(mistake.expected.values, noisy.values)
        assert np.all(noisy.tolerance <= mistake.expected.tolerance)


def test_a_set_with_a_member_that_is_sensitive_to_rounding_has_the_noise_of_its_own_program() -> None:
    def line(seed: int, n: int) -> Any:
        values = jnp.arange(n, dtype=jnp.float32)
        #: double: values = jnp.arange(n, dtype=jnp.float32) * 2.0
        return values
        #: drowned: return (values + 1e7) - 1e7

    problem = problem_of(line, cases=[(0, 5)])
    (mistake,) = outputs(problem, 2, 0)
    noisy = rough(trace(problem, (0, 5), forms(problem, "double", "drowned")))
    assert np.array_equal(mistake.expected.tolerance, noisy.tolerance)
    assert noisy.largest_tolerance > 1.0


def test_forms_that_are_tried_alone_are_in_no_larger_set_and_do_not_choose_the_screening_case() -> None:
    def by_chance(seed: int, n: int) -> Any:
        values = jnp.arange(n, dtype=jnp.float32) * 1.0 + 0.0
        #: shifted: 0.0 -> 1.0
        #: shifted (alone): 0.0 -> -1.0, or 7.0
        return values
        #: backwards: values -> jnp.flip(values)

    problem = problem_of(by_chance, cases=CASES)
    assert [mistake.names for mistake in outputs(problem, 1, 2)] == [*[("shifted",)] * 3, ("backwards",)]
    assert [mistake.forms for mistake in outputs(problem, 2, 2)] == [(0, 0)]
    assert np.array_equal(confirm(problem, ("shifted",), (2,))[1].values, numbers(CASES[1], shift=7.0))
    without = only("shifted", "backwards")
    assert screening_case(problem, truth(problem)) == screening_case(without, truth(without))


@pytest.mark.parametrize(
    ("names", "forms"),
    [(("double",), (9,)), (("gone",), (0,)), (("backwards", "double"), (0, 0)), ((), (1,)), (("double",), ())],
)
def test_a_set_that_the_reference_does_not_have_is_a_fault_that_says_how_to_fix_it(
    names: tuple[str, ...], forms: tuple[int, ...]
) -> None:
    with pytest.raises(ProblemError, match=r"ramp has no such set of forms .*remove its saved oracle"):
        confirm(PROBLEM, names, forms)


@pytest.mark.parametrize(
    ("pitfalls", "case"),
    [
        ([], 0),
        (["shifted"], 0),
        (["double"], 1),
        (["backwards"], 1),
        # With two values, each mistake gives other numbers than all the rest.
        (["double", "triple", "shifted", "backwards"], 1),
    ],
)
def test_the_screening_case_is_the_first_on_which_all_pitfalls_differ(pitfalls: list[str], case: int) -> None:
    problem = only(*pitfalls)
    assert screening_case(problem, truth(problem)) == case


def test_two_forms_of_one_mistake_may_be_the_same_on_the_screening_case() -> None:
    def twice(seed: int, n: int) -> Any:
        values = jnp.arange(n, dtype=jnp.float32) * 1.0
        #: double: 1.0 -> 2.0, or (2.0 + 1e-9)
        return values
        #: backwards: values -> jnp.flip(values)

    problem = problem_of(twice, cases=[(0, 1), (0, 3), (0, 4)])
    assert screening_case(problem, truth(problem)) == 1


def test_what_two_names_have_in_common_on_an_early_case_ends_the_look_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = only("double", "triple", "backwards", "half", "shifted", "negative")
    expected = truth(problem)
    traced: list[tuple[int, int]] = []

    def counted(problem: Any, case: Any, sets: Any) -> Any:
        traced.append((case[1], len(sets)))
        return trace_sets(problem, case, sets)

    monkeypatch.setattr(mistakes, "trace_sets", counted)
    assert screening_case(problem, expected) == 1
    assert traced == [(1, 4), (2, 4), (2, 1)]


def test_without_such_a_case_the_screening_case_is_the_first_on_which_most_pitfalls_differ() -> None:
    def same(seed: int, n: int) -> Any:
        values = jnp.arange(n, dtype=jnp.float32) * 1.0
        #: double: 1.0 -> 2.0
        #: double-again: 1.0 -> (2.0 + 0.0), or (2.0 + 1e-9)
        return values
        #: backwards: values -> jnp.flip(values)

    problem = problem_of(same, cases=[(0, 1), (0, 3), (0, 4)])
    assert screening_case(problem, truth(problem)) == 1


def test_a_mistake_that_changes_the_length_differs_on_every_case() -> None:
    def ones(seed: int, n: int) -> Any:
        return jnp.ones(n)
        #: longer: n -> n + 1

    problem = problem_of(ones, cases=CASES)
    assert screening_case(problem, truth(problem)) == 0
    assert [one.values.size for one in confirm(problem, ("longer",), (0,))] == [2, 3, 6, 7]


def two_draws(seed: int, n: int) -> Any:
    first, second = random.split(random.key(seed))
    return random.normal(first, (n,)) - 2 * random.normal(second, (n,))
    #: double: random.normal(first -> 2.0 * random.normal(first


def test_size_zero_is_the_reference_with_keys_exchanged() -> None:
    problem = problem_of(two_draws, cases=[(0, 2), (1, 5)])
    (mistake,) = outputs(problem, 0, 1)
    first, second = random.split(random.key(1))
    assert (mistake.names, mistake.forms) == ((), (0,))
    assert np.allclose(mistake.expected.values, random.normal(second, (5,)) - 2 * random.normal(first, (5,)))
    confirmed = confirm(problem, (), (0,))
    assert [one.size for one in confirmed] == [2, 5]
    assert np.array_equal(confirmed[1].values, mistake.expected.values)
    with pytest.raises(ProblemError, match="no such set"):
        confirm(problem, (), (1,))


def test_a_reference_that_draws_nothing_has_no_keys_to_exchange() -> None:
    assert list(outputs(PROBLEM, 0, 2)) == []


@pytest.mark.parametrize("size", [2, 3])
def test_a_set_with_which_the_reference_raises_is_left_out(size: int) -> None:
    """Alone each mistake leaves a row; on the smallest case, both leave none, and an answer that makes both raises."""

    def last(seed: int, n: int) -> Any:
        rows = range(n)[0:None]
        #: first-skipped: 0 -> 1
        #: last-dropped: None -> -1
        return jnp.sin(rows[-1] + jnp.arange(3.0))
        #: negated: jnp.sin -> -jnp.sin

    problem = problem_of(last, cases=[(0, 2), (0, 5)])
    both = {"first-skipped", "last-dropped"}
    listed = list(pitfall_sets(problem.pitfalls, size))
    keys = [(names, form_numbers(problem.pitfalls, names, forms)) for names, forms in listed]
    impossible = [key for key in keys if both <= {*key[0]}]
    assert impossible
    for case, left in ((0, impossible), (1, [])):
        made = [(one.names, one.forms) for one in outputs(problem, size, case)]
        assert made == [key for key in keys if key not in left]
    assert {key for key, _ in for_key(problem, size, [0, 1])}.isdisjoint(impossible)
    assert all(one.size == 0 for one in confirm(problem, *impossible[0]))
