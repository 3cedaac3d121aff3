"""A gradebook as one CSV table: a row for each answer."""

from __future__ import annotations

from collections.abc import Sequence

from grader.classroom.counts import outcome
from grader.classroom.exports.cells import cell, number, table
from grader.classroom.points import Points
from grader.classroom.roster import Roster
from grader.classroom.row import Row

COLUMNS = ("student", "name", "problem", "outcome", "points", "mistakes", "submitted", "graded_at", "path")


def export(rows: Sequence[Row], points: Points, roster: Roster | None, *, mistakes: bool) -> str:
    """All answers. Points are empty where there is no verdict.

    Args:
        mistakes: whether the names of mistakes are shown.
    """
    lines: list[Sequence[str]] = [COLUMNS]
    for row in rows:
        person = roster.of(row.student) if roster else None
        names = " ".join(row.verdict["pitfalls"]) if mistakes and row.verdict is not None else ""
        told = (row.student, person.name if person else "", row.problem, outcome(row))
        measured = (names, row.submitted, row.graded_at, row.path)
        lines.append([*map(cell, told), number(points.of(row)), *map(cell, measured)])
    return table(lines)
