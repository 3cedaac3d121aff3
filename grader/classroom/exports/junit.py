"""JUnit: what systems of tests and of continuous integration read."""

from __future__ import annotations

from xml.etree import ElementTree

from grader.classroom.exports.sheet import MISSING, Sheet
from grader.classroom.row import DUE, FAULT, Row
from grader.classroom.row_text import clean, told
from grader.marking.verdict import Status


def junit(sheet: Sheet) -> str:
    """One suite for each student. The grader's fault is an `error`, never a `failure`; what is not graded is skipped."""
    root = ElementTree.Element("testsuites")
    for student, rows in sheet.students().items():
        suite = ElementTree.SubElement(root, "testsuite", name=clean(student))
        kinds: list[str] = []
        for row in rows:
            seconds = row.verdict.seconds if row.verdict else 0
            case = ElementTree.SubElement(
                suite, "testcase", classname=clean(student), name=clean(row.problem), time=f"{seconds:.3f}"
            )
            said, kind = told(row, sheet.level), _kind(row)
            kinds.append(kind)
            if kind == "skipped":
                ElementTree.SubElement(case, kind, message=said.lines[0])
            elif kind:
                ElementTree.SubElement(case, kind, message=said.lines[0], type=clean(said.title)).text = said.text
        for one in sheet.unread_of(student):
            kinds.append("skipped")
            case = ElementTree.SubElement(
                suite, "testcase", classname=clean(student), name=clean(one.problem or one.path)
            )
            ElementTree.SubElement(case, "skipped", message=clean(f"{one.path} is not graded: {one.why}"))
        counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        suite.set("tests", str(len(kinds)))
        for name, kind in counts.items():
            suite.set(name, str(kinds.count(kind)))
        suite.set("time", f"{sum(row.verdict.seconds for row in rows if row.verdict):.3f}")
    for person in sheet.absent:
        suite = ElementTree.SubElement(root, "testsuite", name=clean(person.id), tests="1", skipped="1")
        case = ElementTree.SubElement(suite, "testcase", classname=clean(person.id), name=MISSING)
        ElementTree.SubElement(case, "skipped", message="No answer was read.")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _kind(row: Row) -> str:
    """The element of JUnit that tells of a row; empty for a right answer."""
    if row.state == FAULT:
        return "error"
    if row.state == DUE or row.verdict is None or row.verdict.status is Status.UNATTEMPTED:
        return "skipped"
    return "" if row.verdict.status is Status.CORRECT else "failure"
