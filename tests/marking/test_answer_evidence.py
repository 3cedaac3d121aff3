"""An answer as written and under its contract: which values the verdict tells, and which programs are worth a search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt
from grader.values.arrays import Answered
from tests.marking.evidence import Calls
from tests.marking.test_conclude import FACTS, UNDER_GRAD, Doubled, WithDerivative, gives, rows
from tests.marking.test_judgement import Programs


def arrays(answered: list[Answered]) -> list[Any]:
    return [one.array for one in answered]


@pytest.mark.parametrize(
    ("written", "under", "told"),
    [(2.0, 2.0, "written"), (3.0, 2.0, "written"), (2.0, 3.0, "under"), (3.0, 3.0, "under")],
)
def test_the_values_under_a_contract_are_told_where_they_are_wrong(written: float, under: float, told: str) -> None:
    attempt = Attempt(answered=gives(1.0, written), transformed=gives(1.0, under))
    answer = AnswerEvidence(attempt, replace(FACTS, contract="jit"), Doubled())
    assert answer.reported is getattr(answer, told)


@pytest.mark.parametrize(("off", "told"), [(0.0, "under"), (1.0, "written")])
def test_right_derivatives_are_told_unless_the_values_as_written_are_wrong(off: float, told: str) -> None:
    answer = AnswerEvidence(Attempt(answered=rows(off, 3), transformed=rows(0.0, 6)), UNDER_GRAD, WithDerivative())
    assert answer.reported is getattr(answer, told)


def test_a_derivative_of_what_has_another_form_is_not_looked_at() -> None:
    attempt = Attempt(answered=rows(0.0, 2), transformed=rows(0.0, 6))
    answer = AnswerEvidence(attempt, UNDER_GRAD, WithDerivative(), derivatives=Programs(arrays(rows(1.0, 6))))
    assert (answer.under, answer.of_programs, answer.to_locate) == (None, None, None)


def test_a_wrong_derivative_may_have_its_mistake_in_the_value() -> None:
    wrong = rows(1.0, 6)
    known = {"programs": Programs(arrays(rows(1.0, 3))), "derivatives": Programs(arrays(wrong))}
    known["derivatives"].constants = lambda: [np.zeros(6)] * 2
    answer = AnswerEvidence(Attempt(answered=rows(1.0, 3), transformed=wrong), UNDER_GRAD, WithDerivative(), **known)
    assert answer.wrong_value is not None
    assert not answer.right_value
    right = replace(answer, programs=Programs(arrays(rows(0.0, 3))))
    assert (right.wrong_value, right.right_value) == (None, True)


@pytest.mark.parametrize("off", [0.0, 1e-5])
def test_the_programs_of_the_values_count_where_those_of_the_derivatives_are_not_known(off: float) -> None:
    attempt = Attempt(answered=rows(0.0, 3), transformed=rows(0.0, 6))
    known = {"programs": Programs(arrays(rows(off, 3))), "derivatives": Programs(None)}
    answer = AnswerEvidence(attempt, UNDER_GRAD, WithDerivative(), **known)
    assert answer.of_programs is answer.written
    if not off:
        assert (answer.reported.failing, answer.to_locate, answer.wrong_value) == (None, None, None)
        return
    assert answer.reported is answer.written
    assert answer.reported.failing == 0
    assert answer.to_locate is answer.wrong_value is not None


def test_a_plain_call_of_a_derivative_gives_the_values_first() -> None:
    attempt = Attempt(answered=rows(1.0, 3), transformed=rows(0.0, 6), compiled=True)
    known = {"programs": Programs(arrays(rows(0.0, 3))), "derivatives": Programs(None)}
    answer = AnswerEvidence(attempt, UNDER_GRAD, WithDerivative(), **known)
    assert answer.to_call
    called = answer.with_calls([0, 1], dict(enumerate(rows(0.0, 6))))
    assert called.reported.failing is None


def test_plain_calls_are_wanted_until_nothing_is_in_doubt() -> None:
    attempt = Attempt(answered=gives(1.0, 3.0), compiled=True)
    answer, plain = AnswerEvidence(attempt, FACTS, Doubled()), Calls(lambda case: gives(1.0, 2.0)[case])
    while cases := answer.to_call:
        plain.of += cases
        answer = answer.with_calls(cases, {case: plain.returned(case) for case in cases})
    assert plain.of == [1, 0]
    assert answer.reported.failing is None


def test_of_an_answer_that_changes_nothing_is_called_or_searched_for() -> None:
    attempt = Attempt(answered=gives(1.0, 3.0), again={1: gives(3.0)[0]}, compiled=True)
    answer = AnswerEvidence(attempt, FACTS, Doubled(), programs=Programs(arrays(gives(1.0, 3.0))))
    assert answer.to_locate is not None
    changes = replace(answer, attempt=replace(attempt, again={1: gives(9.0)[0]}))
    assert str(changes.change) == "Two calls with the same arguments differ by 18."
    assert (changes.to_call, changes.to_locate) == ((), None)


@pytest.mark.parametrize("ended", [{"failure": "crash"}, {"raised": {"kind": "ValueError"}}])
def test_of_an_answer_that_gave_no_values_nothing_is_asked(ended: dict[str, Any]) -> None:
    class Untold(Doubled):
        def truth(self) -> Any:
            raise AssertionError("nobody needs the truth")

    answer = AnswerEvidence(Attempt(**ended), FACTS, Untold())
    assert (answer.to_call, answer.to_locate) == ((), None)


@pytest.mark.parametrize(("given", "shown"), [((1.0, 2.0), False), ((1.0, 3.0), True), ((1.0, np.nan), False)])
def test_a_program_shows_that_it_is_wrong_where_its_numbers_are_finite(given: tuple[float, float], shown: bool) -> None:
    answered = gives(*given)
    answer = AnswerEvidence(Attempt(answered=answered), FACTS, Doubled(), programs=Programs(arrays(answered)))
    assert answer.shown_wrong is shown
