"""`class export`, and the pages of students: the rows of a gradebook for other systems and for students."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from grader.classroom.autograder.bundle import packed
from grader.classroom.commands.gradebook import near_kit, roster_of, tell_matches
from grader.classroom.commands.group import check_options, due_option, points_option, roster_option
from grader.classroom.database import Unusable, find_gradebook
from grader.classroom.exports.canvas import canvas
from grader.classroom.exports.sheet import Sheet, folder_of
from grader.classroom.exports.tables import everything, junit, moodle
from grader.classroom.exports.verdicts import verdicts
from grader.classroom.exports.worksheet import GRADE, worksheet
from grader.classroom.hidden_ids import Codes, codes_of
from grader.classroom.history import Move
from grader.classroom.journal import Journal
from grader.classroom.late import read_time
from grader.classroom.plan import stale
from grader.classroom.points import Points, in_text, read_points
from grader.classroom.report import CHANGED, RosterAgreement
from grader.classroom.roster import Roster
from grader.classroom.row import Row
from grader.classroom.row_text import listed
from grader.classroom.student_page import ENDINGS, FEEDBACK_SYSTEMS, going_back, student_page
from grader.classroom.submission import Unread
from grader.commands.parameters import CommonOptions, common, gradebook, reported_in, tells, writes
from grader.kit.kit import KitError
from grader.kit.output import check_new, write_new
from grader.kit.text import counted, visible
from grader.locale.language import gettext
from grader.options import FULL
from grader.report.terminal import Terminal


@dataclass(frozen=True)
class ClassRecord:
    """What a gradebook holds.

    Attributes:
        listing: how the roster agrees with it; None where there is none.
        codes: None where ids are told.
    """

    rows: Sequence[Row]
    unread: Sequence[Unread]
    moves: Sequence[Move]
    rule: Points
    listing: RosterAgreement | None
    codes: Codes | None = None

    def sheet(self, level: str = FULL) -> Sheet:
        return Sheet(self.rows, self.rule, level=level, unread=self.unread)

    def lacking(self) -> list[Unread]:
        """What students handed in and is not graded, where an answer is lacking by it, or a stub counts in its place."""
        sheet = self.sheet()
        return [
            unread_file
            for name in sheet.students
            for unread_file in (*sheet.unread_of(name), *sheet.beside_stubs(name))
        ]

    def code(self, student: str) -> str:
        """How a student is told here."""
        return self.codes.by_id.get(student, student) if self.codes else student


def read_record(journal: Journal, people: Roster | None, rule: Points, *, hides: bool) -> ClassRecord:
    """What a gradebook holds."""
    rows, unread, moves = journal.rows(rule), journal.unread(rule), journal.moves()
    people = people and people.among(rows)
    students = sorted({row.student for row in (*rows, *unread) if row.student})
    listing = None
    if people is not None:
        absent = [person.id for person in people.without_work(students)]
        listing = RosterAgreement(tuple(absent), tuple(student for student in students if people.of(student) is None))
    if not hides:
        return ClassRecord(rows, unread, moves, rule, listing)
    codes = codes_of(journal, all_ids(journal, people, rule))
    if listing is not None:
        listed = (tuple(sorted(map(codes.of, ids))) for ids in (listing.absent, listing.strange))
        listing = RosterAgreement(*listed)
    told = codes.rows(rows), codes.unread(unread), codes.moves(moves), codes.points(rule)
    return ClassRecord(*told, listing, codes)


def all_ids(journal: Journal, people: Roster | None, rule: Points | None = None) -> list[str]:
    """All ids that a report may tell, whichever attempts count: those of the rule, or those of what is kept."""
    rows = [*journal.rows(), *(journal.rows(rule) if rule else ())]
    ids = [id_ for row in rows for id_ in (row.student, row.team)]
    unread = [*journal.unread(), *(journal.unread(rule) if rule else ())]
    return [
        *ids,
        *(record.student for record in (*unread, *journal.moves())),
        *(id_ for person in (people.people if people else ()) for id_ in (person.id, person.team)),
    ]


def as_teams(journal: Journal, people: Roster | None) -> dict[str, str]:
    """The team of each student whom the roster has in one, where the class handed in by teams.

    So members who each handed in their common work are one: elsewhere, a group of the roster may be a section of the class.
    """
    kept = journal.roster()
    if people is None or kept is None or not kept.teams:
        return {}
    known = people.among(journal.rows())
    found = {row.student: known.of(row.student) for row in journal.rows()}
    return {student: person.team for student, person in found.items() if person is not None and person.team}


def in_teams(held: ClassRecord, teams: dict[str, str]) -> list[Row]:
    """The rows, each with the team of its student."""
    coded = {held.code(student): held.code(team) for student, team in teams.items()}
    return [replace(row, team=row.team or coded.get(row.student, "")) for row in held.rows]


@dataclass(frozen=True)
class Format:
    """One format.

    Attributes:
        heeds: the options that change it.
        column: stands for `--column`; empty for the name of the gradebook.
    """

    write: Callable[[Sheet], str]
    heeds: frozenset[str]
    column: str = ""


TABLE = ("--into", "--column", "--only-blank")

FORMATS: dict[str, Format] = {
    "canvas": Format(canvas, frozenset((*TABLE, "--points", "--due", "--roster"))),
    "csv": Format(everything, frozenset(("--points", "--due", "--roster", "--feedback"))),
    "json": Format(verdicts, frozenset(("--points", "--due", "--roster", "--feedback"))),
    "junit": Format(junit, frozenset(("--roster", "--feedback"))),
    "moodle": Format(moodle, frozenset(("--column", "--points", "--due", "--roster", "--feedback"))),
    "moodle --into": Format(worksheet, frozenset((*TABLE, "--points", "--due", "--roster", "--feedback")), GRADE),
}


def format_of(name: str, *, into: bool) -> str:
    """The key in `FORMATS`: a format may be another one where a table is to be filled in."""
    return f"{name} --into" if into and f"{name} --into" in FORMATS else name


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
@reported_in
@tells
@common
def export(
    given: CommonOptions,
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
    check_options(form, options, {known_form: FORMATS[known_form].heeds for known_form in FORMATS})
    place = find_gradebook(gradebook)
    with Journal(place) as journal:
        people = roster_of(journal, roster)
        rule = read_points(points, None if due is None else read_time(due), journal.points())
        rule = journal.renamed(rule, people)
        rows, notes = journal.rows(rule), journal.notes()
        notes += attempts_note(journal, rule)
        if changed := [] if kit is None else stale(journal, kit):
            notes.append(gettext(CHANGED).format(problems=", ".join(changed)))
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
        known = {row.problem for row in (*rows, *sheet.unread)} | set(() if kit is None else kit.names)
        if unknown := sorted(rule.problems - known):
            raise KitError(f"{points or place} names {unknown[0]}, and no problem is called so.")
        text = FORMATS[form].write(sheet)
        write_new(out, text.encode("utf-8", "replace"), force=force, private=True)
        sums = {student: in_text(sheet.total(student)) for student in sheet.students}
        try:
            journal.note_export(form, out, sheet.written if "--column" in FORMATS[form].heeds else sums)
        except Unusable as error:  # the file is whole, and a gradebook that somebody grades into can be read
            notes.append(
                f"The gradebook does not remember this export, so `class moved --since` does not know it: {error}"
            )
    terminal = Terminal.make(colour=given.colour)
    terminal.line(f"Written: {visible(str(out))}")
    if missing := sheet.open:
        terminal.line(f"Without a verdict, and so without points: {len(missing)} of {len(rows)} answers.")
    for note in (*notes, *sheet.unknown(), *sheet.notes, *rule.notes(rows)):
        Terminal.make(stderr=True).fault(note)
    if people is not None:
        tell_matches(people, rows)
    return IN_DOUBT if sheet.in_doubt else 0


def attempts_note(journal: Journal, rule: Points) -> list[str]:
    """A line if another attempt counts by a rule than in the gradebook."""
    others = [" ".join(attempt) for attempt in journal.other_attempts(rule)]
    told = "Which attempt counts is another one by these points than by those of `class grade`"
    return [f"{told}: {listed(others)}."] if others else []


def _template(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise KitError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise KitError(f"{path} is not UTF-8: download it again, and do not edit it.") from None


@dataclass(frozen=True)
class StudentPages:
    """What is written.

    Attributes:
        only: the students, by their ids; none: all.
        form: one of `ENDINGS`; None for that of the system, or else the first.
        back: the system that the pages go back to, one of `SYSTEMS`; None for a folder.
    """

    only: Sequence[str] = ()
    level: str | None = None
    form: str | None = None
    back: str | None = None
    people: Roster | None = None


def write_pages(terminal: Terminal, held: ClassRecord, out: Path, asked: StudentPages, *, force: bool) -> list[str]:
    """Write the pages, and return who is left out, and why, in one line each.

    Raises:
        KitError: a student is not in the gradebook, or nobody's files are named by the system, or `out` cannot be written.
    """
    system = FEEDBACK_SYSTEMS[asked.back] if asked.back else None
    ending, written = ENDINGS[asked.form or (system.form if system else next(iter(ENDINGS)))]
    sheet = held.sheet(asked.level or FULL)
    students = sheet.students
    if unknown := [student for student in asked.only if held.code(student) not in students]:
        raise KitError(f"The gradebook has no student {unknown[0]!r}: --student takes an id of it.")
    chosen = [held.code(fromkey) for fromkey in dict.fromkeys(asked.only)] or list(students)

    def page(student: str) -> bytes:
        return written(student_page(sheet, student)).encode("utf-8", "replace")

    if system is None:
        write_new(
            out, {f"{folder_of(student)}{ending}": page(student) for student in chosen}, force=force, private=True
        )
        terminal.to_do(f"Written to {out}: {counted(len(chosen), 'page')}, one for each student.")
        return []
    own = {
        student: (students[student], [unread_file for unread_file in held.unread if unread_file.student == student])
        for student in chosen
    }
    back = going_back(system, own, ending, page, asked.people and asked.people.among(held.rows))
    write_new(out, packed(back.files), force=force, private=True)
    whose = f"{counted(len(back.files), 'page')}, of {visible(listed(back.students))}"
    terminal.to_do(f"Written to {out}: {whose}. {system.where}")
    return list(back.notes)
