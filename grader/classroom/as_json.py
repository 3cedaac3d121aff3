"""A gradebook for programs: the JSON document `grader/class/1`, described by `schemas/class-1.json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from grader.classroom.row import DUE, FAULT, Row
from grader.classroom.status import by_problem, outcome
from grader.classroom.submission import Unread
from grader.marking.verdict import Status, Verdict

SCHEMA = "grader/class/1"
OUTCOMES = (*(status.value for status in Status), FAULT, DUE)


def class_document(
    gradebook: str, rows: Sequence[Row], unread: Sequence[Unread], gone: Sequence[tuple[str, str]] = ()
) -> str:
    """All that a gradebook holds now. The verdicts themselves are in `class export json`.

    Args:
        gone: student and problem of each answer that is read no more.
    """
    whole = {
        "schema": SCHEMA,
        "gradebook": gradebook,
        "problems": [
            {"problem": name, **{one: counts[one] for one in OUTCOMES}} for name, counts in by_problem(rows).items()
        ],
        "answers": [_answer(row) for row in rows],
        "unread": [_unread(one) for one in unread],
        "gone": [{"student": student, "problem": problem} for student, problem in gone],
    }
    return json.dumps(whole, indent=1, allow_nan=False)


def _answer(row: Row) -> dict[str, Any]:
    return {
        "student": row.student,
        "problem": row.problem,
        "path": row.path,
        "digest": row.digest,
        "submitted": row.submitted or None,
        "outcome": outcome(row),
        "pitfalls": None if row.verdict is None else list(row.verdict.diagnosis.names),
        "fault": row.fault or None,
        "graded_at": row.graded_at or None,
        "source": row.source,
        "read_at": row.read_at or None,
        "moved": bool(row.why),
        "why": row.why or None,
        "before": None if row.before is None else _before(row.before),
    }


def _unread(one: Unread) -> dict[str, Any]:
    who = {"student": one.student or None, "problem": one.problem or None, "doubt": one.doubt}
    return {"path": one.path, "why": one.why, **who}


def _before(verdict: Verdict) -> dict[str, Any]:
    return {"outcome": verdict.status.value, "pitfalls": list(verdict.diagnosis.names)}
