"""Moodle: the grading worksheet of an assignment, with grades filled in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from grader.classroom.exports.cells import Cell, changed, read_cells, read_number
from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import in_text
from grader.classroom.roster import Person
from grader.classroom.row_text import listed
from grader.kit.kit import KitError

GRADE, MAXIMUM, NAME = "Grade", "Maximum Grade", "Full name"
"""The columns of an English worksheet. In another language, `--column` names the one of grades, the maximum stands directly
after it, and the name after the identifier (`mod/assign/gradingtable.php` in Moodle's source)."""
NUMBERED = re.compile(r"(.+?)[ _](\d+)", re.DOTALL)


def worksheet(sheet: Sheet) -> str:
    """The worksheet as it was downloaded, with another text in the cells of grades that are known, and in no other.

    So reads Moodle (`mod/assign/feedback/offline/importgradeslib.php` and `locallib.php` beside it): the participant is the
    number at the end of the first column, Identifier. A row whose grade is blank, or as Moodle has it, is ignored. So is a
    grade that Moodle changed after the time in `Last modified (grade)`: therefore that cell stays as it is. A point is a
    decimal sign in every language.

    Raises:
        KitError: it is no worksheet, its grade is no number, or it is that of another assignment.
    """
    header, *lines = read_cells(sheet.template, ",") or [[]]
    names = [cell.text.strip() for cell in header]
    column = _column_of_grade(names, sheet.title)
    found: dict[Cell, dict[str, str]] = {}
    without: list[str] = []
    for student, rows in sheet.students().items():
        known, person = sheet.total(rows) is not None, sheet.roster.of(student)
        theirs = [line for line in lines if _is(student, person, line, names)]
        if len(theirs) == 1:
            score = sheet.score(rows, _maximum(names, theirs[0], column), "Moodle") if known else None
            found.setdefault(theirs[0][column], {})[student] = in_text(score)
        elif known:
            without.append(student)
    if not found:
        _check_names(sheet, lines, header)
    grades = {at: score for at, scores in found.items() if len(scores) == 1 for score in scores.values() if score}
    if shared := [student for scores in found.values() if len(scores) > 1 for student in scores]:
        sheet.notes.append(f"Left out, because one row of the worksheet is that of several: {listed(shared)}.")
    if without:
        sheet.notes.append(f"Left out, because the worksheet has no row with their number and name: {listed(without)}.")
    return changed(sheet.template, grades)


def _column_of_grade(header: Sequence[str], title: str) -> int:
    if len(header) < 3:
        raise KitError("The file of --into is no grading worksheet of Moodle: save it with commas between its columns.")
    if header.count(title) != 1:
        raise KitError(
            f"The worksheet has {header.count(title)} columns {title!r}. `--column` names the one of grades: "
            f"{', '.join(header)}."
        )
    return header.index(title)


def _maximum(names: Sequence[str], line: Sequence[Cell], column: int) -> Fraction:
    at = names.index(MAXIMUM) if MAXIMUM in names else column + 1
    maximum = read_number(line[at].text, decimals=5) if at < len(line) else None
    if maximum is None:
        said = line[at].text if at < len(line) else ""
        raise KitError(f"The worksheet has no number as the maximum grade, but {said!r}: a scale takes no points.")
    return maximum


def _is(student: str, person: Person | None, line: Sequence[Cell], names: Sequence[str]) -> bool:
    """Whether a row is that of a student. The number alone is nobody's: a group has one too, and so has somebody else in
    another assignment. So the row must also hold the name that stands before it, or what the roster knows of its owner.
    """
    identifier = line[0].text.strip()
    if person is not None and identifier in person.ids:
        held = _letters(*(cell.text for cell in line[1:]))
        if _letters(person.name, person.email) & held:
            return True
    given, known = NUMBERED.fullmatch(student), re.fullmatch(r"(.*?)(\d+)", identifier, re.DOTALL)
    if not given or not known or given[2] != known[2]:
        return False
    name = line[names.index(NAME) if NAME in names else 1].text
    # Where students are seen by groups, Moodle puts the name of the group before that of the student.
    parts = given[1].split("-")
    own = ("-".join(parts[at:]) for at in range(len(parts)))
    return bool(_letters(*own) & _letters(name, known[1], "Participant"))


def _check_names(sheet: Sheet, lines: Sequence[Sequence[Cell]], header: Sequence[Cell]) -> None:
    """Refuse a worksheet in which a number of a student is another participant's, where nobody else was found in it."""
    names = [cell.text.strip() for cell in header]
    if NAME not in names:
        return
    rows = {found[2]: line for line in lines if (found := re.fullmatch(r"(.*?)(\d+)", line[0].text.strip()))}
    for row in sheet.rows:
        given = NUMBERED.fullmatch(row.student) if row.layout == "moodle" and not row.team else None
        line = rows.get(given[2]) if given else None
        if line is not None and not _is(row.student, sheet.roster.of(row.student), line, names):
            raise KitError(
                f"{line[0].text.strip()} is {line[names.index(NAME)].text!r} in this worksheet, and {row.student!r} in the "
                "download. So it is the worksheet of another assignment, or teams handed in: then grade the class with "
                "--roster worksheet.csv --teams."
            )


def _letters(*names: str) -> set[str]:
    """Names without what Moodle leaves out of the name of a folder."""
    return {re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", name)).casefold() for name in names} - {""}
