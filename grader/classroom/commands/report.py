"""`class report`: what a class got right and wrong, and what to teach next."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from grader.classroom.commands.export import (
    IN_DOUBT,
    StudentPages,
    all_ids,
    as_teams,
    attempts_note,
    in_teams,
    read_record,
    write_pages,
)
from grader.classroom.commands.gradebook import near_kit, roster_of
from grader.classroom.commands.group import check_options, due_option, points_option, roster_option
from grader.classroom.database import find_gradebook
from grader.classroom.equal_answers import EQUAL
from grader.classroom.hidden_ids import codes_of, without_remarks
from grader.classroom.journal import Journal
from grader.classroom.late import read_time
from grader.classroom.plan import stale
from grader.classroom.points import read_points
from grader.classroom.report import (
    CHANGED,
    ClassReport,
    MistakeGroup,
    OfProblem,
    ReportInput,
    report_document,
    report_of,
)
from grader.classroom.row import DUE, Row
from grader.classroom.row_text import spoken_standing
from grader.commands.parameters import (
    CommonOptions,
    check_force,
    common,
    gradebook,
    prints_json,
    reported_in,
    tells,
    writes,
)
from grader.kit.files import read_text
from grader.kit.kit import Kit, KitError, command
from grader.kit.output import check_new, write_new
from grader.kit.text import counted, visible
from grader.locale.language import gettext, ngettext, pgettext
from grader.report.table import print_table
from grader.report.terminal import Terminal
from grader.values.message import Line, Lines, message

MOST_LISTED = 12
"""The most students, and the most of other lists, that are printed; more are counted."""

MOST_VALUES_SHOWN = 4
"""The most values of an excerpt that are printed."""

HIDDEN = (
    "Ids are codes here, and texts are without their comments. A text may still name its author elsewhere. `class report "
    "--whose CODE` says whose a code is."
)

HEEDS = {
    "the report as text": ("--points", "--due", "--roster", "--hide-ids"),
    "a page or a document": ("--points", "--due", "--roster", "--hide-ids"),
    "--json": ("--points", "--due", "--roster", "--hide-ids"),
    "--students": ("--points", "--due", "--student", "--feedback", "--page", "--hide-ids"),
    "--students --for canvas": ("--points", "--due", "--student", "--feedback"),
    "--students --for moodle": ("--points", "--due", "--student", "--feedback", "--page", "--roster"),
    "--whose": ("--roster",),
}
"""Which options each form of the report heeds."""

PAGES, BACK = ("html", "markdown", "text"), ("canvas", "moodle")
"""The forms of a student's page, and the systems that pages go back to."""

HTML, JSON, ZIP = ".html", ".json", ".zip"
"""How the names of files end that the report can be written to."""


@dataclass(frozen=True)
class ReportForm:
    """How a report is told: as pages of students in the folder `out`, as JSON, in the file `out`, or else as text.

    `page` is the form of pages of students, and `back` the system that they go back to, in the zip `out`. `hides` says
    whether ids are hidden behind codes, and `whose` is such a code: the student behind it is told, and nothing else.
    """

    out: Path | None = None
    json: bool = False
    students: bool = False
    only: Sequence[str] = ()
    level: str | None = None
    points: str | None = None
    due: str | None = None
    force: bool = False
    roster: Path | None = None
    page: str | None = None
    back: str | None = None
    hides: bool = False
    whose: str | None = None

    @property
    def name(self) -> str:
        chosen = {
            "--whose": self.whose is not None,
            f"--students --for {self.back}": self.back is not None,
            "--students": self.students,
            "--json": self.json,
            "a page or a document": self.out is not None,
        }
        return next((name for name, is_chosen in chosen.items() if is_chosen), next(iter(HEEDS)))

    def check(self) -> None:
        """Check that it can be told so.

        Raises:
            KitError: an option is missing, or would do nothing, or `out` cannot be written.
        """
        if self.whose is not None and (self.out is not None or self.json or self.students or self.back):
            raise KitError("--whose says whose one code is, and does nothing else: give it alone.")
        if self.json and (self.students or self.back):
            raise KitError("--json is the report as a document, and --students are pages: give one of them.")
        if self.back and not self.students:
            raise KitError(f"--for {self.back} is for the pages of students: give --students as well.")
        if self.students and self.out is None:
            needed = f"FILE{ZIP}, the zip for the pages" if self.back else "DIR, the folder for the pages"
            raise KitError(f"--students needs -o {needed}.")
        options = {
            "--points": self.points, "--due": self.due, "--student": self.only, "--feedback": self.level,
            "--roster": self.roster, "--page": self.page, "--hide-ids": self.hides or None,
        }  # fmt: skip
        check_options(self.name, options, HEEDS)
        if self.out is not None:
            self._check_out(self.out)

    def _check_out(self, out: Path) -> None:
        ending = out.suffix.lower()
        if self.back and ending != ZIP:
            raise KitError(f"{out} should end with {ZIP}: {self.back.title()} takes a zip.")
        if self.json and ending == HTML:
            raise KitError(f"--json writes a document, and {out} is called as a page is: give -o FILE{JSON}.")
        if not (self.students or self.json) and ending not in (HTML, JSON):
            raise KitError(f"{out} should end with {HTML} or {JSON}: that says what is written.")
        check_new(out, force=self.force, folder=self.students and not self.back)


@click.command()
@gradebook
@writes("it is printed")
@prints_json("grader/class-report/1")
@click.option("--students", is_flag=True, help="Write a page for each student to the folder -o.")
@click.option("--student", "only", multiple=True, metavar="ID", help="Only this student (repeatable).")
@click.option("--page", type=click.Choice(PAGES), help="The form of a student's page [else html; for Canvas text].")
@click.option("--for", "back", type=click.Choice(BACK), help="With --students: the zip that goes back there.")
@points_option
@due_option
@roster_option
@click.option("--hide-ids", "hides", is_flag=True, help="Write codes in the place of ids.")
@click.option("--whose", metavar="CODE", help="Say whose a code is.")
@reported_in
@tells
@common
def report(given: CommonOptions, gradebook: Path, **asked: Any) -> int:
    form = ReportForm(json=given.json, level=given.feedback, **asked)
    check_force(form.out, force=form.force)
    return show_report(gradebook, form, kit=given.kit, colour=given.colour)


def show_report(given: Path, form: ReportForm, *, kit: Path | None, colour: bool) -> int:
    """Print the report, or write it. Returns the exit status.

    Args:
        kit: the value of `--kit`, which the commands that are printed need too.

    Raises:
        KitError: an option would do nothing, the gradebook cannot be read, or what is to be written is there already.
    """
    form.check()
    place, near, due = find_gradebook(given), near_kit(kit), None if form.due is None else read_time(form.due)
    terminal, notes = Terminal.make(colour=colour), Terminal.make(stderr=True)
    if form.points is not None and not form.students and not read_points(form.points, due).keys:
        raise KitError("--points does nothing here unless its file says more than rules: else it is for --students.")
    with Journal(place) as journal:
        people = roster_of(journal, form.roster)
        if form.whose is not None:
            terminal.to_do(visible(codes_of(journal, all_ids(journal, people)).whose(form.whose)))
            return 0
        rule = journal.renamed(read_points(form.points, due, journal.points()), people)
        held = read_record(journal, people, rule, hides=form.hides)
        changed = [] if near is None else stale(journal, near)
        rows, told = held.rows, [HIDDEN] if form.hides else [*journal.notes(), *attempts_note(journal, held.rule)]
        if form.students and form.out is not None:
            asked = StudentPages(form.only, form.level, form.page, form.back, people)
            told += write_pages(terminal, held, form.out, asked, force=form.force)
            told += [gettext(CHANGED).format(problems=", ".join(changed))] if changed else []
        else:
            text = (lambda digest: without_remarks(journal.text(digest))) if form.hides else journal.text
            made_of = held.lacking(), held.moves, changed, held.listing, partial(_given, near)
            known = ReportInput(text, partial(_begins, place, kit, near), held.rule.deadline, *made_of)
            rows = in_teams(held, as_teams(journal, people))
            _tell(terminal, report_of(str(place), rows, known), rows, form)
            lacking = {(each.path, each.why) for each in known.unread}
            if left := {(each.path, each.why) for each in held.unread} - lacking:
                lines = counted(len(left), "line")
                told.append(f"Not in this report: {lines} of `class status` on what is not graded.")
    for note in (*told, *held.rule.notes(rows)):
        notes.fault(note)
    return IN_DOUBT if held.sheet().in_doubt else 0


def _tell(terminal: Terminal, whole: ClassReport, rows: Sequence[Row], form: ReportForm) -> None:
    """Write a report where it belongs, or print it."""
    if form.out is None:
        if form.json:
            print(report_document(whole))
        else:
            _print(terminal, whole, rows)
        return
    from grader.classroom.page.render import page

    text = page(whole) if form.out.suffix.lower() == HTML else f"{report_document(whole)}\n"
    write_new(form.out, text.encode("utf-8", "replace"), force=form.force, private=True)
    holds = "codes in the place of ids, and texts" if form.hides else "ids and texts of students"
    terminal.to_do(f"Written to {form.out}: the report on {counted(whole.answers, 'answer')}, with {holds}.")


def _given(kit: Kit | None, problem: str) -> tuple[str, str]:
    """The stub and the worked answer of a problem, each empty where the kit does not have it."""
    if kit is None or problem not in kit.names:
        return "", ""
    stub, worked = (read_text(path) if path.is_file() else "" for path in (kit.stub(problem), kit.answer(problem)))
    return stub, worked


def _begins(place: Path, kit: Path | None, near: Kit | None, problem: str, name: str) -> str:
    """The command that begins a pitfall; no command where the kit at hand has no worked answer for it."""
    if near is not None and problem in near.names and not near.answer(problem).is_file():
        return ""
    return command("class", "pitfall", os.path.relpath(place), problem, name, kit=kit)


def _print(terminal: Terminal, whole: ClassReport, rows: Sequence[Row]) -> None:
    if not whole.problems:
        terminal.line(gettext("The gradebook holds no answer."))
    for problem in whole.problems:
        print_problem(terminal, problem)
        terminal.line()
    if whole.help:
        terminal.line(gettext("Who needs help"), "bold")
        cells = [
            (
                visible(student.student),
                str(student.count),
                str(student.answers),
                ", ".join((*student.not_right, *student.unattempted)),
            )
            for student in whole.help[:MOST_LISTED]
        ]
        columns = (
            pgettext("column", "student"),
            gettext("not right yet"),
            pgettext("column", "answers"),
            gettext("problems"),
        )
        print_table(terminal, columns, cells)
        _more(terminal, whole.help)
        terminal.line()
    _standing(terminal, whole)
    _moved(terminal, whole, rows)


def _moved(terminal: Terminal, whole: ClassReport, rows: Sequence[Row]) -> None:
    """Print whose verdict moved, and why."""
    if whole.moves:
        terminal.line(gettext("What moved, the latest first"), "bold")
        cells = [
            (visible(move.student), move.problem, *map(spoken_standing, (move.before, move.now)), gettext(move.why))
            for move in whole.moves[:MOST_LISTED]
        ]
        columns = pgettext("column", "student"), pgettext("column", "problem"), gettext("before"), gettext("now")
        print_table(terminal, (*columns, gettext("why")), cells)
        _more(terminal, whole.moves)
        each = Counter(move.problem for move in whole.moves)
        several = ", ".join(
            gettext("{count} of {problem}").format(count=count, problem=name) for name, count in each.items()
        )
        terminal.line(gettext("{count} moved: {each}.").format(count=len(whole.moves), each=several))
    elif rows:
        terminal.line(gettext("No verdict moved."))
    if due := sum(row.state == DUE for row in rows):
        terminal.line(gettext("Due: {count}, which may move yet.").format(count=due))


def _standing(terminal: Terminal, whole: ClassReport) -> None:
    """Print what holds of the whole class: what changed since, whose answers are lacking, who is in the roster."""
    if whole.stale:
        terminal.line(gettext(CHANGED).format(problems=", ".join(whole.stale)), hanging=3)
        terminal.line()
    if whole.unread:
        terminal.line(gettext("Handed in, and not graded"), "bold")
        for lacking in whole.unread[:MOST_LISTED]:
            problem = lacking.problem or gettext("some problem")
            of = f"{lacking.student}, {problem}: {lacking.path}"
            terminal.line(visible(f"{of}: {gettext(lacking.why)}" if lacking.why else of), indent=3, hanging=2)
        _more(terminal, whole.unread)
        terminal.line()
    if whole.listed is not None:
        absent, strange = whole.listed.absent, whole.listed.strange
        for told, ids in (
            (gettext("In the roster, and handed in nothing: {students}."), absent),
            (gettext("Handed in something, and not in the roster, so perhaps dropped: {students}."), strange),
        ):
            terminal.line(told.format(students=_listed(ids) if ids else gettext("nobody")), hanging=3)
        terminal.line()


def print_problem(terminal: Terminal, of_problem: OfProblem) -> None:
    order = sorted(
        (name for name in of_problem.outcomes if of_problem.outcomes[name]), key=lambda name: -of_problem.outcomes[name]
    )
    counts = ", ".join(f"{of_problem.outcomes[name]} {spoken_standing(name)}" for name in order)
    terminal.line(f"{of_problem.problem}   {_answers(of_problem.answers)}: {counts}", "bold", hanging=3)
    if of_problem.mistakes:
        terminal.line()
        cells = [
            (each.name, str(each.alone or "-"), str(each.together or "-")) for each in of_problem.mistakes[:MOST_LISTED]
        ]
        print_table(terminal, (pgettext("column", "mistake"), gettext("alone"), gettext("with others")), cells)
        _more(terminal, of_problem.mistakes)
    for group in of_problem.groups[:MOST_LISTED]:
        terminal.line()
        _group(terminal, group)
    if len(of_problem.groups) > MOST_LISTED:
        told = gettext("and {count} more kinds of unexplained answers")
        terminal.line(told.format(count=len(of_problem.groups) - MOST_LISTED), "dim", indent=3)
    _cases(terminal, of_problem)
    if of_problem.not_right:
        terminal.line()
        told = gettext("Attempted, and not right yet: {students}.")
        terminal.line(told.format(students=_listed(of_problem.not_right)), hanging=3)
    if of_problem.equal:
        terminal.line()
        terminal.line(gettext(EQUAL), hanging=3)
    for same in of_problem.equal[:MOST_LISTED]:
        how = gettext("the same text") if same.same_text else gettext("the same but for names, comments and layout")
        size = ngettext("{count} statement", "{count} statements", same.statements).format(count=same.statements)
        who = _listed([" + ".join(party) for party in same.students])
        terminal.line(f"{size}, {how}: {who}", indent=3, hanging=2)
    _more(terminal, of_problem.equal)
    if of_problem.late:
        terminal.line()
        told = gettext("Late: {answers}, of {students}.")
        late = _listed([*map(str, of_problem.late)])
        terminal.line(told.format(answers=_answers(len(of_problem.late)), students=late), hanging=3)


def _answers(count: int) -> str:
    return ngettext("{count} answer", "{count} answers", count).format(count=count)


def _group(terminal: Terminal, group: MistakeGroup) -> None:
    who, count = _listed(group.students), len(group.students)
    if group.raised:
        told = ngettext(
            "{count} answer raised: {students}.", "{count} answers raised the same, but for numbers: {students}.", count
        )
        terminal.line(told.format(count=count, students=who), hanging=3)
        terminal.line(visible(group.raised), indent=3, hanging=2)
        return
    told = ngettext(
        "{count} wrong answer is not explained in full: {students}.",
        "{count} wrong answers that are not explained in full give the same: {students}.",
        count,
    )
    terminal.line(told.format(count=count, students=who), hanging=3)
    arguments = ", ".join(f"{name}={value}" for name, value in (group.args or {}).items())
    if excerpt := group.excerpt:
        told = gettext("At {place}{expected} is expected, and {given} given.")
        place = f"{arguments}, {excerpt.place}: " if excerpt.place else f"{arguments}, "
        values = _values(excerpt.expected), _values(excerpt.yours)
        terminal.line(told.format(place=place, expected=values[0], given=values[1]), indent=3)
    elif arguments:
        terminal.line(gettext("The smallest failing case is {arguments}.").format(arguments=arguments), indent=3)
    for near in group.near:
        told = gettext("Perhaps one mistake with {id}: what was kept of both is at most {count} tolerances apart.")
        terminal.line(told.format(id=near.id, count=f"{near.tolerances:g}"), indent=3)
    for place in group.places:
        text = visible(" ".join(place.text.split()))
        told = message("{line} of {path}: {text}")
        if group.representative.taken and not place.cell:
            told = message("{line} of what was taken from {path}: {text}")
        line, path = Lines((Line(place.line, place.cell or 0),)), visible(group.representative.path)
        terminal.line(str(told.with_fields(line=line, path=path, text=text)), indent=3, hanging=2)
    if group.command:
        terminal.line(gettext("To begin a pitfall from it:"), indent=3)
        terminal.to_do(f"  {group.command}")


def _cases(terminal: Terminal, of_problem: OfProblem) -> None:
    """Which cases caught nobody, and which alone caught somebody."""

    def named(args: dict[str, Any]) -> str:
        return f"({', '.join(str(value) for value in args.values())})"

    idle = [named(case.args) for case in of_problem.idle]
    alone = [f"{named(case.args)} {case.alone}" for case in of_problem.sole]
    if idle or alone:
        terminal.line()
    if idle:
        told = gettext("Cases that none of {count} wrong answers failed on: {cases}.")
        terminal.line(told.format(count=of_problem.compared, cases=", ".join(idle)), hanging=3)
    if alone:
        told = gettext("Cases that alone caught wrong answers, and how many: {cases}.")
        terminal.line(told.format(cases=", ".join(alone)), hanging=3)


def _more(terminal: Terminal, listed: Sequence[object]) -> None:
    if len(listed) > MOST_LISTED:
        told = gettext("and {count} more (--json lists all)").format(count=len(listed) - MOST_LISTED)
        terminal.line(told, "dim", indent=3)


def _values(values: Sequence[float]) -> str:
    shown = " ".join(f"{value:.4f}" for value in values[:MOST_VALUES_SHOWN])
    return f"{shown} …" if len(values) > MOST_VALUES_SHOWN else shown


def _listed(students: Sequence[str]) -> str:
    first, more = visible(", ".join(students[:MOST_LISTED])), len(students) - MOST_LISTED
    return gettext("{students} and {count} more").format(students=first, count=more) if more > 0 else first
