"""Whom the roster and a gradebook do not agree on: ids alone, since names are joined in exports and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.classroom.roster import Roster
from grader.report.terminal import Terminal
from grader.report.text import visible

MOST = 5
"""The most ids that are listed; more are counted."""


def tell_unknown(people: Roster, students: Iterable[str]) -> None:
    """Say which students are not in the roster."""
    if unknown := people.unknown(students):
        Terminal.make(stderr=True).fault(f"Not in the roster: {_listed(unknown)}.")


def tell_absent(people: Roster, students: Iterable[str]) -> None:
    """Say who is in the roster and handed in nothing."""
    if absent := [one.id for one in people.without_work(students)]:
        Terminal.make(stderr=True).fault(f"In the roster, and without any answer here: {_listed(absent)}.")


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - MOST} more" if len(ids) > MOST else ""
    return f"{visible(', '.join(ids[:MOST]))}{more}"
