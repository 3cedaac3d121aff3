"""All verdicts of a class for programs: the document `grader/class-verdicts/1` (see `schemas/class-verdicts-1.json`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import number
from grader.classroom.roster import Person
from grader.classroom.row import Row
from grader.classroom.status import outcome
from grader.report.as_json import verdict_to_json
from grader.report.feedback import limited

SCHEMA = "grader/class-verdicts/1"


def verdicts(sheet: Sheet) -> str:
    """All students with all their answers, and who handed in nothing. Text of students is not cleaned: JSON escapes it."""
    due = sheet.points.deadline.due
    whole = {
        "schema": SCHEMA,
        "feedback": sheet.level,
        "due": due and due.isoformat(),
        "students": [
            *(_student(name, sheet.roster.of(name), sheet, rows) for name, rows in sheet.students().items()),
            *(_student(one.id, one, sheet, ()) for one in sheet.absent),
        ],
    }
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"


def _student(student: str, person: Person | None, sheet: Sheet, rows: Sequence[Row]) -> dict[str, Any]:
    unread = sheet.unread_of(student)
    return {
        "student": student,
        "name": (person.name if person else "") or None,
        "email": (person.email if person else "") or None,
        "answers": [_answer(sheet, row) for row in rows],
        "unread": [{"problem": one.problem or None, "file": one.path, "why": one.why} for one in unread],
        "by_hand": [
            {"problem": name, "points": number(one.points), "why": one.why or None}
            for name, one in sheet.points.by_hand.get(student, {}).items()
        ],
        "points": _number(sheet.total(student) if student in sheet.students() else None),
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
        "outcome": outcome(row),
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
