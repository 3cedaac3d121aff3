"""A gradebook for programs: the documents `grader/class/1` and `grader/class-verdicts/1`, described in `schemas/`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import number
from grader.classroom.roster import Person
from grader.classroom.row import DUE, FAULT, Row, by_problem, outcome_of
from grader.classroom.submission import Unread
from grader.marking.verdict import Status
from grader.report.as_json import verdict_to_json
from grader.report.feedback import limited

SCHEMA_OF_CLASS = "grader/class/1"
OUTCOMES = (*(status.value for status in Status), FAULT, DUE)


def class_document(
    gradebook: str, rows: Sequence[Row], unread: Sequence[Unread], gone: Sequence[tuple[str, str]] = ()
) -> str:
    """All that a gradebook holds now. The verdicts themselves are in `class export json`.

    Args:
        gone: student and problem of each answer that is read no more.
    """
    whole = {
        "schema": SCHEMA_OF_CLASS,
        "gradebook": gradebook,
        "problems": [
            {"problem": name, **{outcome: counts[outcome] for outcome in OUTCOMES}}
            for name, counts in by_problem(rows).items()
        ],
        "answers": [_row_document(row) for row in rows],
        "unread": [
            {"path": each.path, "why": each.why, "student": each.student or None}
            | {"problem": each.problem or None, "doubt": each.doubt}
            for each in unread
        ],
        "gone": [{"student": student, "problem": problem} for student, problem in gone],
    }
    return json.dumps(whole, indent=1, allow_nan=False)


def _row_document(row: Row) -> dict[str, Any]:
    return {
        "student": row.student,
        "problem": row.problem,
        "path": row.path,
        "digest": row.digest,
        "submitted": row.submitted or None,
        "outcome": outcome_of(row),
        "pitfalls": row.verdict and list(row.verdict.diagnosis.names),
        "fault": row.fault or None,
        "graded_at": row.graded_at or None,
        "source": row.source,
        "read_at": row.read_at or None,
        "moved": bool(row.why),
        "why": row.why or None,
        "before": row.before and {"outcome": row.before.status.value, "pitfalls": list(row.before.diagnosis.names)},
    }


SCHEMA = "grader/class-verdicts/1"


def verdicts(sheet: Sheet) -> str:
    """All students with all their answers, and who handed in nothing. Text of students is not cleaned: JSON escapes it."""
    due = sheet.points.deadline.due
    whole = {
        "schema": SCHEMA,
        "feedback": sheet.level,
        "due": due and due.isoformat(),
        "students": [
            *(_student(name, sheet.roster.of(name), sheet, rows) for name, rows in sheet.students.items()),
            *(_student(person.id, person, sheet, ()) for person in sheet.absent),
        ],
    }
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"


def _student(student: str, person: Person | None, sheet: Sheet, rows: Sequence[Row]) -> dict[str, Any]:
    return {
        "student": student,
        "name": (person.name if person else "") or None,
        "email": (person.email if person else "") or None,
        "answers": [_answer(sheet, row) for row in rows],
        "unread": [
            {"problem": each.problem or None, "file": each.path, "why": each.why} for each in sheet.unread_of(student)
        ],
        "by_hand": [
            {"problem": name, "points": number(hand_grade.points), "why": hand_grade.why or None}
            for name, hand_grade in sheet.points.by_hand.get(student, {}).items()
        ],
        "points": _number(sheet.total(student) if student in sheet.students else None),
        "max_points": number(sheet.most_of(student)),
    }


def _answer(sheet: Sheet, row: Row) -> dict[str, Any]:
    late = sheet.points.late(row)
    return {
        "problem": row.problem,
        "file": row.path,
        "submitted": row.submitted or None,
        "late": late is not None,
        "days_late": late and late.days,
        "team": row.team or None,
        "outcome": outcome_of(row),
        "fault": row.fault or None,
        "points_before": _number(sheet.points.before(row)),
        "points": _number(sheet.points.of(row)),
        "by_hand": sheet.points.given(row.student, row.problem) is not None,
        "excused": sheet.points.is_excused(row.student, row.problem),
        "bonus": row.problem in sheet.points.bonus,
        "max_points": _number(sheet.points.most(row.problem)),
        "verdict": None if row.verdict is None else verdict_to_json(limited(row.verdict, sheet.level)),
    }


def _number(points: Fraction | None) -> int | float | None:
    return None if points is None else number(points)
