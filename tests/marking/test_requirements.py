"""What a problem asks beside values: every violation of an answer is told, of right values and of wrong ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from grader.marking.asked import Asked, Outline
from grader.marking.attempt import Attempt
from grader.marking.contracts import Broken
from grader.marking.facts import Truth
from grader.marking.judge import Expected
from grader.marking.requirements import CONFINED, Violation, violation_of_programs, violations
from grader.marking.verdict import X64, Diagnosis, Insight, Named, Raised, Status, Verdict
from tests.marking.evidence import facts_of

TRUTH = Truth([Expected(np.zeros(3), 1e-6)], [(3,)], ["float32"], [{}])
RAISED = {"kind": "TypeError", "message": "It is a tracer.\nThe function was grader's.", "frames": [], "lineage": []}
RIGHT = Verdict("toy", Status.CORRECT, "Right on all 3 cases.")
SLOW = Violation(Named("slow", "It is slow.", "Why?"), "it is slow.")


def test_right_values_are_wrong_then_and_the_violation_explains_it() -> None:
    remarks = (Insight("prints", "It prints."), Insight(X64, "It turns on 64 bits."))
    told = SLOW.told(replace(RIGHT, insights=remarks))
    assert (told.status, told.message) == (Status.WRONG, "Right on all 3 cases, but it is slow.")
    assert (told.diagnosis.names, told.diagnosis.explained) == (("slow",), True)
    assert [one.name for one in told.insights] == [X64], "a remark on a right answer is none on a wrong one"
    assert replace(SLOW, as_written=True).told(RIGHT).message == "Right on all 3 cases as written, but it is slow."


def test_of_wrong_values_it_is_one_mistake_more_and_explains_no_number() -> None:
    other = Named("half", "Half.", "Which?")
    wrong = Verdict("toy", Status.WRONG, "Right on 1 of 3 cases.", diagnosis=Diagnosis((other,)))
    told = SLOW.told(wrong)
    assert told.message == "Right on 1 of 3 cases. Moreover, it is slow."
    assert (told.diagnosis.names, told.diagnosis.explained) == (("slow", "half"), False)


def test_an_exception_that_shows_it_is_kept_and_one_that_there_was_stays() -> None:
    raised, before = Raised("TypeError", "x", ()), Raised("ValueError", "y", ())
    assert replace(SLOW, raised=raised).told(RIGHT).raised == raised
    assert SLOW.told(replace(RIGHT, raised=before)).raised == before


def test_the_contract_comes_first_then_the_program_and_messages_end_where_the_grader_s_own_begin() -> None:
    facts = replace(facts_of(TRUTH), contract="jit", asked=Asked(needs=("scan",)))
    attempt = Attempt(broken=Broken(RAISED), outlines=[Outline(5)])
    contract, program = violations(attempt, facts)
    assert contract.named.name == "breaks-under-jit"
    assert contract.raised is not None
    assert contract.raised.message == "It is a tracer."
    assert (contract.as_written, program.as_written) == (True, False)
    assert program.named.name == "trace-lacks-scan"
    told = program.told(contract.told(RIGHT))
    assert told.message.startswith("Right on all 3 cases as written, but ")
    assert told.message.endswith(f" Moreover, {program.but}")
    assert [*violations(Attempt(), facts)] == []


class Evaluated:
    """Programs of which only their outlines are asked."""

    def __init__(self, *outlines: Outline) -> None:
        self._outlines = outlines

    def outlines(self) -> tuple[Outline, ...]:
        return self._outlines


SCANS, LOOPS = Outline(9, {"scan": 2}), Outline(9)


def test_what_evaluated_programs_hold_counts_and_not_what_the_answer_s_process_says_of_them() -> None:
    facts = replace(facts_of(TRUTH), contract="trace", asked=Asked(needs=("scan",)))
    says = Attempt(outlines=[SCANS], confinement="B")
    scans, loops = cast(Any, Evaluated(SCANS)), cast(Any, Evaluated(LOOPS))
    assert [*violations(says, facts)] == []
    assert violation_of_programs(says, facts, scans) is None
    found = violation_of_programs(says, facts, loops)
    assert found is not None
    assert found.named.name == "trace-lacks-scan"


@pytest.mark.parametrize("tier", ["A", "B", "C", "none"])
def test_without_evaluated_programs_only_an_answer_that_somebody_trusts_is_believed(tier: str) -> None:
    facts = replace(facts_of(TRUTH), contract="trace", asked=Asked(needs=("scan",)))
    found = violation_of_programs(Attempt(outlines=[SCANS], confinement=tier), facts, None)
    assert (found is not None) == (tier in CONFINED)
    assert found is None or found.named.name == "program-not-checked"


def test_where_nothing_is_asked_or_jax_computes_nothing_there_is_nothing_to_check() -> None:
    facts = facts_of(TRUTH)
    assert violation_of_programs(Attempt(outlines=[SCANS], confinement="A"), facts, None) is None
    grows = replace(facts, contract="trace", asked=Asked(grows="no", size="T"))
    assert violation_of_programs(Attempt(outlines=[Outline()], confinement="A"), grows, None) is None
