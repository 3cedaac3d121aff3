"""Results that systems of tests read: JUnit, check50, Exercism."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

from grader.classroom.exports.sheet import Sheet, folder_of
from grader.classroom.row import DUE, FAULT, Row
from grader.classroom.told import clean, told
from grader.marking.verdict import Status

VERSION_OF_CHECK50 = "3.5.0"
MOST_OUTPUT = 500
"""Characters of output that Exercism shows."""


def junit(sheet: Sheet) -> dict[str, str]:
    """One suite for each student. The grader's fault is an `error`, never a `failure`."""
    root = ElementTree.Element("testsuites")
    for student, rows in sheet.students().items():
        suite = ElementTree.SubElement(root, "testsuite", name=clean(student))
        kinds: list[str] = []
        for row in rows:
            seconds = row.verdict["seconds"] if row.verdict else 0
            case = ElementTree.SubElement(
                suite, "testcase", classname=clean(student), name=row.problem, time=f"{seconds:.3f}"
            )
            said, kind = told(row, sheet.level), _kind(row)
            kinds.append(kind)
            if kind == "skipped":
                ElementTree.SubElement(case, kind, message=said.lines[0])
            elif kind:
                ElementTree.SubElement(case, kind, message=said.lines[0], type=said.title).text = said.text
        counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        suite.set("tests", str(len(rows)))
        for name, kind in counts.items():
            suite.set(name, str(kinds.count(kind)))
        suite.set("time", f"{sum(row.verdict['seconds'] for row in rows if row.verdict):.3f}")
    ElementTree.indent(root)
    return {"": '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"}


def check50(sheet: Sheet) -> dict[str, str]:
    """One document for each student. What has no verdict is `null`: neither passed nor failed."""
    return {
        f"{folder_of(student)}/check50.json": as_json(
            {
                "slug": sheet.title,
                "version": VERSION_OF_CHECK50,
                "results": [_check50(row, sheet.level) for row in rows],
            }
        )
        for student, rows in sheet.students().items()
    }


def exercism(sheet: Sheet) -> dict[str, str]:
    """Version 3, one document for each student and problem, with a test for each case."""
    return {
        f"{folder_of(student)}/{row.problem}/results.json": as_json(_exercism(row, sheet.level))
        for student, rows in sheet.students().items()
        for row in rows
    }


def as_json(document: Any) -> str:
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _kind(row: Row) -> str:
    """The element of JUnit that tells of a row; empty for a right answer."""
    if row.state == FAULT:
        return "error"
    if row.state == DUE or row.verdict is None or row.verdict["status"] == Status.UNATTEMPTED:
        return "skipped"
    return "" if row.verdict["status"] == Status.CORRECT else "failure"


def _check50(row: Row, level: str) -> dict[str, Any]:
    said, kind = told(row, level), _kind(row)
    passed = {"": True, "failure": False}.get(kind)
    cause = None if passed else {"rationale": said.text, "help": "\n".join(said.hints) or None}
    return {
        "name": row.problem,
        "description": row.problem,
        "passed": passed,
        "log": [],
        "cause": cause,
        "data": {},
        "dependency": None,
    }


def _exercism(row: Row, level: str) -> dict[str, Any]:
    said, kind = told(row, level), _kind(row)
    cases = [] if row.verdict is None or level == "verdict" else row.verdict["cases"] or []
    ran = row.verdict is not None and row.verdict["status"] in (Status.CORRECT, Status.WRONG)
    if kind and not ran:
        return {"version": 3, "status": "error", "message": said.text, "tests": []}
    if kind and not any(case["status"] == "fail" for case in cases):
        cases = []
    output = clean(row.verdict["output"] or "") if row.verdict and level != "verdict" else ""
    if len(output) > MOST_OUTPUT:
        cut = " [cut at 500 characters]"
        output = output[: MOST_OUTPUT - len(cut)] + cut
    tests: list[dict[str, Any]] = []
    for case in cases:
        test = {
            "name": ", ".join(f"{name}={value}" for name, value in case["args"].items()),
            "status": case["status"] if kind else "pass",
        }
        failed = test["status"] == "fail"
        first = failed and not any("message" in one for one in tests)
        said_here = {"message": said.text if first else "Wrong here too."} if failed else {}
        tests.append({**test, **said_here, **({"output": output} if first and output else {})})
    tests = tests or [
        {"name": row.problem, **({"status": "fail", "message": said.text} if kind else {"status": "pass"})}
    ]
    return {"version": 3, "status": "fail" if kind else "pass", "message": None, "tests": tests}
