"""Verdicts for programs: every field, numbers that are not finite, text from an answer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from grader.marking.verdict import CaseResult, Diagnosis, Frame, Insight, Named, Printed, Raised, Run, Status, Verdict
from grader.report.as_json import document
from grader.values.message import verbatim
from tests import conftest

VERDICT = Verdict(
    "toy",
    Status.WRONG,
    verbatim("Right on 0 of 1 cases."),
    file="a.py",
    diagnosis=Diagnosis((Named("one", verbatim("Why."), verbatim("Hint?")),), (("two",),), explained=True),
    cases=(
        CaseResult({"seed": 0, "n": 3}, False, float("inf"), 1e-6),
        CaseResult({"seed": 0, "n": 4}, False, float("nan"), 0.0),
    ),
    insights=(Insight("not-traceable", verbatim("It does not trace.")),),
    run=Run(output=Printed("", "\x1b[31mprinted"), seconds=0.25, device="cpu", confinement="none"),
)


def parsed(*verdicts: Verdict | dict[str, Any]) -> Any:
    return conftest.document(document(verdicts, "cpu", "full"))


def test_every_field_of_the_schema_is_there() -> None:
    whole = parsed(VERDICT)
    assert whole["schema"] == "grader/verdict/2"
    assert (whole["platform"], whole["device"], whole["confinement"]) == ("cpu", "cpu", "none")
    assert set(whole["versions"]) == {"grader", "jax", "flax", "python"}
    (row,) = whole["verdicts"]
    assert row["problem"] == "toy"
    assert row["status"] == "wrong"
    assert row["pitfalls"] == ["one"]
    assert row["alternatives"] == [["two"]]
    assert row["cases"][0]["args"] == {"seed": 0, "n": 3}
    assert row["cases"][0]["status"] == "fail"
    assert row["insights"] == [
        {"name": "not-traceable", "message": "It does not trace.", "lines": [], "shows_expected": False}
    ]
    assert row["seconds"] == 0.25


def test_the_confinement_is_the_weakest_of_all_answers_that_ran() -> None:
    unread = Verdict("toy", Status.ERROR, verbatim("b.py: there is no such file."), file="b.py")
    confined = [replace(VERDICT, run=replace(VERDICT.run, confinement=tier)) for tier in ("A", "B")]
    assert parsed(*confined, unread)["confinement"] == "B"
    assert [row["confinement"] for row in parsed(*confined, unread)["verdicts"]] == ["A", "B", None]
    assert parsed(confined[0], VERDICT)["confinement"] == "none"
    assert (parsed(unread)["confinement"], parsed()["confinement"]) == (None, None)


def test_numbers_that_are_not_finite_are_strings() -> None:
    first, second = parsed(VERDICT)["verdicts"][0]["cases"]
    assert (first["error"], first["tolerance"], second["error"]) == ("inf", 1e-6, "nan")


def test_text_of_an_answer_is_complete_and_does_not_control_a_terminal() -> None:
    raised = Raised("ValueError", verbatim("\x1b[2Jbad"), (Frame(3, "f", "raise \x1b[1mx"),), verbatim("Advice."))
    verdict = Verdict(
        "toy",
        Status.ERROR,
        verbatim("It raises."),
        raised=raised,
        run=Run(output=Printed("", "\x1b[31mprinted")),
        file="al\u200bice.py",
    )
    assert document([verdict], "cpu", "full").isascii()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", document([verdict], "cpu", "full"))
    row = parsed(verdict)["verdicts"][0]
    assert (row["output"], row["file"]) == ("\x1b[31mprinted", "al\u200bice.py")
    assert row["raised"] == {
        "type": "ValueError",
        "message": "\x1b[2Jbad",
        "advice": "Advice.",
        "frames": [{"line": 3, "cell": None, "function": "f", "text": "raise \x1b[1mx", "start": 0, "end": 0}],
    }
