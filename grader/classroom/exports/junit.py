"""A gradebook as JUnit XML: a suite for each problem, a test case for each student."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from grader.classroom.counts import outcome
from grader.classroom.exports.cells import without_control
from grader.classroom.row import DUE, FAULT, Row
from grader.marking.verdict import Status

_SKIPPED = frozenset((Status.UNATTEMPTED.value, DUE))


def export(rows: Sequence[Row], *, mistakes: bool) -> str:
    """A wrong answer is a failure, a fault of the grader an error; a bare stub and what is due are skipped.

    Args:
        mistakes: whether the names of mistakes are shown.
    """
    root = Element("testsuites", name="grader")
    for name in sorted({row.problem for row in rows}):
        listed = [row for row in rows if row.problem == name]
        suite = SubElement(root, "testsuite", name=name)
        kinds = Counter(_case(suite, row, mistakes=mistakes) for row in listed)
        suite.set("tests", str(len(listed)))
        for kind in ("failure", "error"):
            suite.set(f"{kind}s", str(kinds[kind]))
        suite.set("skipped", str(kinds["skipped"]))
        suite.set("time", f"{sum(map(_seconds, listed)):.3f}")
    indent(root)
    return tostring(root, "unicode", xml_declaration=True) + "\n"


def _case(suite: Element, row: Row, *, mistakes: bool) -> str:
    """Add the test case of an answer. Returns its kind: the name of its inner element, or `passed`."""
    told = outcome(row)
    case = SubElement(
        suite, "testcase", classname=row.problem, name=without_control(row.student), time=f"{_seconds(row):.3f}"
    )
    if told == Status.CORRECT:
        return "passed"
    kind = "error" if told == FAULT else "skipped" if told in _SKIPPED else "failure"
    names = " + ".join(row.verdict["pitfalls"]) if mistakes and row.verdict is not None else ""
    message = row.fault if told == FAULT else f"{told}: {names}" if names else told
    inner = SubElement(case, kind, message=without_control(message))
    if kind != "skipped":
        inner.set("type", told)
    return kind


def _seconds(row: Row) -> float:
    return 0.0 if row.verdict is None else float(row.verdict["seconds"] or 0.0)
