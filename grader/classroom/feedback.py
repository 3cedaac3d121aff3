"""Feedback that goes back to Canvas or Moodle: the page of each student in one zip, under the name that the download had.

Both systems find a student by the numbers in that name, so it is never made up: it is a part of the path of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from grader.classroom.file_names import shown
from grader.classroom.roster import Roster
from grader.classroom.row import Row
from grader.classroom.row_text import listed
from grader.classroom.submission import Unread
from grader.classroom.teams import OF_ROSTER
from grader.classroom.ways import NUMBER
from grader.kit.kit import KitError


@dataclass(frozen=True)
class System:
    """A system that takes feedback back.

    Attributes:
        title: how it is called.
        layouts: those that its downloads are read by.
        form: the form of a page, where nothing else is asked for.
        name: a part of a path that the system wrote, whole or in its group `folder`.
        file: where a page belongs in the zip, by such a part and the ending of the page.
        where: what to do with the zip, as a sentence.
        numbered: whether it finds a student by a number that a list of the class may have too.
    """

    title: str
    layouts: Collection[str]
    form: str
    name: re.Pattern[str]
    file: Callable[[re.Match[str], str], str]
    where: str
    numbered: bool = False


def _canvas(match: re.Match[str], ending: str) -> str:
    # Canvas shows a page under the name of the upload that it answers: a text may be called `rope.py`, and is no notebook.
    return match[0] if match[0].lower().endswith(".py") else f"{match[0]}{ending}"


SYSTEMS = {
    # app/models/abstract_assignment.rb, infer_comment_context_from_filename: a user, and an upload that must be that user's
    "canvas": System(
        "Canvas",
        ("canvas", "canvas-anonymous", OF_ROSTER),
        "text",
        re.compile(rf"(?:.+_{NUMBER}|(?:LATE_)?anon_(?:LATE_)?[A-Za-z0-9]{{5}}(?:_LATE)?)_{NUMBER}_.+", re.DOTALL),
        _canvas,
        "In Canvas, open the assignment and choose Upload Submissions.",
    ),
    # mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import: the participant and the plug-in of a folder
    "moodle": System(
        "Moodle",
        ("moodle",),
        "html",
        re.compile(r"(?P<folder>[^_]+_[0-9]+_assignsubmission_[a-z]+).*", re.DOTALL),
        lambda match, ending: f"{match['folder']}_/feedback{ending}",
        "In Moodle, open the assignment's submissions and choose Upload multiple feedback files in a zip.",
        numbered=True,
    ),
}


@dataclass(frozen=True)
class GoesBack:
    """What goes back.

    Attributes:
        files: the pages, by their names in the zip.
        students: whose pages they are.
        notes: who is left out, and why, in one line each.
    """

    files: Mapping[str, bytes]
    students: Sequence[str]
    notes: Sequence[str]


def going_back(
    system: System,
    students: Mapping[str, tuple[Sequence[Row], Sequence[Unread]]],
    ending: str,
    page: Callable[[str], bytes],
    people: Roster | None = None,
) -> GoesBack:
    """The pages of some students, each once, by the names that the system gave their files.

    Args:
        students: of each, the answers, and what could not be read.
        ending: how the name of a page ends.
        page: makes that of a student.
        people: the list of the class. If it has the numbers of this system, a student must have a number and a name of it.

    Raises:
        KitError: no file of theirs is named by this system.
    """
    found: dict[str, dict[str, bytes]] = {}
    numbered = system.numbered and people is not None and any(one.participant for one in people.people)
    strange = [one for one in students if numbered and people is not None and people.of(one) is None]
    without: list[str] = []
    teams: list[str] = []
    for student, (rows, unread) in students.items():
        if student in strange:
            continue
        if name := _name(system, rows, unread, ending):
            found.setdefault(name, {})[student] = page(student)
        elif any(row.team for row in rows):
            teams.append(student)
        else:
            without.append(student)
    notes: list[str] = []
    if strange:
        notes.append(f"Left out, because the roster has nobody with their number and name: {listed(strange)}.")
    if without:
        named = f"named as in {system.title}'s download of an assignment"
        notes.append(f"Left out, because no file of theirs is {named}: {listed(without)}.")
    if teams:
        notes.append(
            f"Left out, because their file is named after a team, and {system.title} may take the number of a team for that "
            f"of a student: {listed(teams)}."
        )
    if differ := [student for pages in found.values() if len({*pages.values()}) > 1 for student in pages]:
        notes.append(f"Left out, because one file is that of several students, whose pages differ: {listed(differ)}.")
    found = {name: pages for name, pages in found.items() if len({*pages.values()}) == 1}
    files = {name: next(iter(pages.values())) for name, pages in found.items()}
    if not files:
        raise KitError(f"There is nothing for {system.title}. {' '.join(notes) or 'The gradebook holds no answer.'}")
    return GoesBack(files, [student for pages in found.values() for student in pages], notes)


def _name(system: System, rows: Sequence[Row], unread: Sequence[Unread], ending: str) -> str:
    """The name of a student's page; empty where no path of the student has one."""
    paths = [row.path for row in rows if row.layout in system.layouts and (row.layout == OF_ROSTER or not row.team)]
    if not rows:  # of what could not be read, the path alone is known
        paths = [one.path for one in unread]
    for path in sorted(paths, key=lambda path: not path.lower().endswith(".py")):
        for part in path.split("/"):
            if match := system.name.fullmatch(shown(part)):
                return system.file(match, ending)
    return ""
