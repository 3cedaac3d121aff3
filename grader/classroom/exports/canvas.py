"""Scores for Canvas: the gradebook that Canvas exported, with the columns of the problems filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.classroom.exports.cells import cell, number, table
from grader.classroom.points import Points
from grader.classroom.roster import Roster
from grader.classroom.row import Row
from grader.kit.kit import KitError

STUDENT, SECTION = "Student", "Section"
_ASSIGNMENT = re.compile(r"^(?P<title>.*\S)\s+\((?P<id>\d+)\)$")


class NoColumn(KitError):
    """The roster is no gradebook of Canvas with a column for a problem. The message says what to do."""


def export(rows: Sequence[Row], points: Points, roster: Roster | None) -> str:
    """The students who have a verdict, and the columns of these problems.

    An empty cell would take back a score, so a score that Canvas has stays where there is no verdict. A column that Canvas
    does not know would make a new assignment, so there is none.

    Raises:
        NoColumn: if the roster has no column for a problem.
    """
    if roster is None or STUDENT not in roster.columns[:1] or SECTION not in roster.columns:
        raise NoColumn(
            "--roster should be the gradebook that Canvas exports: it names the students and the assignments."
        )
    about = roster.columns[: roster.columns.index(SECTION) + 1]
    titled = {found["title"]: column for column in roster.columns if (found := _ASSIGNMENT.match(column))}
    names = sorted({row.problem for row in rows})
    if missing := [name for name in names if name not in titled]:
        raise NoColumn(
            f"The gradebook of Canvas has no column {missing[0]}: make an assignment of this name, and export it again."
        )
    columns = [titled[name] for name in names]
    scores: dict[str, dict[str, str]] = {}
    for row in rows:
        person, given = roster.of(row.student), points.of(row)
        if person is not None and given is not None:
            scores.setdefault(person.ids[0], {})[titled[row.problem]] = number(given)
    lines: list[Sequence[str]] = [[*about, *columns]]
    lines.append(["    Points Possible", *[""] * (len(about) - 1), *(number(points.most(name)) for name in names)])
    for person in roster.people:
        if (mine := scores.get(person.ids[0])) is not None:
            kept = [mine.get(column, person.row[column]) for column in columns]
            lines.append([*(cell(person.row[column]) for column in about), *kept])
    return table(lines)
