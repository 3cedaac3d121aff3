"""`class status`, `moved` and `merge`, and how a roster and a gradebook agree."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from grader.classroom import database
from grader.classroom.database import find_gradebook
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.verdicts import OUTCOMES, class_document
from grader.classroom.history import Exported, rescored
from grader.classroom.journal import Journal
from grader.classroom.merge import merged_tables
from grader.classroom.plan import stale
from grader.classroom.roster import Roster, read_roster
from grader.classroom.row import DUE, FAULT, Row, by_problem
from grader.classroom.row_text import listed
from grader.classroom.submission import Unread
from grader.commands.parameters import CommonOptions, common, gradebook, prints_json, shared, writes
from grader.kit.kit import Kit, KitError, find
from grader.kit.output import check_new, write_new
from grader.kit.text import visible
from grader.marking.verdict import Status
from grader.report.table import print_table
from grader.report.terminal import Terminal


def near_kit(given: Path | None) -> Kit | None:
    """The kit that is named, or the nearest; None if none is named or near: a gradebook can be read without it."""
    try:
        return find(given)
    except KitError:
        if given is not None:
            raise
        return None


def roster_of(journal: Journal, given: Path | None) -> Roster | None:
    """The list of the class: the one that is given, else the one that the gradebook remembers; None if there is neither.

    A line says so if the one that is remembered cannot be read any more, or has changed.
    """
    if given is not None:
        return read_roster(given)
    kept = journal.roster()
    if kept is None:
        return None
    try:
        people = read_roster(Path(kept.path))
        changed = hashlib.sha256(Path(kept.path).read_bytes()).hexdigest() != kept.digest
    except (KitError, OSError) as error:
        why = f"{kept.path}: {error.strerror}" if isinstance(error, OSError) else str(error)
        Terminal.make(stderr=True).fault(
            f"The roster of the last `class grade` cannot be read. Give --roster FILE. {why}"
        )
        return None
    if changed:
        Terminal.make(stderr=True).fault(
            f"{visible(kept.path)} has changed since the last `class grade`: it counts as it is now."
        )
    return people


def tell_matches(people: Roster, rows: Sequence[Row]) -> None:
    """Say by which rules students were found in the roster, and for each reason who was not."""
    match = people.among(rows).match
    found = {name: match(name) for name in sorted({row.student for row in rows})}
    terminal = Terminal.make(stderr=True)
    if rules := Counter(match.why for match in found.values() if match.person):
        told = ", ".join(f"{count} by {visible(rule)}" for rule, count in rules.most_common())
        terminal.fault(f"Matched with the roster: {told}.")
    for why in dict.fromkeys(match.why for match in found.values() if not match.person):
        unknown = [name for name, match in found.items() if match.why == why]
        terminal.fault(f"Not in the roster: {listed(unknown)} ({why}).")


def tell_absent(people: Roster, rows: Sequence[Row]) -> None:
    """Say who is in the roster and handed in nothing."""
    if absent := [person.id for person in people.among(rows).without_work(row.student for row in rows)]:
        Terminal.make(stderr=True).fault(f"In the roster, and without any answer here: {listed(absent)}.")


MOST_LINES = 12
"""The most lines of one kind that are printed; more are counted."""

ALWAYS = (Status.CORRECT.value, Status.WRONG.value)
"""Outcomes that have a column even if nobody has them."""

HEADERS = {Status.CORRECT: "right", Status.UNATTEMPTED: "not begun", FAULT: "fault", DUE: "due"}


@click.command()
@gradebook
@prints_json("grader/class/1")
@common
def status(given: CommonOptions, gradebook: Path) -> int:
    return show_status(gradebook, near_kit(given.kit), json=given.json, colour=given.colour)


def show_status(given: Path, kit: Kit | None, *, json: bool, colour: bool) -> int:
    """Print how a class stands, and which problems of the kit are others now.

    Returns the exit status: 1 if what somebody handed in is not graded, so that a sum is not known.
    """
    place = find_gradebook(given)
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
    shown = [outcome for outcome in OUTCOMES if outcome in ALWAYS or any(count[outcome] for count in counts.values())]
    headers = ("problem", *(HEADERS.get(outcome, outcome) for outcome in shown), "answers")
    cells = [
        (name, *(str(count[outcome] or "-") for outcome in shown), str(count.total())) for name, count in counts.items()
    ]
    if cells:
        print_table(terminal, headers, cells)
    else:
        terminal.line("No answer was read.")
    faults = [f"{row.student}, {row.problem}: {row.fault}" for row in rows if row.state == FAULT]
    _some(terminal, faults, "Faults of the grader or of the kit, and not of the answers:")
    # What several handed in together is lacking to each of them, and is one line.
    _some(
        terminal, list(dict.fromkeys(f"{unread_file.path}: {unread_file.why}" for unread_file in unread)), "Not graded:"
    )


def _some(terminal: Terminal, lines: Sequence[str], title: str) -> None:
    if lines:
        terminal.line()
        terminal.line(title, "bold")
    for line in lines[:MOST_LINES]:
        terminal.line(visible(line), indent=3, hanging=2)
    if len(lines) > MOST_LINES:
        terminal.line(f"and {len(lines) - MOST_LINES} more (--json lists all)", "dim", indent=3)


@click.command()
@gradebook
@click.option("--since", metavar="EXPORT", help="Only what moved since this file was exported [else all].")
@shared
def moved(given: CommonOptions, gradebook: Path, since: str | None) -> int:
    return show_moved(gradebook, since, colour=given.colour)


def show_moved(given: Path, since: str | None, *, colour: bool) -> int:
    """Print each move of a verdict. Returns the exit status.

    Args:
        since: the name of the file of an export; None for all moves.

    Raises:
        KitError: the gradebook cannot be read, or knows no such export.
    """
    place = find_gradebook(given)
    terminal = Terminal.make(colour=colour)
    with Journal(place) as journal:
        exports = journal.exports()
        export = None if since is None else _named(exports, since)
        moves = journal.moves("" if export is None else export.at)
    if export is not None:
        terminal.to_do(f"Since {visible(export.path)} was written ({_time(export.at)}):", "bold")
    cells = [(visible(move.student), move.problem, move.before, move.now, move.why, _time(move.at)) for move in moves]
    if cells:
        print_table(terminal, ("student", "problem", "before", "now", "why", "seen"), cells)
    else:
        terminal.line("No verdict moved.")
    if export is not None:
        _scores(terminal, rescored(exports, export), {move.student for move in moves})
    elif exports:
        terminal.line("Exports, for --since:", "bold")
        for exported in exports:
            terminal.line(f"{_time(exported.at)}: {exported.format}, {visible(exported.path)}", indent=3)
    return 0


def _named(exports: list[Exported], since: str) -> Exported:
    """The last export to a file of this name.

    Raises:
        KitError: there is none.
    """
    whole = str(Path(since).absolute())
    found = [export for export in exports if export.path == whole] or [
        export for export in exports if Path(export.path).name == since
    ]
    if not found:
        known = ", ".join(dict.fromkeys(Path(export.path).name for export in exports)) or "none"
        raise KitError(visible(f"--since {since}: the gradebook knows no such export. It knows: {known}."))
    return found[-1]


def _scores(terminal: Terminal, scores: dict[str, tuple[str, str]], moved: set[str]) -> None:
    """Print whose score is another one in the last export of the same format."""
    if not scores:
        return
    terminal.line()
    terminal.line("Scores that are others in the last export of this format:", "bold")
    cells = [
        (visible(student), before or "-", now or "-", "a verdict moved" if student in moved else "no verdict moved")
        for student, (before, now) in scores.items()
    ]
    print_table(terminal, ("student", "before", "now", "why"), cells)


def _time(at: str) -> str:
    return f"{at[:16].replace('T', ' ')} UTC"


@click.command()
@click.argument("gradebooks", metavar="GRADEBOOK...", nargs=-1, required=True, type=click.Path(path_type=Path))
@writes()
@shared
def merge(given: CommonOptions, gradebooks: tuple[Path, ...], out: Path, force: bool) -> int:
    """Write a gradebook that holds what others hold, and print how the class stands.

    Returns the exit status: 1 if what somebody handed in is not graded, so that a sum is not known.

    Raises:
        KitError: there is one gradebook alone, one cannot be read, they do not fit together, or `out` cannot be written.
    """
    books = list(dict.fromkeys(database.shortest_path(database.find_gradebook(path)) for path in gradebooks))
    if len(books) < 2:
        raise KitError("There is nothing to join: name two gradebooks or more.")
    check_new(out, force=force)
    tables, ids = {}, dict[str, str]()
    for book in books:
        with Journal(book) as journal:
            tables[str(book)] = journal.tables()
            ids |= journal.other_ids()
    with tempfile.TemporaryDirectory(prefix="gradebook-") as scratch:
        file = Path(scratch) / "one.gradebook"
        with Journal(file, write=True) as journal:
            journal.fill(merged_tables(tables))
            journal.keep_ids(ids)
            rows, unread = journal.rows(), journal.unread()
            doubt = Sheet(rows, journal.points(), unread=unread).in_doubt
        write_new(out, file.read_bytes(), force=force, private=True)
    terminal = Terminal.make(colour=given.colour)
    standing(terminal, rows, unread)
    terminal.line()
    terminal.to_do(f"Written: {visible(str(out))}, of {len(books)} gradebooks.")
    return int(doubt)
