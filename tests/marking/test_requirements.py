"""What a problem asks beside values: every violation of an answer is told, of right values and of wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt, Traced
from grader.marking.conclude import CONFINED_TIERS, not_checked, unmet_requirements, with_unmet
from grader.marking.facts import ProgramRequirements
from grader.marking.requirements import UnmetRequirement
from grader.marking.verdict import X64, Described, Diagnosis, Insight, Named, Raised, Run, Status, Verdict
from grader.values.arrays import Answered, Array
from grader.values.message import Line, Message
from grader.values.outline import Outline, Reused
from tests.marking.evidence import Unmistaken, facts_of
from tests.marking.test_judgement import DUE, TRUTH, Programs

RAISED = Described("TypeError", "It is a tracer.\nThe function was grader's.", (), ())
RIGHT = Verdict("toy", Status.CORRECT, Message("Right on all 3 cases."))
SLOW = UnmetRequirement(
    Named("slow", Message("It is slow."), Message("Why?")),
    Message("Right on all 3 cases, but it is slow."),
    Message("Moreover, it is slow."),
)


def test_right_values_are_wrong_then_and_the_violation_explains_it() -> None:
    remarks = (Insight("prints", Message("It prints.")), Insight(X64, Message("It turns on 64 bits.")))
    told = with_unmet(replace(RIGHT, insights=remarks), SLOW)
    assert (told.status, str(told.message)) == (Status.WRONG, "Right on all 3 cases, but it is slow.")
    assert (told.diagnosis.names, told.diagnosis.explained) == (("slow",), True)
    assert [one.name for one in told.insights] == [X64], "a remark on a right answer is none on a wrong one"


def test_of_wrong_values_it_is_one_mistake_more_and_explains_no_number() -> None:
    other = Named("half", Message("Half."), Message("Which?"))
    wrong = Verdict("toy", Status.WRONG, Message("Right on 1 of 3 cases."), diagnosis=Diagnosis((other,)))
    told = with_unmet(wrong, SLOW)
    assert str(told.message) == "Right on 1 of 3 cases. Moreover, it is slow."
    assert (told.diagnosis.names, told.diagnosis.explained) == (("slow", "half"), False)


def test_an_exception_that_shows_it_is_kept_without_the_grader_s_own_lines_and_one_that_there_was_stays() -> None:
    shown, before = with_unmet(RIGHT, replace(SLOW, raised=RAISED)).raised, Raised("ValueError", "y", ())
    assert shown is not None
    assert (shown.kind, str(shown.message)) == ("TypeError", "It is a tracer.")
    assert with_unmet(replace(RIGHT, raised=before), SLOW).raised == before


def answer(
    attempt: Attempt, programs: Programs | None = None, given: Sequence[Array] = DUE, **facts: Any
) -> AnswerEvidence:
    """The evidence of an answer that gave these values: the right ones, unless others are given."""
    answered = [Answered(one, "float32") for one in given]
    return AnswerEvidence(
        replace(attempt, answered=answered), facts_of(TRUTH, **facts), Unmistaken(TRUTH), programs=programs
    )


def names(seen: AnswerEvidence) -> list[str]:
    return [unmet.named.name for unmet in unmet_requirements(seen)]


def test_the_contract_comes_first_then_the_program_and_both_are_told() -> None:
    asks: dict[str, Any] = {"contract": "jit", "asked": ProgramRequirements(needs=("scan",))}
    contract, program = unmet_requirements(answer(Attempt(broken=RAISED, traced=Traced([Outline(5)])), **asks))
    assert contract.named.name == "breaks-under-jit"
    assert contract.raised == RAISED
    assert program.named.name == "trace-lacks-scan"
    told = with_unmet(with_unmet(RIGHT, contract), program)
    assert str(told.message) == (
        "Right on all 2 cases as written, but it raises an exception under jax.jit. Moreover, a "
        "`jax.lax.scan` is missing."
    )
    assert str(with_unmet(RIGHT, program).message) == "Right on all 2 cases, but a `jax.lax.scan` is missing."
    assert names(answer(Attempt(), **asks)) == []


@dataclass
class Built(Programs):
    """Programs that are built like that, and use a key like that."""

    outline: Outline | None = None
    twice: tuple[Reused | None, ...] = ()

    def outlines(self) -> list[Outline] | None:
        return None if self.outline is None else [self.outline] * 2

    def reused(self) -> tuple[Reused | None, ...]:
        return self.twice


SCANS, LOOPS = Outline(9, {"scan": 2}), Outline(9)
ASKS: dict[str, Any] = {"contract": "trace", "asked": ProgramRequirements(needs=("scan",))}
KEYS: dict[str, Any] = {"contract": "keys"}


@pytest.mark.parametrize("said", [SCANS, Outline(0, {"scan": 2}), Outline()])
def test_what_evaluated_programs_hold_counts_whatever_the_process_says_of_them(said: Outline) -> None:
    grows: dict[str, Any] = {"contract": "trace", "asked": ProgramRequirements(forbids=("scan",))}
    says = Attempt(traced=Traced([said] * 2), run=Run(confinement="B"))
    assert names(answer(says, Built(DUE, outline=LOOPS), **ASKS)) == ["trace-lacks-scan"]
    assert "trace-holds-scan" in names(answer(says, Built(DUE, outline=SCANS), **grows))
    honest = Attempt(traced=Traced([SCANS] * 2), run=Run(confinement="B"))
    assert names(answer(honest, Built(DUE, outline=SCANS), **ASKS)) == []


def test_a_key_that_the_programs_use_twice_is_told_with_its_lines() -> None:
    (found,) = unmet_requirements(
        answer(Attempt(run=Run(confinement="B")), Built(DUE, twice=(Reused(2, (3, 4)),)), **KEYS)
    )
    assert (found.named.name, found.named.why.lines) == ("key-reused", ((Line(3), Line(4)),))
    assert str(found.but) == "Right on all 2 cases as written, but a key is used more than once."
    assert names(answer(Attempt(), Built(DUE, twice=(Reused(2, (3,)),)), contract="jit")) == []
    assert names(answer(Attempt(), Built(DUE), **KEYS)) == names(answer(Attempt(), **KEYS)) == []


@pytest.mark.parametrize(
    ("given", "times", "said"),
    [
        (DUE, (3, 3), "One key is used 3 times:"),
        (DUE, (None, 2), "This happens at n=3. One key is used twice:"),
        ([DUE[0], DUE[1] + 1], (2, 3), "One key is used 3 times:"),
        ([DUE[0], DUE[1] + 1], (2, None), "This happens at n=3. One key is used twice:"),
    ],
)
def test_how_often_a_key_is_used_is_said_of_the_case_that_the_report_shows(
    given: Sequence[Array], times: tuple[int | None, ...], said: str
) -> None:
    used = tuple(uses and Reused(uses, ()) for uses in times)
    (found,) = unmet_requirements(answer(Attempt(), Built(given, twice=used), given, **KEYS))
    assert str(found.named.why).startswith(said)


@pytest.mark.parametrize("asks", [ASKS, KEYS], ids=["trace", "keys"])
@pytest.mark.parametrize("tier", ["A", "B", "C", "none"])
def test_without_right_programs_only_an_answer_that_somebody_trusts_is_believed(
    tier: str, asks: dict[str, Any]
) -> None:
    says = Attempt(traced=Traced([SCANS] * 2, programs=np.zeros(1, np.uint8)), run=Run(confinement=tier))
    for programs in (None, Programs(None), Built([due + 1.0 for due in DUE], outline=SCANS)):
        found = not_checked(answer(says, programs, **asks))
        assert (found is not None) == (tier in CONFINED_TIERS)
        assert found is None or found.named.name == "program-not-checked"
    assert not_checked(answer(says, Built(DUE, outline=SCANS), **asks)) is None


def test_where_nothing_is_asked_or_jax_computes_nothing_there_is_nothing_to_check() -> None:
    assert not_checked(answer(Attempt(traced=Traced([SCANS]), run=Run(confinement="A")))) is None
    grows: dict[str, Any] = {"contract": "trace", "asked": ProgramRequirements(grows="no", size="T")}
    in_numpy = Attempt(traced=Traced([Outline()] * 2), run=Run(confinement="A"))
    assert not_checked(answer(in_numpy, **grows)) is None
    assert not_checked(answer(replace(in_numpy, traced=replace(in_numpy.traced, programs=b"0")), **grows)) is not None
