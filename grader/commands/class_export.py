"""`class export`: the rows of a gradebook in the format of another system."""

from __future__ import annotations

from pathlib import Path

from grader.classroom.exports.formats import FORMATS
from grader.classroom.exports.sheet import Nobody, Sheet
from grader.classroom.files import write_file
from grader.classroom.journal import Journal
from grader.classroom.place import find
from grader.classroom.points import read_points
from grader.classroom.roster import read_roster
from grader.commands.class_roster import tell_unknown
from grader.kit.kit import Kit, KitError
from grader.report.feedback import FULL
from grader.report.terminal import Terminal
from grader.report.text import visible


def export_class(sheet: Sheet, form: str, out: Path, *, colour: bool = True) -> int:
    """Write an export, and say what has no verdict. Returns the exit status."""
    write_file(out, FORMATS[form](sheet))
    terminal = Terminal.make(colour=colour)
    terminal.line(f"Written: {visible(str(out))}")
    if missing := sheet.open(sheet.rows):
        terminal.line(f"Without a verdict, and so without points: {len(missing)} of {len(sheet.rows)} answers.")
    return 0


def export_gradebook(
    given: Path | None,
    form: str,
    out: Path,
    *,
    points: str | None = None,
    level: str = FULL,
    title: str = "",
    into: Path | None = None,
    kit: Kit | None = None,
    roster: Path | None = None,
    colour: bool = True,
) -> int:
    """Read a gradebook, and export it. Returns the exit status."""
    place, rule = find(given), read_points(points)
    people = None if roster is None else read_roster(roster)
    with Journal(place) as journal:
        rows = journal.rows()
    answered = {row.problem for row in rows} | set(() if kit is None else kit.names)
    if unknown := sorted(set(rule.own) - answered):
        raise KitError(f"{points} has points for {unknown[0]}, and no problem is called so.")
    template = "" if into is None else _template(into)
    sheet = Sheet(rows, rule, people or Nobody(), level, title or place.stem, template)
    status = export_class(sheet, form, out, colour=colour)
    for note in sheet.notes:
        Terminal.make(stderr=True).fault(note)
    if people is not None:
        tell_unknown(people, (row.student for row in rows))
    return status


def _template(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise KitError(f"{path} cannot be read: {error}") from None
