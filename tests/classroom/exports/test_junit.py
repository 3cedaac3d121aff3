"""JUnit: read by another reader of it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from grader.classroom.exports.tables import junit
from grader.classroom.submission import Unread
from tests.classroom.exports.rows import roster, sheet


def test_junit_tells_faults_of_the_grader_from_failures() -> None:
    root = ElementTree.fromstring(junit(sheet()))
    kinds = {(case.get("classname"), case.get("name")): [child.tag for child in case] for case in root.iter("testcase")}
    assert kinds == {
        ("ana", "glow"): [],
        ("ana", "rope"): [],
        ("ben", "rope"): ["failure"],
        ("cy", "rope"): ["error"],
        ("dan", "rope"): ["skipped"],
        ("eve", "rope"): ["failure"],
    }


def test_junitparser_reads_the_same() -> None:
    junitparser: Any = pytest.importorskip("junitparser")
    suites = junitparser.JUnitXml.fromstring(junit(sheet()).encode())
    assert [(one.name, one.tests, one.failures, one.errors, one.skipped) for one in suites] == [
        ("ana", 2, 0, 0, 0),
        ("ben", 1, 1, 0, 0),
        ("cy", 1, 0, 1, 0),
        ("dan", 1, 0, 0, 1),
        ("eve", 1, 1, 0, 0),
    ]


def test_who_handed_in_nothing_is_skipped() -> None:
    root = ElementTree.fromstring(junit(sheet(roster=roster("ana", "zoe"))))
    (case,) = (one for one in root.iter("testcase") if one.get("classname") == "zoe")
    assert [child.tag for child in case] == ["skipped"]
    assert root[-1].get("skipped") == root[-1].get("tests") == "1"


def test_what_is_not_graded_is_skipped_with_the_reason_and_nobody_is_left_out() -> None:
    unread = [Unread("zoe/rope.py", "no text.", student="zoe", problem="rope")]
    (suite,) = (one for one in ElementTree.fromstring(junit(sheet(unread=unread))) if one.get("name") == "zoe")
    assert (suite.get("tests"), suite.get("skipped")) == ("1", "1")
    assert [one.get("message") for one in suite.iter("skipped")] == ["zoe/rope.py is not graded: no text."]
