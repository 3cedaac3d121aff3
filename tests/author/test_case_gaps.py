"""Crossing: what is legal and hidden in the cases is found, with a case to add that really closes the gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from grader import Problem, Real, Whole
from grader.author.case_gaps import faults_of_arguments, gaps
from grader.kit.arguments import Argument, Relation
from grader.kit.problem import Case
from tests.toy import problem_of


def experts(seed: int, N: int, E: int, k: int) -> Any: ...


def rows(seed: int, N: int, rate: float) -> Any: ...


EXPERTS: dict[str, Argument] = {"N": Whole(reach=3), "E": Whole(reach=3), "k": Whole(reach=3)}
FEWER: list[Relation] = [lambda E, k: k <= E]
CROSSED = [(0, 1, 3, 3), (0, 2, 4, 3), (0, 3, 1, 1), (0, 3, 2, 2), (0, 3, 3, 1), (0, 4, 3, 2), (0, 4, 3, 3)]
ROWS: dict[str, Argument] = {"N": Whole(reach=3), "rate": Real(0.0, below=1.0)}
ROWS_CROSSED = [(0, 1, 0.5), (0, 2, 0.5), (0, 3, 0.0), (0, 3, 0.97), (0, 3, 0.5)]


def of_experts(cases: Sequence[Case]) -> Problem:
    return problem_of(experts, cases=cases, arguments=EXPERTS, legal=FEWER)


def messages(problem: Problem) -> list[str]:
    return [gap.message for gap in gaps(problem)]


def test_cases_that_cross_their_arguments_have_no_gap() -> None:
    assert messages(of_experts(CROSSED)) == []
    assert messages(problem_of(rows, cases=ROWS_CROSSED, arguments=ROWS)) == []


def test_one_of_several_experts_must_be_chosen_where_there_are_several_tokens() -> None:
    """The two cases with k=1 have one token, or one expert: an argmax without an axis is right in both."""
    cases = [(0, 1, 3, 1), *(case for case in CROSSED if case != (0, 3, 3, 1))]
    (found,) = messages(of_experts(cases))
    assert found.startswith(
        "k=1 occurs only with N=1 or with E=1, so a mistake can hide there: add a case such as (0, "
    )


@pytest.mark.parametrize(
    ("without", "begins"),
    [
        ((0, 1, 3, 3), "no case has N=1, which is legal: add a case such as (0, 1, "),
        ((0, 3, 1, 1), "no case has E=1, which is legal: add a case such as (0, 3, 1, 1)"),
        ((0, 4, 3, 3), "each case has an argument that is small: add a case such as (0, 3, 3, 3)"),
        ((0, 3, 3, 1), "k=1 occurs only with E=1, so a mistake can hide there: add a case such as (0, "),
    ],
)
def test_what_a_case_alone_crosses_is_missed_without_it(without: Case, begins: str) -> None:
    found = messages(of_experts([case for case in CROSSED if case != without]))
    assert any(one.startswith(begins) for one in found), found


@pytest.mark.parametrize(
    ("without", "said"),
    [
        ((0, 3, 0.0), "no case has rate=0, which is legal: add a case such as (0, 3, 0.0)"),
        ((0, 3, 0.97), "no case has rate above 0.95, which is legal: add a case such as (0, 3, 0.96)"),
    ],
)
def test_the_legal_extremes_of_a_float_are_asked_for(without: Case, said: str) -> None:
    problem = problem_of(rows, cases=[case for case in ROWS_CROSSED if case != without], arguments=ROWS)
    assert said in messages(problem)


def test_nothing_is_asked_that_is_not_legal() -> None:
    """With one expert, k is 1: E=1 beside a larger k is not asked for."""
    assert not any("E=1 " in one and "k=" in one for one in messages(of_experts([(0, 3, 1, 1), (0, 4, 3, 3)])))


def test_a_bound_that_nothing_legal_reaches_is_said() -> None:
    problem = problem_of(experts, cases=[(0, 3, 3, 3)], arguments=EXPERTS, legal=[lambda N: N > 1])
    assert any(
        one.startswith("no case has N=1, which is legal, and nothing that was tried goes") for one in messages(problem)
    )


@pytest.mark.parametrize("start", [(0, 1, 1, 1), (0, 3, 3, 3), (0, 2, 2, 1)])
def test_adding_the_cases_that_it_asks_for_closes_every_gap(start: Case) -> None:
    cases = [start]
    for _ in range(30):
        found = [gap.case for gap in gaps(of_experts(cases)) if gap.case is not None]
        if not found:
            break
        assert found[0] not in cases
        cases.append(found[0])
    assert messages(of_experts(cases)) == []


def test_a_large_number_must_occur_where_no_other_whole_number_is_0_or_1() -> None:
    """In a table of one column, 300 positions may look right that are not."""
    arguments: dict[str, Argument] = {"N": Whole(reach=300), "E": Whole(0), "k": Whole(reach=3)}
    cases = [
        (0, 1, 9, 3),
        (0, 2, 9, 3),
        (0, 3, 1, 3),
        (0, 3, 2, 3),
        (0, 3, 0, 3),
        (0, 3, 3, 1),
        (0, 3, 3, 2),
        (0, 3, 3, 3),
    ]
    large = "N of at least 300 occurs only with E="
    for case, begins in (((0, 300, 1, 3), f"{large}1, so"), ((0, 300, 0, 3), f"{large}0, so"), ((0, 300, 2, 3), "")):
        found = messages(problem_of(experts, cases=[*cases, case], arguments=arguments))
        assert [one for one in found if one.startswith("N of")] == [one for one in found if begins and begins in one]
        assert len(found) == bool(begins)


def test_a_large_number_may_stand_beside_1_where_nothing_else_is_legal() -> None:
    arguments: dict[str, Argument] = {"N": Whole(), "E": Whole(), "k": Whole(reach=3)}
    alone = problem_of(experts, cases=[(0, 9, 1, 1)], arguments=arguments, legal=[lambda N, E: E < 2 or N < 9])
    assert not any(one.startswith("N of at least 9 occurs only with E") for one in messages(alone))


def test_arguments_that_are_not_declared_are_asked_for() -> None:
    (found,) = faults_of_arguments(problem_of(rows, cases=[(0, 1, 0.5), (0, 2, 0.5)]))
    assert found[0] == "arguments"
    assert 'add arguments={"N": Whole(...), "rate": Real(...)}' in found[1]
    declared = problem_of(rows, cases=ROWS_CROSSED[1:], arguments=ROWS)
    assert [check for check, _ in faults_of_arguments(declared)] == ["uncrossed"]
