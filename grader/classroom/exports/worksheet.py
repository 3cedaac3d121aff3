"""Moodle: the grading worksheet of an assignment, with grades filled in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from html import escape

from grader.classroom.exports.cells import Standing, TableCell, changed_table, quoted, read_cells, read_number
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import cell
from grader.classroom.points import in_text
from grader.classroom.roster import Person
from grader.kit.kit import KitError

GRADE, MAXIMUM, NAME = "Grade", "Maximum Grade", "Full name"
"""The columns of an English worksheet. In another language, `--column` names the one of grades, the maximum stands directly
after it, and the name after the identifier (`mod/assign/gradingtable.php` in Moodle's source)."""
FEEDBACK = ("feedback", "retroaliment", "rückmeldung", "comentario", "commentaire", "commento", "反馈")
"""A part of the name of the column of comments, in some languages."""
YES = (
    *("yes", "ja", "sí", "si", "sì", "sim", "oui", "evet", "tak"),
    *("ano", "igen", "da", "да", "так", "kyllä", "是", "はい", "예"),
)
NO = (
    *("no", "nein", "nee", "não", "non", "nei", "nej", "hayır", "nie"),
    *("ne", "nem", "nu", "нет", "ні", "ei", "否", "いいえ", "아니오"),
)
"""Whether a grade may change, in some languages."""
NUMBERED = re.compile(r"(.+?)[ _](\d+)", re.DOTALL)


def worksheet(sheet: Sheet) -> str:
    """The worksheet as it was downloaded, with another text in the cells of grades that are known, and in no other.

    If the sheet tells, the cells of feedback have another text too, which is HTML. So reads Moodle
    (`mod/assign/feedback/offline/importgradeslib.php` and `locallib.php` beside it): the participant is the number at the
    end of the first column, Identifier. A row whose grade is blank, or as Moodle has it, is ignored. So is a grade above the
    maximum, one that is locked, and one that Moodle changed after the time in `Last modified (grade)`: therefore that cell
    stays as it is. A point is a decimal sign in every language.

    Raises:
        KitError: it is no worksheet, its grade is no number, or it is that of another assignment.
    """
    header, *lines = read_cells(sheet.template, ",") or [[]]
    names = [cell.text.strip() for cell in header]
    column = _column_of_grade(names, sheet.title)
    comments = _column_of_feedback(names, column) if sheet.tells else None
    changeable = _column_of_yes_and_no(names, lines, column)
    found: dict[int, list[str]] = {}
    without: list[str] = []
    for student in sheet.students:
        person = sheet.roster.of(student)
        theirs = [at for at, line in enumerate(lines) if _is(student, person, line, names)]
        if len(theirs) == 1:
            found.setdefault(theirs[0], []).append(student)
        elif sheet.total(student) is not None:
            without.append(student)
    if not found:
        _check_names(sheet, lines, header)
    cells: dict[TableCell, str] = {}
    grades, told = Standing(sheet.only_blank), Standing(sheet.only_blank, "comment")
    above: list[str] = []
    for at, students in found.items():
        line, student = lines[at], students[0]
        if len(students) > 1 or sheet.total(student) is None:
            continue
        maximum = _maximum(names, line, column)
        score = sheet.score(student, maximum, "Moodle") or Fraction(0)
        if score > maximum:
            above.append(student)
        text = in_text(min(score, maximum))
        if changeable is not None and line[changeable].text.strip().casefold() in NO:
            grades.keep(student, line[column].text, "the worksheet says that it may not change")
            continue
        sheet.written[student] = grades.put(student, line[column].text, text)
        _put(cells, line[column], sheet.written[student])
        if comments is not None:
            text = cell(escape(sheet.feedback(student), quote=False))
            _put(cells, line[comments], told.put(student, line[comments].text, text, number=False))
    shared = [student for students in found.values() if len(students) > 1 for student in students]
    sheet.left_out("one row of the worksheet is that of several", shared)
    sheet.left_out("the worksheet has no row with their number and name", without, sheet.advice)
    if above:
        sheet.notes.append(f"Cut to the maximum grade, since Moodle takes no more: {', '.join(above)}.")
    sheet.notes.extend((*grades.notes(), *told.notes()))
    return changed_table(sheet.template, cells)


def _put(cells: dict[TableCell, str], cell: TableCell, text: str) -> None:
    if text != cell.text:
        cells[cell] = quoted(text) if re.search(r'[",\r\n]', text) else text


def _column_of_grade(header: Sequence[str], title: str) -> int:
    if len(header) < 3:
        raise KitError("The file of --into is no grading worksheet of Moodle: save it with commas between its columns.")
    if header.count(title) != 1:
        raise KitError(
            f"The worksheet has {header.count(title)} columns {title!r}. `--column` names the one of grades: "
            f"{', '.join(header)}."
        )
    return header.index(title)


def _column_of_feedback(names: Sequence[str], grade: int) -> int:
    found = [at for at, name in enumerate(names) if at > grade and any(word in name.casefold() for word in FEEDBACK)]
    if len(found) != 1:
        raise KitError(
            f"The worksheet has {len(found)} columns of feedback: turn on `Feedback comments`, and no other, in the "
            "settings of the assignment, and download the worksheet again; or leave out --feedback."
        )
    return found[0]


def _column_of_yes_and_no(names: Sequence[str], lines: Sequence[Sequence[TableCell]], grade: int) -> int | None:
    """The column that says whether a grade may change; None if there is none. Its name depends on the language."""
    columns = (at for at in range(grade + 1, len(names)) if lines and all(line[at].text.strip() for line in lines))
    return next((at for at in columns if {line[at].text.strip().casefold() for line in lines} <= {*YES, *NO}), None)


def _maximum(names: Sequence[str], line: Sequence[TableCell], column: int) -> Fraction:
    at = names.index(MAXIMUM) if MAXIMUM in names else column + 1
    maximum = read_number(line[at].text, decimals=5) if at < len(line) else None
    if maximum is None:
        said = line[at].text if at < len(line) else ""
        raise KitError(f"The worksheet has no number as the maximum grade, but {said!r}: a scale takes no points.")
    return maximum


def _is(student: str, person: Person | None, line: Sequence[TableCell], names: Sequence[str]) -> bool:
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


def _check_names(sheet: Sheet, lines: Sequence[Sequence[TableCell]], header: Sequence[TableCell]) -> None:
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
