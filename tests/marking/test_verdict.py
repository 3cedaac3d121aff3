"""Verdicts: which of them count as failed, and which tier a run reports."""

from __future__ import annotations

import pytest

from grader.marking.verdict import CaseResult, Diagnosis, Named, Status, Verdict, weakest
from grader.values.message import Message


def test_only_a_right_answer_and_an_empty_stub_have_not_failed() -> None:
    assert {status for status in Status if not status.failed} == {Status.CORRECT, Status.UNATTEMPTED}


def test_a_diagnosis_lists_the_names_of_its_mistakes_in_order() -> None:
    assert Diagnosis(
        (Named("two", Message("Why."), Message("Hint?")), Named("one", Message("Why."), Message("Hint?")))
    ).names == ("two", "one")
    assert Diagnosis().names == ()


def test_the_failing_case_that_is_told_is_the_first_of_those_with_the_fewest_values() -> None:
    cases = tuple(CaseResult({"T": T}, passed, 0.0, 1.0, size) for T, passed, size in CASES)
    assert Verdict("toy", Status.WRONG, "", cases=cases).failing == cases[2]
    assert Verdict("toy", Status.CORRECT, "", cases=cases[:1]).failing is None


CASES = ((1, True, 2), (2, False, 9), (3, False, 4), (4, False, 4))
"""Of each case an argument, whether it passes, and how many values are expected."""


def test_a_verdict_of_an_answer_that_did_not_run_has_no_tier() -> None:
    assert Verdict("toy", Status.ERROR, Message("a.py: there is no such file.")).run.confinement is None


@pytest.mark.parametrize(
    ("tiers", "expected"),
    [
        (["A", "B", "A"], "B"),
        (["C", "A"], "C"),
        (["A", "none", "C"], "none"),
        (["A", None], "A"),
        ([None, None], None),
        ([], None),
    ],
)
def test_the_weakest_tier_is_that_of_the_answers_that_ran(tiers: list[str | None], expected: str | None) -> None:
    assert weakest(tiers) == expected
