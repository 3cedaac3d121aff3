"""Findings: what is wrong with an answer, each with its place, its name and one line of text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.marking.verdict import Diagnosis, Frame, Named, Raised, Status, Verdict
from grader.report.feedback import limited
from grader.report.findings import concise, findings
from grader.values.message import NO_MESSAGE, lines_field, message, verbatim
from tests.marking.places import place

TEXT = "import jax\n\n\ndef rope(seed, T):\n    x = T\n    return y / 2\n"
LINE = "    return y / 2"
MISTAKE = Named("half-exponent", verbatim("Every pair turns\ntoo fast."), verbatim("How fast?"))
STATUSES = [Status.CORRECT, Status.UNATTEMPTED]


def wrong(status: Status = Status.WRONG, **fields: object) -> Verdict:
    return Verdict("rope", status, verbatim("Right on 0 of 1 case."), **fields)  # type: ignore[arg-type]


def lines(verdict: Verdict, text: str = TEXT) -> list[str]:
    return [concise(finding, "stub.py") for finding in findings(verdict, text)]


@pytest.mark.parametrize("status", STATUSES)
def test_a_right_answer_and_a_bare_stub_have_no_finding(status: Status) -> None:
    assert lines(wrong(status)) == []


def test_a_mistake_that_explains_the_answer_stands_at_the_place_of_the_verdict() -> None:
    verdict = wrong(diagnosis=Diagnosis((MISTAKE,), explained=True), where=(place(6, 11, 6, 16, LINE),))
    assert lines(verdict) == ["stub.py:6:12: error: half-exponent: Every pair turns too fast."]
    (found,) = findings(verdict, TEXT)
    assert (found.span.end_line, found.span.end_column, found.hint) == (6, 16, "How fast?")
    assert found.place is verdict.where[0]


def test_a_mistake_that_explains_nothing_does_not_stand_at_the_place() -> None:
    verdict = wrong(diagnosis=Diagnosis((MISTAKE,)), where=(place(6, 11, 6, 16, LINE),))
    first, second = lines(verdict)
    assert first == "stub.py:4:1: error: half-exponent: Every pair turns too fast."
    assert second.startswith("stub.py:6:12: error: wrong: It can be fixed here. ")


def test_a_mistake_with_a_line_of_its_own_stands_on_that_line() -> None:
    why = message("It is made on {lines}.", lines=lines_field([5]))
    located = replace(MISTAKE, why=why, located=True)
    verdict = wrong(diagnosis=Diagnosis((located,), explained=True))
    assert lines(verdict) == ["stub.py:5:5: error: half-exponent: It is made on line 5."]


def test_an_exception_stands_at_its_own_line_and_column() -> None:
    frames = (Frame(5, "f", "x = T"), Frame(6, "rope", "return y / 2", 7, 8))
    raised = Raised("NameError", verbatim("no y"), frames)
    assert lines(wrong(Status.ERROR, raised=raised)) == ["stub.py:6:12: error: NameError: no y"]


def test_what_has_no_place_stands_at_the_def_of_the_function() -> None:
    assert lines(wrong(Status.TIMEOUT)) == ["stub.py:4:1: error: timeout: Right on 0 of 1 case."]
    assert lines(wrong(Status.ERROR), "def (") == ["stub.py:1:1: error: error: Right on 0 of 1 case."]


def test_a_level_of_feedback_leaves_out_what_it_withholds() -> None:
    told = replace(MISTAKE, shows_expected=True)
    verdict = wrong(diagnosis=Diagnosis((told,), explained=True), where=(place(6, 11, 6, 16, LINE),))
    (found,) = findings(limited(verdict, "diagnosis"), TEXT)
    assert (found.says, found.hint) == ("How fast?", "")
    assert found.place is not None
    assert found.place.values.block is None
    assert lines(limited(verdict, "verdict")) == ["stub.py:4:1: error: wrong: Wrong."]


def test_no_text_of_an_answer_begins_a_line_or_orders_a_terminal_to_do_something() -> None:
    raised = Raised("Wo\nrse", verbatim("one\nstub.py:1:1: error: x: two\x1b[2J"), (), NO_MESSAGE)
    (line,) = lines(wrong(Status.ERROR, raised=raised))
    assert line == "stub.py:4:1: error: Wo rse: one stub.py:1:1: error: x: two"


def test_a_line_of_a_notebook_has_its_cell() -> None:
    raised = Raised("NameError", verbatim("no y"), (Frame(3, "rope", "return y / 2", 7, 8, cell=2),))
    (found,) = findings(wrong(Status.ERROR, raised=raised), "")
    assert concise(found, "rope.ipynb") == "rope.ipynb:cell 2:3:1: error: NameError: no y"
