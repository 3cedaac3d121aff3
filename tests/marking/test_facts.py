"""Facts of a problem: arguments by name, more cases, and the parameter of a derivative."""

from __future__ import annotations

import pytest

from grader.marking.facts import Facts

FACTS = Facts("toy", ("seed", "T", "t"), ((0, 2, 0.5), (1, 3, 0.25)), ("row",), (), "grad", "t")


def test_the_arguments_of_a_case_have_the_names_of_the_parameters() -> None:
    assert FACTS.arguments(1) == {"seed": 1, "T": 3, "t": 0.25}


def test_a_case_of_another_length_than_the_parameters_is_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        FACTS.with_cases([(0, 2)]).arguments(2)


def test_more_cases_come_after_its_own_and_nothing_else_changes() -> None:
    more = FACTS.with_cases([(9, 4, 1.0)])
    assert more.cases == ((0, 2, 0.5), (1, 3, 0.25), (9, 4, 1.0))
    assert (more.name, more.axes, more.contract, more.wrt) == ("toy", ("row",), "grad", "t")
    assert len(FACTS.cases) == 2
    assert FACTS.with_cases([]) == FACTS


def test_a_derivative_is_taken_by_the_index_of_its_parameter() -> None:
    assert FACTS.argnum == 2
    assert Facts("toy", ("seed", "T"), ((0, 2),), (), ()).argnum == 0
