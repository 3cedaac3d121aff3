"""CSV: of everything, for Moodle, and a table of Canvas with one column filled in."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from grader.classroom.counts import outcome
from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import check_whole, in_text
from grader.classroom.told import clean, told
from grader.kit.kit import KitError

IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
"""The columns of Canvas that name one student. A first name does not."""
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula, on one line."""
    return _guarded(clean(" ".join(text.split())))


def _guarded(text: str) -> str:
    """Text with a mark before what a spreadsheet would compute: at its beginning, and after a character that separates the
    cells in another language's spreadsheet, which splits there."""
    text = re.sub(rf"([;|\t][\s\"]*)(?=[{re.escape(''.join(FORMULA))}])", r"\1'", text)
    return f"'{text}" if text.startswith(FORMULA) else text


def everything(sheet: Sheet) -> str:
    """One line for each answer, those without a verdict too: their points are blank."""
    header = ("student", "name", "email", "problem", "file", "outcome", "points", "max_points", "submitted", "told")
    lines: list[Sequence[str]] = [header]
    for row in (row for rows in sheet.students().values() for row in rows):
        person = sheet.roster.of(row.student)
        points = sheet.points.of(row)
        lines.append(
            (
                cell(row.student),
                cell(person.name if person else ""),
                cell(person.email if person else ""),
                row.problem,
                cell(row.path),
                outcome(row),
                "" if points is None else in_text(points),
                in_text(sheet.points.most(row.problem)),
                row.submitted,
                cell(told(row, sheet.level).text),
            )
        )
    return _written(lines)


def moodle(sheet: Sheet) -> str:
    """Students whose every answer has a verdict, by e-mail where the roster has one, else by their id.

    Raises:
        KitError: points are no integers (the site's language decides the decimal sign), or only some e-mails are known.
    """
    check_whole(sheet.points, sheet.problems, "Moodle")
    students = sheet.students()
    emails = {name: person.email for name in students if (person := sheet.roster.of(name)) and person.email}
    if emails and (lacking := [name for name in students if name not in emails]):
        raise KitError(
            f"The roster has no e-mail of {lacking[0]!r}: one unknown student stops a whole import of Moodle."
        )
    used = [emails[name] for name in students if name in emails]
    if twice := next((one for one in used if used.count(one) > 1), ""):
        raise KitError(f"Two students of the gradebook are {twice} in the roster: Moodle takes one line for each.")
    if broken := [name for name in students if emails.get(name, name).startswith(FORMULA)]:
        raise KitError(
            f"A spreadsheet takes the id {broken[0]!r} for a formula: give a roster with e-mails, so that Moodle gets those."
        )
    lines: list[Sequence[str]] = [("Email address" if emails else "ID number", sheet.title, f"{sheet.title} feedback")]
    for name, rows in students.items():
        if (total := sheet.total(rows)) is not None:
            feedback = "; ".join(f"{row.problem}: {told(row, sheet.level).title}" for row in rows)
            lines.append((cell(emails.get(name, name)), in_text(total), cell(feedback)))
    return _written(lines)


def canvas(sheet: Sheet) -> str:
    """The table that Canvas exported, with the scores of one assignment, and only the students whose score is known.

    Other assignments are left out: a blank cell would be a change. No column is added: Canvas would create an assignment.

    Raises:
        KitError: there is no such table, it has no such column, or one line of it is two students.
    """
    if not sheet.template:
        raise KitError("Canvas needs the table it exported: `--into FILE` names it, `--title` the assignment.")
    text = sheet.template.removeprefix("\ufeff")
    delimiter = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    table = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if line]
    people, column = _columns(table, sheet.title)
    possible = [index for index, line in enumerate(table) if "Points Possible" in line[0]]
    start = possible[0] + 1 if possible else 1
    found: dict[str, list[str]] = {}
    for student, rows in sheet.students().items():
        total = sheet.total(rows)
        if total is None:
            continue
        line = _line_of(sheet, student, table[start:], table[0])
        if line is None:
            sheet.notes.append(
                f"Left out, because the table of Canvas has no line of its own for it: {clean(student)}."
            )
            continue
        if id(line) in {id(table_line) for table_line in found.values()}:
            raise KitError(f"Two students of the gradebook have the same line in the table of Canvas: {student!r}.")
        found[student] = line
        line[column] = f"{float(total):.2f}".rstrip("0").rstrip(".")
    kept = {id(line) for line in found.values()}
    lines = [line for index, line in enumerate(table) if index < start or id(line) in kept]
    cut = [[*(_text(one) for one in line[:people]), line[column] if column < len(line) else ""] for line in lines]
    return _written(cut, delimiter)


def _columns(table: Sequence[Sequence[str]], title: str) -> tuple[int, int]:
    """How many columns say who a student is, and the column of the assignment."""
    header = [one.strip() for one in table[0]] if table else []
    if "Section" not in header or "ID" not in header:
        raise KitError("The file of --into is no table of Canvas: its first line lacks `ID` or `Section`.")
    people = header.index("Section") + 1
    matching = [
        index
        for index, one in enumerate(header)
        if index >= people and (one == title or re.sub(r"\s*\(\d+\)$", "", one) == title or one.endswith(f"({title})"))
    ]
    if len(matching) != 1:
        known = ", ".join(header[people:]) or "none"
        raise KitError(
            f"The table of Canvas has {len(matching)} columns for {title!r}. `--title` names one of: {known}."
        )
    return people, matching[0]


def _line_of(sheet: Sheet, student: str, lines: Sequence[list[str]], header: Sequence[str]) -> list[str] | None:
    person = sheet.roster.of(student)
    ids = {one for one in (student, *(person.ids if person else ()), person.email if person else "") if one}
    columns = [index for index, name in enumerate(header) if name.strip() in IDS]
    found = [line for line in lines if ids & {line[index].strip() for index in columns if index < len(line)}]
    return found[0] if len(found) == 1 else None


def _text(text: str) -> str:
    """A cell that Canvas wrote: its own spaces stay, since it looks for them."""
    text = _guarded(text)
    return f"'{text}" if text.startswith(("\t", "\r")) else text


def _written(lines: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(lines)
    return text.getvalue()
