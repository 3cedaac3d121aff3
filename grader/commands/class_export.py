"""`class export`: the rows of a gradebook in the format of another system."""

from __future__ import annotations

from pathlib import Path

import click

from grader.classroom.database import Unusable
from grader.classroom.exports.formats import FORMATS, format_of
from grader.classroom.exports.sheet import Sheet
from grader.classroom.gradebook_path import find
from grader.classroom.journal import Journal
from grader.classroom.late import read_time
from grader.classroom.plan import stale
from grader.classroom.points import Points, in_text, read_points
from grader.classroom.roster import Roster
from grader.classroom.row_text import listed
from grader.commands.class_parameters import check_options, due_option, near_kit, points_option, roster_option
from grader.commands.class_roster import roster_of, tell_matches
from grader.commands.parameters import Given, common, gradebook, tells, writes
from grader.kit.kit import KitError
from grader.kit.output import check_new, write_new
from grader.kit.text import visible
from grader.report.feedback import FULL
from grader.report.terminal import Terminal

CHANGED = "Changed since, in this kit or in its software"
OF_BEFORE = "The verdicts are of before: `class grade` grades the answers again."

CHOICES = tuple(name for name in FORMATS if " " not in name)
IN_DOUBT = 1
"""The exit status where something was handed in, and is not graded."""


@click.command()
@gradebook
@click.argument("form", metavar="FORMAT", type=click.Choice(CHOICES))
@writes()
@points_option
@roster_option
@due_option
@click.option("--column", metavar="NAME", help="The assignment's name in the table [else that of the gradebook].")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The table to fill in: canvas: its gradebook; moodle: a grading worksheet.",
)
@click.option("--only-blank", is_flag=True, help="Fill in blank cells alone: a grade that stands in the table stays.")
@tells
@common
def export(
    given: Given,
    gradebook: Path,
    form: str,
    out: Path,
    force: bool,
    points: str | None,
    roster: Path | None,
    due: str | None,
    column: str | None,
    into: Path | None,
    only_blank: bool,
) -> int:
    """Read a gradebook, export it, and say what has no points. Returns the exit status.

    Raises:
        KitError: an option would do nothing, or what is read or written is not as it should be.
    """
    kit, level = near_kit(given.kit), given.feedback
    form = format_of(form, into=into is not None)
    options = {
        "--points": points, "--due": due, "--feedback": level, "--column": column, "--into": into, "--roster": roster,
        "--only-blank": only_blank or None,
    }  # fmt: skip
    check_new(out, force=force)
    check_options(form, options, {one: FORMATS[one].heeds for one in FORMATS})
    place = find(gradebook)
    with Journal(place) as journal:
        people = roster_of(journal, roster)
        rule = read_points(points, None if due is None else read_time(due), journal.points())
        rule = journal.renamed(rule, people)
        rows, notes = journal.rows(rule), journal.notes()
        notes += attempts_note(journal, rule)
        if changed := [] if kit is None else stale(journal, kit):
            notes.append(f"{CHANGED}: {', '.join(changed)}. {OF_BEFORE}")
        if points is None and "--points" in FORMATS[form].heeds and journal.setting("points") is not None:
            notes.append("Points are counted by what `class grade` was given with --points.")
        people = people and people.among(rows)
        sheet = Sheet(
            *(rows, rule, people or Roster(()), level or FULL, column or FORMATS[form].column or place.stem),
            template="" if into is None else _template(into),
            unread=journal.unread(rule),
            only_blank=only_blank,
            tells=level is not None,
        )
        known = {one.problem for one in (*rows, *sheet.unread)} | set(() if kit is None else kit.names)
        if unknown := sorted(rule.problems - known):
            raise KitError(f"{points or place} names {unknown[0]}, and no problem is called so.")
        text = FORMATS[form].write(sheet)
        write_new(out, text.encode("utf-8", "replace"), force=force, private=True)
        sums = {student: in_text(sheet.total(student)) for student in sheet.students()}
        try:
            journal.note_export(form, out, sheet.written if "--column" in FORMATS[form].heeds else sums)
        except Unusable as error:  # the file is whole, and a gradebook that somebody grades into can be read
            notes.append(
                f"The gradebook does not remember this export, so `class moved --since` does not know it: {error}"
            )
    terminal = Terminal.make(colour=given.colour)
    terminal.line(f"Written: {visible(str(out))}")
    if missing := sheet.open(rows):
        terminal.line(f"Without a verdict, and so without points: {len(missing)} of {len(rows)} answers.")
    for note in (*notes, *sheet.unknown(), *sheet.notes, *rule.notes(rows)):
        Terminal.make(stderr=True).fault(note)
    if people is not None:
        tell_matches(people, rows)
    return IN_DOUBT if sheet.in_doubt else 0


def attempts_note(journal: Journal, rule: Points) -> list[str]:
    """A line if another attempt counts by a rule than in the gradebook."""
    others = [" ".join(one) for one in journal.other_attempts(rule)]
    told = "Which attempt counts is another one by these points than by those of `class grade`"
    return [f"{told}: {listed(others)}."] if others else []


def _template(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise KitError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise KitError(f"{path} is not UTF-8: download it again, and do not edit it.") from None
