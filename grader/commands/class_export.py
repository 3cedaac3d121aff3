"""`class export`: a gradebook in the format of another program."""

from __future__ import annotations

import sys
from pathlib import Path

from grader.classroom.exports import canvas, junit, table
from grader.classroom.journal import Journal
from grader.classroom.place import find
from grader.classroom.points import Points, points
from grader.classroom.roster import Roster, RosterError, read_roster
from grader.classroom.row import Row
from grader.commands.faults import fault
from grader.kit.files import write_atomically
from grader.kit.kit import KitError
from grader.report.terminal import Terminal
from grader.report.text import visible

FORMATS = ("csv", "junit", "canvas")
MOST = 5
"""The most ids that are listed."""


def export(
    form: str,
    gradebook: Path | None,
    out: Path | None,
    roster: Path | None,
    rule: str | None,
    *,
    mistakes: bool,
    colour: bool,
) -> int:
    """Write a gradebook to a file, or to the standard output. Returns the exit status."""
    worth = points(rule)
    people = _people(roster)
    with Journal(find(gradebook)) as journal:
        rows = journal.rows()
    text = _text(form, rows, people, worth, mistakes=mistakes)
    if out is None:
        sys.stdout.write(text)
    else:
        try:
            write_atomically(out, text.encode())
        except OSError as error:
            return fault(f"{out} cannot be written: {error.strerror}.")
        Terminal.make(colour=colour).to_do(f"Written to {out}.")
    _warn(rows, people)
    return 0


def _text(form: str, rows: list[Row], people: Roster | None, worth: Points, *, mistakes: bool) -> str:
    if form == "junit":
        return junit.export(rows, mistakes=mistakes)
    if form == "canvas":
        return canvas.export(rows, worth, people)
    return table.export(rows, worth, people, mistakes=mistakes)


def _people(roster: Path | None) -> Roster | None:
    try:
        return None if roster is None else read_roster(roster)
    except RosterError as error:
        raise KitError(str(error)) from error


def _warn(rows: list[Row], people: Roster | None) -> None:
    """Say on stderr what is left out, or has no number."""
    said = Terminal.make(stderr=True)
    if without := sum(row.verdict is None for row in rows):
        said.fault(f"{without} of {len(rows)} answers have no verdict, and so no points.")
    if people is not None and (unknown := people.unknown(row.student for row in rows)):
        more = f" and {len(unknown) - MOST} more" if len(unknown) > MOST else ""
        said.fault(f"Not in the roster: {visible(', '.join(unknown[:MOST]))}{more}.")
