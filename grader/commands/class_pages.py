"""`class report --students`: a page for each student, in a folder, or in the zip that goes back to another system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.classroom.autograder.bundle import packed
from grader.classroom.exports.sheet import folder_of
from grader.classroom.feedback import SYSTEMS, going_back
from grader.classroom.roster import Roster
from grader.classroom.row_text import listed
from grader.classroom.student_page import ENDINGS, student_page
from grader.commands.class_held import Held
from grader.kit.kit import KitError
from grader.kit.output import write_new
from grader.kit.text import visible
from grader.marking.words import counted
from grader.report.feedback import FULL
from grader.report.terminal import Terminal


@dataclass(frozen=True)
class Pages:
    """What is written.

    Attributes:
        only: the students, by their ids; none: all.
        level: of feedback.
        form: one of `ENDINGS`; None for that of the system, or else the first.
        back: the system that the pages go back to, one of `SYSTEMS`; None for a folder.
        people: the list of the class; None if there is none.
    """

    only: Sequence[str] = ()
    level: str | None = None
    form: str | None = None
    back: str | None = None
    people: Roster | None = None


def write_pages(terminal: Terminal, held: Held, out: Path, asked: Pages, *, force: bool) -> list[str]:
    """Write the pages, and return who is left out, and why, in one line each.

    Raises:
        KitError: a student is not in the gradebook, or nobody's files are named by the system, or `out` cannot be written.
    """
    system = SYSTEMS[asked.back] if asked.back else None
    ending, written = ENDINGS[asked.form or (system.form if system else next(iter(ENDINGS)))]
    sheet = held.sheet(asked.level or FULL)
    students = sheet.students()
    if unknown := [one for one in asked.only if held.code(one) not in students]:
        raise KitError(f"The gradebook has no student {unknown[0]!r}: --student takes an id of it.")
    chosen = [held.code(one) for one in dict.fromkeys(asked.only)] or list(students)

    def page(student: str) -> bytes:
        return written(student_page(sheet, student)).encode("utf-8", "replace")

    if system is None:
        write_new(out, {f"{folder_of(one)}{ending}": page(one) for one in chosen}, force=force, private=True)
        terminal.to_do(f"Written to {out}: {counted(len(chosen), 'page')}, one for each student.")
        return []
    own = {one: (students[one], [each for each in held.unread if each.student == one]) for one in chosen}
    back = going_back(system, own, ending, page, asked.people and asked.people.among(held.rows))
    write_new(out, packed(back.files), force=force, private=True)
    whose = f"{counted(len(back.files), 'page')}, of {visible(listed(back.students))}"
    terminal.to_do(f"Written to {out}: {whose}. {system.where}")
    return list(back.notes)
