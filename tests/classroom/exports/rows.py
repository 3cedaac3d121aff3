"""Rows of a gradebook, made by hand."""

from __future__ import annotations

from grader.classroom.row import DUE, FAULT, VERDICT, Row


def verdict(student: str, problem: str, status: str, *pitfalls: str, insight: bool = False) -> Row:
    told = {
        "status": status,
        "pitfalls": list(pitfalls),
        "insights": [{"name": "long-trace", "message": "It is long."}] if insight else [],
        "seconds": 0.5,
    }
    return Row(student, problem, f"{student}/{problem}.py", "digest", "", VERDICT, told, graded_at="then")


def fault(student: str, problem: str, line: str) -> Row:
    return Row(student, problem, f"{student}/{problem}.py", "digest", "", FAULT, None, line)


def due(student: str, problem: str) -> Row:
    return Row(student, problem, f"{student}/{problem}.py", "digest", "", DUE, None)


ROWS = [
    verdict("101", "alibi", "correct", insight=True),
    verdict("101", "rope", "wrong", "half-split", "rotates-backwards"),
    fault("102", "alibi", "no process\x1b[2J"),
    verdict("102", "rope", "correct"),
    due("103", "rope"),
    verdict("=cmd()", "rope", "unattempted"),
]
