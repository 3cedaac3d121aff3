"""Plain formats: CSV of everything, CSV for Moodle's gradebook, and JUnit."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from xml.etree import ElementTree

from grader.classroom.exports.sheet import MISSING, UNREAD, Sheet
from grader.classroom.points import check_whole, in_text
from grader.classroom.row import DUE, FAULT, Row, outcome_of
from grader.classroom.row_text import clean, listed, row_words
from grader.kit.kit import KitError
from grader.locale.language import gettext
from grader.marking.verdict import Status

HEADER = (
    *("student", "name", "email", "problem", "file", "outcome", "late", "points_before", "points", "max_points"),
    *("submitted", "told", "remark"),
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
    """One line for each answer, those without a verdict too: their points are blank. One for each thing that an answer is
    lacking by because it is not graded; and one for who handed in nothing."""
    points, lines = sheet.points, list[Mapping[str, str]]()
    for student, rows in sheet.students.items():
        person = sheet.roster.of(student)
        who = {"student": student, "name": person.name if person else "", "email": person.email if person else ""}
        for row in rows:
            told = {"told": row_words(row, sheet.level).text, "remark": points.remark(student, row.problem)}
            late = {"late": str(points.late(row) or ""), "points_before": in_text(points.before(row))}
            worth = {"points": in_text(points.of(row)), "max_points": in_text(points.most(row.problem))}
            file = {"file": row.path, "outcome": outcome_of(row), "submitted": row.submitted}
            lines.append({**who, "problem": row.problem, **file, **late, **worth, **told})
        for each in sheet.unread_of(student):
            file = {"problem": each.problem, "file": each.path, "outcome": UNREAD}
            lines.append({**who, **file, "told": gettext(each.why)})
        for name, given in points.by_hand.get(student, {}).items():
            if name not in {row.problem for row in rows}:
                worth = {"points": in_text(given.points), "max_points": in_text(points.most(name))}
                lines.append(
                    {**who, "problem": name, "outcome": MISSING, **worth, "remark": points.remark(student, name)}
                )
    for person in sheet.absent:
        told = {"told": gettext("No answer was read."), "remark": points.remark(person.id, "")}
        lines.append({"student": person.id, "name": person.name, "email": person.email, "outcome": MISSING, **told})
    return written([HEADER, *([cell(line.get(name, "")) for name in HEADER] for line in lines)])


def moodle(sheet: Sheet) -> str:
    """For Moodle's gradebook: students whose sum is known, by e-mail where the roster has one, else by their ID number.

    Who handed in nothing has no line: its importer takes a blank grade for none, and would take one away that is there
    (`grade/import/csv/classes/load_data.php` in Moodle's source). It takes nothing of a table with a line that does not fit,
    so students whose line would not are left out, with the reason.

    Raises:
        KitError: the rule's points are no integers (the site's language decides the decimal sign), or nobody's line fits.
    """
    check_whole(sheet.points, sheet.problems, "Moodle")
    students = sheet.students
    emails = {name: person.email for name in students if (person := sheet.roster.of(name)) and person.email}
    known = {name: emails.get(name, "") for name in students} if emails else {name: name for name in students}
    several = {value for value, count in Counter(known.values()).items() if count > 1}
    lines: list[Sequence[str]] = [("Email address" if emails else "ID number", sheet.title, f"{sheet.title} feedback")]
    without: dict[tuple[str, str], list[str]] = {}
    for name in students:
        # Full marks are those of the column, for who is excused from a problem too.
        total = sheet.score(name, sheet.most, "Moodle") if sheet.most else sheet.total(name)
        if total is None or name in sheet.strange:
            continue
        if why := _unfit(known[name], total, by_email=bool(emails), shared=known[name] in several):
            without.setdefault(why, []).append(name)
            continue
        sheet.written[name] = in_text(total)
        lines.append((known[name], in_text(total), sheet.feedback(name)))
    left_out = [f"Left out, because {why}: {listed(names)}.{advice}" for (why, advice), names in without.items()]
    if left_out and len(lines) == 1:
        raise KitError(" ".join(left_out))
    sheet.notes.extend(left_out)
    if sheet.absent:
        who = listed([person.id for person in sheet.absent])
        sheet.notes.append(
            f"Left out, since no answer of theirs was read, and a blank grade takes one away in Moodle: {who}."
        )
    return written([[cell(text) for text in line] for line in lines])


def _unfit(known: str, total: Fraction, *, by_email: bool, shared: bool) -> tuple[str, str] | None:
    """Why Moodle would not take the line of a student, and what to do; None if it would.

    Args:
        known: the e-mail address, empty if there is none, or the ID number.
        shared: whether others have the same.
    """
    if by_email and not known:
        return "the roster has no e-mail of theirs, and one unknown student stops a whole import of Moodle", ""
    if shared:
        return "the roster has one e-mail for several of them, and Moodle takes one line for each", ""
    if not by_email and re.fullmatch(r".+[_ ]\d+", known):
        return (
            "this is how an assignment of Moodle calls a participant or a group, and no ID number",
            " Give a roster with e-mails, or `--into worksheet.csv`, the grading worksheet of the assignment.",
        )
    if not known or cell(known) != known:
        why = "a spreadsheet takes their {} for a formula, or it holds characters that a table does not keep"
        advice = "" if by_email else " Give a roster with e-mails, so that Moodle gets those."
        return why.format("e-mail" if by_email else "id"), advice
    if total.denominator != 1:
        return (
            "Moodle takes whole points only, and theirs are a fraction, by hand or after what being late costs",
            " Multiply all points, for example by 100.",
        )
    return None


def written(lines: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(lines)
    return text.getvalue()


def junit(sheet: Sheet) -> str:
    """One suite for each student. The grader's fault is an `error`, never a `failure`; what is not graded is skipped."""
    root = ElementTree.Element("testsuites")
    for student, rows in sheet.students.items():
        suite = ElementTree.SubElement(root, "testsuite", name=clean(student))
        kinds: list[str] = []
        for row in rows:
            seconds = row.verdict.run.seconds if row.verdict else 0
            case = ElementTree.SubElement(
                suite, "testcase", classname=clean(student), name=clean(row.problem), time=f"{seconds:.3f}"
            )
            said, kind = row_words(row, sheet.level), _kind(row)
            kinds.append(kind)
            if kind == "skipped":
                ElementTree.SubElement(case, kind, message=said.lines[0])
            elif kind:
                ElementTree.SubElement(case, kind, message=said.lines[0], type=clean(said.title)).text = said.text
        for unread_file in sheet.unread_of(student):
            kinds.append("skipped")
            case = ElementTree.SubElement(
                suite, "testcase", classname=clean(student), name=clean(unread_file.problem or unread_file.path)
            )
            ElementTree.SubElement(
                case,
                "skipped",
                message=clean(
                    gettext("{path} is not graded: {why}").format(path=unread_file.path, why=gettext(unread_file.why))
                ),
            )
        counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        suite.set("tests", str(len(kinds)))
        for name, kind in counts.items():
            suite.set(name, str(kinds.count(kind)))
        suite.set("time", f"{sum(row.verdict.run.seconds for row in rows if row.verdict):.3f}")
    for person in sheet.absent:
        suite = ElementTree.SubElement(root, "testsuite", name=clean(person.id), tests="1", skipped="1")
        case = ElementTree.SubElement(suite, "testcase", classname=clean(person.id), name=MISSING)
        ElementTree.SubElement(case, "skipped", message=gettext("No answer was read."))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _kind(row: Row) -> str:
    """The element of JUnit that tells of a row; empty for a right answer."""
    if row.state == FAULT:
        return "error"
    if row.state == DUE or row.verdict is None or row.verdict.status is Status.UNATTEMPTED:
        return "skipped"
    return "" if row.verdict.status is Status.CORRECT else "failure"
