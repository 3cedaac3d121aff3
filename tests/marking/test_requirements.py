"""What a problem asks beside values: every violation of an answer is told, of right values and of wrong ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grader.marking import asked
from grader.marking.asked import Asked, Breach
from grader.marking.attempt import Attempt
from grader.marking.contracts import Broken
from grader.marking.facts import Truth
from grader.marking.judge import Expected
from grader.marking.requirements import Violation, violations
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
    attempt = Attempt(broken=Broken(RAISED), breach=Breach(asked.LACKS, "scan"))
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
