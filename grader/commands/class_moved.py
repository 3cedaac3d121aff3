"""`class moved`: whose verdict moved, from what to what, when and why."""

from __future__ import annotations

from pathlib import Path

import click

from grader.classroom.gradebook_path import find
from grader.classroom.journal import Journal
from grader.classroom.moves import Exported, rescored
from grader.commands.parameters import Given, gradebook, shared
from grader.kit.kit import KitError
from grader.kit.text import visible
from grader.report.columns import print_table
from grader.report.terminal import Terminal


@click.command()
@gradebook
@click.option("--since", metavar="EXPORT", help="Only what moved since this file was exported [else all].")
@shared
def moved(given: Given, gradebook: Path, since: str | None) -> int:
    return show_moved(gradebook, since, colour=given.colour)


def show_moved(given: Path, since: str | None, *, colour: bool) -> int:
    """Print each move of a verdict. Returns the exit status.

    Args:
        since: the name of the file of an export; None for all moves.

    Raises:
        KitError: the gradebook cannot be read, or knows no such export.
    """
    place = find(given)
    terminal = Terminal.make(colour=colour)
    with Journal(place) as journal:
        exports = journal.exports()
        export = None if since is None else _named(exports, since)
        moves = journal.moves("" if export is None else export.at)
    if export is not None:
        terminal.to_do(f"Since {visible(export.path)} was written ({_time(export.at)}):", "bold")
    cells = [(visible(one.student), one.problem, one.before, one.now, one.why, _time(one.at)) for one in moves]
    if cells:
        print_table(terminal, ("student", "problem", "before", "now", "why", "seen"), cells)
    else:
        terminal.line("No verdict moved.")
    if export is not None:
        _scores(terminal, rescored(exports, export), {one.student for one in moves})
    elif exports:
        terminal.line("Exports, for --since:", "bold")
        for one in exports:
            terminal.line(f"{_time(one.at)}: {one.format}, {visible(one.path)}", indent=3)
    return 0


def _named(exports: list[Exported], since: str) -> Exported:
    """The last export to a file of this name.

    Raises:
        KitError: there is none.
    """
    whole = str(Path(since).absolute())
    found = [one for one in exports if one.path == whole] or [one for one in exports if Path(one.path).name == since]
    if not found:
        known = ", ".join(dict.fromkeys(Path(one.path).name for one in exports)) or "none"
        raise KitError(visible(f"--since {since}: the gradebook knows no such export. It knows: {known}."))
    return found[-1]


def _scores(terminal: Terminal, scores: dict[str, tuple[str, str]], moved: set[str]) -> None:
    """Print whose score is another one in the last export of the same format."""
    if not scores:
        return
    terminal.line()
    terminal.line("Scores that are others in the last export of this format:", "bold")
    cells = [
        (
            visible(student),
            before or "-",
            now or "-",
            "a verdict moved" if student in moved else "no verdict moved",
        )
        for student, (before, now) in scores.items()
    ]
    print_table(terminal, ("student", "before", "now", "why"), cells)


def _time(at: str) -> str:
    return f"{at[:16].replace('T', ' ')} UTC"
