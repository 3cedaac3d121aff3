"""`class export`: the rows of a gradebook in the format of another system."""

from __future__ import annotations

from pathlib import Path

from grader.classroom.exports.formats import FORMATS, format_of
from grader.classroom.exports.sheet import Sheet
from grader.classroom.gradebook_path import find
from grader.classroom.journal import Journal
from grader.classroom.late import read_time
from grader.classroom.points import read_points
from grader.classroom.roster import Roster, read_roster
from grader.commands.class_parameters import check_options
from grader.commands.class_roster import tell_matches
from grader.kit.kit import Kit, KitError
from grader.kit.output import check_new, write_new
from grader.kit.text import visible
from grader.report.feedback import FULL
from grader.report.terminal import Terminal


def export_gradebook(
    given: Path,
    name: str,
    out: Path,
    *,
    force: bool = False,
    points: str | None = None,
    due: str | None = None,
    level: str | None = None,
    column: str | None = None,
    into: Path | None = None,
    kit: Kit | None = None,
    roster: Path | None = None,
    colour: bool = True,
) -> int:
    """Read a gradebook, export it, and say what has no points. Returns the exit status.

    Raises:
        KitError: an option would do nothing, or what is read or written is not as it should be.
    """
    form = format_of(name, into=into is not None)
    options = {
        "--points": points, "--due": due, "--feedback": level, "--column": column, "--into": into, "--roster": roster,
    }  # fmt: skip
    check_new(out, force=force)
    check_options(form, options, {one: FORMATS[one].heeds for one in FORMATS})
    place, rule = find(given), read_points(points, None if due is None else read_time(due))
    people = None if roster is None else read_roster(roster)
    with Journal(place) as journal:
        rows = journal.rows()
        people = people and people.among(rows)
    answered = {row.problem for row in rows} | set(() if kit is None else kit.names)
    if unknown := sorted(set(rule.own) - answered):
        raise KitError(f"{points} has points for {unknown[0]}, and no problem is called so.")
    called = column or FORMATS[form].column or place.stem
    sheet = Sheet(rows, rule, people or Roster(()), level or FULL, called, "" if into is None else _template(into))
    write_new(out, FORMATS[form].write(sheet).encode("utf-8", "replace"), force=force, private=True)
    terminal = Terminal.make(colour=colour)
    terminal.line(f"Written: {visible(str(out))}")
    if missing := sheet.open(rows):
        terminal.line(f"Without a verdict, and so without points: {len(missing)} of {len(rows)} answers.")
    for note in (*sheet.notes, *rule.unsure(rows)):
        Terminal.make(stderr=True).fault(note)
    if people is not None:
        tell_matches(people, rows)
    return 0


def _template(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise KitError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise KitError(f"{path} is not UTF-8: download it again, and do not edit it.") from None
