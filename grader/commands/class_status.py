"""`class status`: what a gradebook holds, in tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from grader.classroom.as_json import OUTCOMES, class_document
from grader.classroom.exports.sheet import Sheet
from grader.classroom.gradebook_path import find
from grader.classroom.journal import Journal
from grader.classroom.plan import stale
from grader.classroom.row import DUE, FAULT, Row
from grader.classroom.status import by_problem
from grader.classroom.submission import Unread
from grader.commands.class_parameters import near_kit, on_gradebook
from grader.commands.parameters import Given
from grader.kit.kit import Kit
from grader.kit.text import visible
from grader.marking.verdict import Status
from grader.report.columns import print_table
from grader.report.terminal import Terminal

MOST_LINES = 12
"""The most lines of one kind that are printed; more are counted."""

ALWAYS = (Status.CORRECT.value, Status.WRONG.value)
"""Outcomes that have a column even if nobody has them."""

HEADERS = {Status.CORRECT: "right", Status.UNATTEMPTED: "not begun", FAULT: "fault", DUE: "due"}


@click.command()
@on_gradebook
def status(given: Given, gradebook: Path) -> int:
    return show_status(gradebook, near_kit(given.kit), json=given.json, colour=given.colour)


def show_status(given: Path, kit: Kit | None, *, json: bool, colour: bool) -> int:
    """Print how a class stands, and which problems of the kit are others now.

    Returns the exit status: 1 if what somebody handed in is not graded, so that a sum is not known.
    """
    place = find(given)
    with Journal(place) as journal:
        rows, unread, gone, notes = journal.rows(), journal.unread(), journal.gone(), journal.notes()
        doubt = Sheet(rows, journal.points(), unread=unread).in_doubt
        changed = [] if kit is None else stale(journal, kit)
    if json:
        print(class_document(str(place), rows, unread, gone))
        return int(doubt)
    terminal = Terminal.make(colour=colour)
    standing(terminal, rows, unread)
    for note in notes:
        terminal.line(visible(note))
    if changed:
        terminal.line()
        terminal.line(
            f"Changed since, in this kit or in its software: {', '.join(changed)}. `class grade` grades the answers again."
        )
    return int(doubt)


def standing(terminal: Terminal, rows: Sequence[Row], unread: Sequence[Unread]) -> None:
    """Print a table with a row for each problem, then the faults, and what could not be read."""
    counts = by_problem(rows)
    shown = [one for one in OUTCOMES if one in ALWAYS or any(count[one] for count in counts.values())]
    headers = ("problem", *(HEADERS.get(one, one) for one in shown), "answers")
    cells = [(name, *(str(count[one] or "-") for one in shown), str(count.total())) for name, count in counts.items()]
    if cells:
        print_table(terminal, headers, cells)
    else:
        terminal.line("No answer was read.")
    faults = [f"{row.student}, {row.problem}: {row.fault}" for row in rows if row.state == FAULT]
    _some(terminal, faults, "Faults of the grader or of the kit, and not of the answers:")
    # What several handed in together is lacking to each of them, and is one line.
    _some(terminal, list(dict.fromkeys(f"{one.path}: {one.why}" for one in unread)), "Not graded:")


def _some(terminal: Terminal, lines: Sequence[str], title: str) -> None:
    if lines:
        terminal.line()
        terminal.line(title, "bold")
    for line in lines[:MOST_LINES]:
        terminal.line(visible(line), indent=3, hanging=2)
    if len(lines) > MOST_LINES:
        terminal.line(f"and {len(lines) - MOST_LINES} more (--json lists all)", "dim", indent=3)
