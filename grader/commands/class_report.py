"""`class report`: what a class got right and wrong, and what to teach next."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.classroom.equal_answers import EQUAL
from grader.classroom.exports.sheet import Sheet, folder_of
from grader.classroom.gradebook_path import find
from grader.classroom.journal import Journal
from grader.classroom.late import read_time
from grader.classroom.points import Points, read_points
from grader.classroom.report import Group, OfProblem, Report, report_document, report_of
from grader.classroom.row import DUE, Row
from grader.classroom.status import in_words, moved
from grader.classroom.student_page import student_page
from grader.commands.class_parameters import check_options
from grader.kit.kit import KitError, command
from grader.kit.output import check_new, write_new
from grader.kit.text import visible
from grader.marking.words import counted
from grader.report.columns import print_table
from grader.report.feedback import FULL
from grader.report.terminal import Terminal

MOST_LISTED = 12
"""The most students, and the most of other lists, that are printed; more are counted."""
MOST_VALUES_SHOWN = 4
"""The most values of an excerpt that are printed."""


HEEDS = {
    "the report as text": ("--points", "--due"),
    "a page or a document": ("--points", "--due"),
    "--json": ("--points", "--due"),
    "--students": ("--points", "--due", "--student", "--feedback"),
}
"""Which options each form of the report heeds."""

HTML, JSON = ".html", ".json"
"""How the names of files end that the report can be written to."""


@dataclass(frozen=True)
class Form:
    """How a report is told: as pages of students in the folder `out`, as JSON, in the file `out`, or else as text."""

    out: Path | None = None
    json: bool = False
    students: bool = False
    only: Sequence[str] = ()
    level: str | None = None
    points: str | None = None
    due: str | None = None
    force: bool = False

    @property
    def name(self) -> str:
        chosen = {"--students": self.students, "--json": self.json, "a page or a document": self.out is not None}
        return next((name for name, is_chosen in chosen.items() if is_chosen), next(iter(HEEDS)))

    def check(self) -> None:
        """Check that it can be told so.

        Raises:
            KitError: an option is missing, or would do nothing, or `out` cannot be written.
        """
        if self.json and (self.out is not None or self.students):
            raise KitError(f"--json prints a document: to write one, give -o FILE{JSON} in its place.")
        if self.students and self.out is None:
            raise KitError("--students needs -o DIR, the folder for the pages.")
        options = {"--points": self.points, "--due": self.due, "--student": self.only, "--feedback": self.level}
        check_options(self.name, options, HEEDS)
        if self.out is not None:
            if not self.students and self.out.suffix.lower() not in (HTML, JSON):
                raise KitError(f"{self.out} should end with {HTML} or {JSON}: that says what is written.")
            check_new(self.out, force=self.force, folder=self.students)


def report(given: Path, form: Form, *, kit: Path | None, colour: bool) -> int:
    """Print the report, or write it. Returns the exit status.

    Args:
        kit: the value of `--kit`, which the commands that are printed need too.

    Raises:
        KitError: an option would do nothing, the gradebook cannot be read, or what is to be written is there already.
    """
    form.check()
    rule = read_points(form.points, None if form.due is None else read_time(form.due))
    if form.points is not None and not form.students and rule.deadline.due is None:
        raise KitError("--points does nothing here unless it is a file with a due time: else it is for --students.")
    place = find(given)
    terminal = Terminal.make(colour=colour)
    with Journal(place) as journal:
        rows = journal.rows()
        if form.students and form.out is not None:
            return _pages(terminal, rows, form, form.out, rule)
        whole = report_of(str(place), rows, journal.text, _begins(place, kit), rule.deadline)
        unread = len(journal.unread())
    if form.out is not None:
        from grader.classroom.page.render import page as html

        text = html(whole) if form.out.suffix.lower() == HTML else f"{report_document(whole)}\n"
        write_new(form.out, text.encode("utf-8", "replace"), force=form.force, private=True)
        answers = counted(whole.answers, "answer")
        terminal.to_do(f"Written to {form.out}: the report on {answers}, with ids and texts of students.")
    elif form.json:
        print(report_document(whole))
    else:
        _print(terminal, whole, rows)
    if unread:
        Terminal.make(stderr=True).fault(
            f"Not in this report: {counted(unread, 'line')} of `class status` on what is not graded."
        )
    return _noted(rule, rows)


def _noted(rule: Points, rows: Sequence[Row]) -> int:
    """Say what is not known of times. Returns the exit status."""
    for note in rule.unsure(rows):
        Terminal.make(stderr=True).fault(note)
    return 0


def _pages(terminal: Terminal, rows: Sequence[Row], form: Form, folder: Path, rule: Points) -> int:
    sheet = Sheet(rows, rule, level=form.level or FULL)
    students = sheet.students()
    if unknown := [one for one in form.only if one not in students]:
        raise KitError(f"The gradebook has no student {unknown[0]!r}: --student takes an id of it.")
    chosen = list(dict.fromkeys(form.only)) or list(students)
    pages = {f"{folder_of(one)}.md": student_page(sheet, students[one]).encode("utf-8", "replace") for one in chosen}
    write_new(folder, pages, force=form.force, private=True)
    terminal.to_do(f"Written to {folder}: {counted(len(chosen), 'page')}, one for each student.")
    return _noted(rule, [row for one in chosen for row in students[one]])


def _begins(place: Path, kit: Path | None) -> Callable[[str, str], str]:
    """What gives the command that begins a pitfall."""
    return lambda problem, name: command("class", "pitfall", os.path.relpath(place), problem, name, kit=kit)


def _print(terminal: Terminal, whole: Report, rows: Sequence[Row]) -> None:
    if not whole.problems:
        terminal.line("The gradebook holds no answer.")
    for one in whole.problems:
        _problem(terminal, one)
        terminal.line()
    if whole.help:
        terminal.line("Who needs help", "bold")
        cells = [
            (visible(one.student), str(one.count), str(one.answers), ", ".join((*one.not_right, *one.unattempted)))
            for one in whole.help[:MOST_LISTED]
        ]
        print_table(terminal, ("student", "not right yet", "answers", "problems"), cells)
        _more(terminal, whole.help)
        terminal.line()
    _moved(terminal, rows)


def _moved(terminal: Terminal, rows: Sequence[Row]) -> None:
    """Print whose verdict moved."""
    changed = moved(rows)
    if changed:
        terminal.line("What moved, when a problem or the way of grading last changed", "bold")
        cells = [
            (visible(row.student), row.problem, in_words(row.before or {}), in_words(row.verdict or {}))
            for row in changed[:MOST_LISTED]
        ]
        print_table(terminal, ("student", "problem", "before", "now"), cells)
        if len(changed) > MOST_LISTED:
            terminal.line(f"and {len(changed) - MOST_LISTED} more (`class status --json` lists all)", "dim", indent=3)
        each = Counter(row.problem for row in changed)
        terminal.line(f"{len(changed)} moved: {', '.join(f'{count} of {name}' for name, count in each.items())}.")
    elif rows:
        terminal.line("No verdict moved when a problem or the way of grading last changed.")
    if due := sum(row.state == DUE for row in rows):
        terminal.line(f"Due: {due}, which may move yet.")


def _problem(terminal: Terminal, one: OfProblem) -> None:
    order = sorted((name for name in one.outcomes if one.outcomes[name]), key=lambda name: -one.outcomes[name])
    counts = ", ".join(f"{one.outcomes[name]} {name}" for name in order)
    terminal.line(f"{one.problem}   {counted(one.answers, 'answer')}: {counts}", "bold", hanging=3)
    if one.mistakes:
        terminal.line()
        cells = [(each.name, str(each.alone or "-"), str(each.together or "-")) for each in one.mistakes[:MOST_LISTED]]
        print_table(terminal, ("mistake", "alone", "with others"), cells)
        _more(terminal, one.mistakes)
    for group in one.groups[:MOST_LISTED]:
        terminal.line()
        _group(terminal, group)
    if len(one.groups) > MOST_LISTED:
        terminal.line(f"and {len(one.groups) - MOST_LISTED} more kinds of unexplained answers", "dim", indent=3)
    if one.by_errors:
        terminal.line()
        terminal.line(
            f"Of {counted(one.by_errors, 'unexplained answer')} no values are kept, since an earlier version graded them: "
            f"they are compared by their largest errors. `class grade FOLDER {one.problem} --regrade` keeps values.",
            hanging=3,
        )
    _cases(terminal, one)
    if one.not_right:
        terminal.line()
        terminal.line(f"Attempted, and not right yet: {_listed(one.not_right)}.", hanging=3)
    if one.equal:
        terminal.line()
        terminal.line(EQUAL, hanging=3)
    for same in one.equal[:MOST_LISTED]:
        how = "the same text" if same.same_text else "the same but for names, comments and layout"
        who = _listed([" + ".join(party) for party in same.students])
        terminal.line(f"{counted(same.statements, 'statement')}, {how}: {who}", indent=3, hanging=2)
    _more(terminal, one.equal)
    if one.late:
        terminal.line()
        terminal.line(f"Late: {counted(len(one.late), 'answer')}, of {_listed([*map(str, one.late)])}.", hanging=3)


def _group(terminal: Terminal, group: Group) -> None:
    who, several = _listed(group.students), len(group.students) > 1
    if group.raised:
        same = " the same, but for numbers" if several else ""
        terminal.line(f"{counted(len(group.students), 'answer')} raised{same}: {who}.", hanging=3)
        terminal.line(visible(group.raised), indent=3, hanging=2)
        return
    said = (
        "wrong answers that are not explained in full give the same"
        if several
        else "wrong answer is not explained in full"
    )
    terminal.line(f"{len(group.students)} {said}: {who}.", hanging=3)
    arguments = ", ".join(f"{name}={value}" for name, value in (group.args or {}).items())
    if excerpt := group.excerpt:
        where = f"{excerpt.place}: " if excerpt.place else ""
        terminal.line(
            f"At {arguments}, {where}{_values(excerpt.expected)} is expected, and {_values(excerpt.yours)} given.",
            indent=3,
        )
    elif arguments:
        terminal.line(f"The smallest failing case is {arguments}.", indent=3)
    for near in group.near:
        terminal.line(
            f"Perhaps one mistake with {near.id}: what was kept of both is at most "
            f"{near.tolerances:g} tolerances apart.",
            indent=3,
        )
    for place in group.places:
        text = visible(" ".join(place.text.split()))
        where = f"Cell {place.cell}, line {place.line}" if place.cell else f"Line {place.line}"
        taken = "what was taken from " if group.representative.taken and not place.cell else ""
        terminal.line(f"{where} of {taken}{visible(group.representative.path)}: {text}", indent=3, hanging=2)
    terminal.line("To begin a pitfall from it:", indent=3)
    terminal.to_do(f"  {group.command}")


def _cases(terminal: Terminal, one: OfProblem) -> None:
    """Which cases caught nobody, and which alone caught somebody."""

    def named(args: dict[str, Any]) -> str:
        return f"({', '.join(str(value) for value in args.values())})"

    idle = [named(case.args) for case in one.idle]
    alone = [f"{named(case.args)} {case.alone}" for case in one.sole]
    if idle or alone:
        terminal.line()
    if idle:
        terminal.line(f"Cases that none of {one.compared} wrong answers failed on: {', '.join(idle)}.", hanging=3)
    if alone:
        terminal.line(f"Cases that alone caught wrong answers, and how many: {', '.join(alone)}.", hanging=3)


def _more(terminal: Terminal, listed: Sequence[object]) -> None:
    if len(listed) > MOST_LISTED:
        terminal.line(f"and {len(listed) - MOST_LISTED} more (--json lists all)", "dim", indent=3)


def _values(values: Sequence[Any]) -> str:
    shown = " ".join(f"{one:.4f}" if isinstance(one, float) else str(one) for one in values[:MOST_VALUES_SHOWN])
    return f"{shown} …" if len(values) > MOST_VALUES_SHOWN else shown


def _listed(students: Sequence[str]) -> str:
    more = f" and {len(students) - MOST_LISTED} more" if len(students) > MOST_LISTED else ""
    return f"{visible(', '.join(students[:MOST_LISTED]))}{more}"
