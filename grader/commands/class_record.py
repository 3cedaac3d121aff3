"""`class record`: takes what `grader shard` printed elsewhere into the gradebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grader.classroom import place
from grader.classroom.as_json import class_document
from grader.classroom.incoming import Incoming, Taken
from grader.classroom.journal import Journal
from grader.classroom.outcome import Identity, Outcome
from grader.classroom.plan import finish
from grader.classroom.row import DUE, FAULT
from grader.classroom.shard import LARGEST, Refused
from grader.commands.class_status import standing
from grader.commands.faults import FAULT as FAULTY
from grader.kit.files import Unreadable, read_regular
from grader.kit.kit import KitError
from grader.report.terminal import Terminal
from grader.report.text import visible

ENDING = ".jsonl"
"""How the files of a folder are called that are read."""

MOST = 12
"""The most notes that are printed; more are counted."""


def record_results(given: Path, results: Sequence[Path], *, json: bool, colour: bool) -> int:
    """Record results, and print how the class stands. Returns the exit status: 2 for a fault, or a file that is no result.

    Args:
        results: files, or folders of files whose names end with `.jsonl`.

    Raises:
        KitError: if there is no such gradebook or file. Nothing is recorded then.
    """
    where = place.find(given)
    files = list(dict.fromkeys(_files(results)))
    with Journal(where):  # else one would be made
        pass
    terminal, notes = Terminal.make(colour=colour), list[str]()
    with Journal(where, write=True) as journal:
        due = {(one.digest, one.problem): one for one in journal.identities()}
        all_taken = [taken for file in files if (taken := _take(file, journal, due, notes)) is not None]
        rows, unread = journal.rows(), journal.unread()
        finish(journal, journal.being_graded_again(), [row.problem for row in rows if row.state in (DUE, FAULT)])
    errors = Terminal.make(colour=colour, stderr=True)
    for note in notes[:MOST]:
        errors.fault(visible(note))
    if len(notes) > MOST:
        errors.fault(f"And {len(notes) - MOST} more of this kind: record fewer files at once to see them.")
    if json:
        print(class_document(str(where), rows, unread))
    else:
        standing(terminal, rows, unread)
        terminal.line()
        terminal.line(_summary(all_taken))
        if left := sum(row.state == DUE for row in rows):
            terminal.line(f"Due: {left}. `class shards` with a new --out writes them, `class grade` grades them here.")
    faulty = len(all_taken) < len(files) or any(row.state == FAULT for row in rows)
    return FAULTY if faulty else 0


def _files(results: Iterable[Path]) -> Iterator[Path]:
    for path in results:
        if not path.is_dir():
            if not path.exists():
                raise KitError(f"{path}: there is no such file. Give what `grader shard` printed, or the folder of it.")
            yield path
            continue
        inside = sorted(path.glob(f"*{ENDING}"), key=lambda file: (len(file.name), file.name))
        if not inside:
            raise KitError(f"{path} holds no file whose name ends with {ENDING}: name the files themselves.")
        yield from inside


def _take(file: Path, journal: Journal, due: dict[tuple[str, str], Identity], notes: list[str]) -> Taken | None:
    """Record what is new in a file, in one transaction. Returns None if it holds no results."""
    new: list[tuple[Identity, Outcome]] = []
    incoming = Incoming(due, lambda identity, outcome: new.append((identity, outcome)), journal.outcomes)
    try:
        taken = incoming.take(read_regular(file, LARGEST), str(file))
    except (Refused, Unreadable) as error:
        notes.append(f"{file}: {error}")
        return None
    journal.record(new)
    notes += incoming.notes
    if not taken.whole:
        notes.append(f"{file} ends early: its shard was stopped, or it still runs.")
    return taken


def _summary(taken: Sequence[Taken]) -> str:
    new, known = sum(one.recorded for one in taken), sum(one.known for one in taken)
    return f"Recorded: {new}." + (f" Recorded before: {known}." if known else "")
