"""Answers of a gradebook by short names: the beginning of the digest of a text, or the id of a student."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.classroom.clusters import clusters
from grader.classroom.database import Unusable
from grader.classroom.row import VERDICT, Row
from grader.marking.verdict import Status

FEWEST_DIGITS = 8
"""The fewest digits of an answer's digest that name it."""


def identity(row: Row, rows: Sequence[Row]) -> str:
    """The beginning of an answer's digest: as long as is needed to tell it from all other texts."""
    others = {one.digest for one in rows} - {row.digest}
    length = FEWEST_DIGITS
    while length < len(row.digest) and any(one.startswith(row.digest[:length]) for one in others):
        length += 1
    return row.digest[:length]


def named(rows: Sequence[Row], name: str) -> list[Row]:
    """The answers with one text that a name means, the beginning of its digest or a student, by the time of submission.

    Args:
        rows: the answers to one problem.

    Raises:
        Unusable: it means no answer, several texts, or one that no pitfall can come from.
    """
    begins = len(name) >= FEWEST_DIGITS and bool(re.fullmatch("[0-9a-f]+", name))
    found = [row for row in rows if row.student == name or (begins and row.digest.startswith(name))]
    if not found:
        raise Unusable(
            f"No answer here is called {name!r}: give the id that `class report` prints, the first {FEWEST_DIGITS} digits "
            "or more of an answer's digest (`class status --json`), or a student."
        )
    if len({row.digest for row in found}) > 1:
        raise Unusable(
            f"{name!r} means {len({row.digest for row in found})} answers: give more digits of one's digest."
        )
    row = found[0]
    if row.state != VERDICT or row.verdict is None:
        raise Unusable(f"The answer {name!r} has no verdict yet: run `class grade`, then this again.")
    status = row.verdict.status
    if status is not Status.WRONG:
        raise Unusable(
            f"The answer {name!r} is {status.value!r}, not 'wrong': a pitfall is known by the wrong values it gives."
        )
    if row.verdict.diagnosis.explained:
        names = " + ".join(row.verdict.diagnosis.names)
        raise Unusable(f"The answer {name!r} is explained already, by {names}: there is nothing to add.")
    return sorted(found, key=lambda one: (one.submitted, one.student))


def alike(rows: Sequence[Row], row: Row) -> int:
    """How many answers go wrong as one does, with itself."""
    return next((len(one.rows) for one in clusters(rows) if row in one.rows), 1)
