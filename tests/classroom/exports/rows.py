"""A class of four with every state: the rows that the tests of exports read."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import Points, parsed
from grader.classroom.roster import Person, Roster
from grader.classroom.row import DUE, FAULT, VERDICT, Row
from grader.marking.verdict import CaseResult, Diagnosis, Frame, Insight, Named, Raised, Run, Status, Verdict
from grader.values.message import verbatim

SECRET = "3.14159265"
"""A number that was computed from an expected value: it may be shown at full feedback alone."""

NASTY = "\x1b[31m::add-mask::x\n::error ::boo <b> | `@team`\u202e\x00"


def verdict_of(status: Status = Status.CORRECT, **more: Any) -> Verdict:
    return Verdict("rope", status, verbatim("It is so."), "rope.py", run=Run(confinement="A", seconds=1.5), **more)


def row(student: str, verdict: Verdict | None = None, problem: str = "rope", **more: Any) -> Row:
    state = VERDICT if verdict is not None else DUE
    return replace(
        Row(student, problem, f"{student}/{problem}.py", student, "2026-06-01T14:32:01Z", state, verdict), **more
    )


WRONG = verdict_of(
    Status.WRONG,
    diagnosis=Diagnosis(
        (
            Named("half-exponent", verbatim("Too fast."), verbatim("By how much?")),
            Named("constant-factor", verbatim(SECRET), verbatim("What factor?"), shows_expected=True),
        )
    ),
    cases=(CaseResult({"T": 2}, False, 0.5, 0.1), CaseResult({"T": 3}, True, 0.0, 0.1)),
    insights=(Insight("hidden-by-rounding", verbatim(SECRET), shows_expected=True),),
)
IMPRECISE = verdict_of(
    insights=(Insight("imprecise", verbatim("It loses digits.")), Insight("prints", verbatim("It prints.")))
)
RAISED = verdict_of(Status.ERROR, raised=Raised("ValueError", verbatim(NASTY), (Frame(7, "rope", "raise ValueError"),)))

ROWS = [
    row("ana", verdict_of()),
    row("ben", WRONG),
    row("cy", state=FAULT, fault="the template ended"),
    row("dan"),
    row("eve", RAISED),
    row("ana", IMPRECISE, "glow"),
]


def sheet(rule: str = "correct=1", **more: Any) -> Sheet:
    return replace(Sheet(ROWS, Points(parsed(rule)), title="Week 1"), **more)


def roster(*names: str) -> Roster:
    """A roster where everybody has an e-mail address."""
    people = [(name, f"{name}@example.org") for name in names]
    return Roster(
        [
            Person(one, one.title(), email, (("id", one), ("email", email)), at)
            for at, (one, email) in enumerate(people, 2)
        ]
    )


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))
