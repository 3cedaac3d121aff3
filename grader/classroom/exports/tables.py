"""CSV: of everything, and for Moodle's gradebook."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from grader.classroom.exports.sheet import MISSING, Sheet
from grader.classroom.points import check_whole, in_text
from grader.classroom.row_text import clean, listed, told
from grader.classroom.status import outcome
from grader.kit.kit import KitError

HEADER = (
    *("student", "name", "email", "problem", "file", "outcome", "late", "points_before", "points", "max_points"),
    *("submitted", "told"),
)

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula, on one line."""
    return guarded(clean(" ".join(text.split())))


def guarded(text: str) -> str:
    """Text with a mark before what a spreadsheet would compute: at its beginning, and after a character that separates the
    cells in another language's spreadsheet, which splits there."""
    text = re.sub(rf"([;|\t][\s\"]*)(?=[{re.escape(''.join(FORMULA))}])", r"\1'", text)
    return f"'{text}" if text.startswith(FORMULA) else text


def everything(sheet: Sheet) -> str:
    """One line for each answer, those without a verdict too: their points are blank. And one for who handed in nothing."""
    lines: list[Sequence[str]] = [HEADER]
    for row in (row for rows in sheet.students().values() for row in rows):
        person, points = sheet.roster.of(row.student), sheet.points
        lines.append(
            (
                *(row.student, person.name if person else "", person.email if person else "", row.problem, row.path),
                *(outcome(row), str(points.late(row) or ""), in_text(points.before(row)), in_text(points.of(row))),
                *(in_text(points.most(row.problem)), row.submitted, told(row, sheet.level).text),
            )
        )
    lines += [
        (one.id, one.name, one.email, "", "", MISSING, "", "", "", "", "", "No answer was read.")
        for one in sheet.absent
    ]
    return written([[cell(text) for text in line] for line in lines])


def moodle(sheet: Sheet) -> str:
    """For Moodle's gradebook: students whose sum is known, by e-mail where the roster has one, else by their ID number.

    Who handed in nothing has no line: its importer takes a blank grade for none, and would take one away that is there
    (`grade/import/csv/classes/load_data.php` in Moodle's source).

    Raises:
        KitError: points are no integers (the site's language decides the decimal sign), an id is no ID number, or only some
            e-mails are known.
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
    if numbered := [name for name in students if name not in emails and re.fullmatch(r".+[_ ]\d+", name)]:
        raise KitError(
            f"{numbered[0]!r} is how an assignment of Moodle calls a participant or a group, and no ID number: give a "
            "roster with e-mails, or `--into worksheet.csv`, the grading worksheet of the assignment."
        )
    if broken := [name for name in students if emails.get(name, name).startswith(FORMULA)]:
        raise KitError(
            f"A spreadsheet takes the id {broken[0]!r} for a formula: give a roster with e-mails, so that Moodle gets those."
        )
    lines: list[Sequence[str]] = [("Email address" if emails else "ID number", sheet.title, f"{sheet.title} feedback")]
    for name, rows in students.items():
        if (total := sheet.total(rows)) is None:
            continue
        if total.denominator != 1:
            raise KitError(
                f"Moodle takes whole points only, and {name!r} has {in_text(total)} after what being late costs: multiply "
                "all points, for example by 100."
            )
        feedback = "; ".join(f"{row.problem}: {told(row, sheet.level).title}{sheet.lateness(row)}" for row in rows)
        lines.append((emails.get(name, name), in_text(total), feedback))
    if sheet.absent:
        who = listed([one.id for one in sheet.absent])
        sheet.notes.append(
            f"Left out, since no answer of theirs was read, and a blank grade takes one away in Moodle: {who}."
        )
    return written([[cell(text) for text in line] for line in lines])


def written(lines: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(lines)
    return text.getvalue()
