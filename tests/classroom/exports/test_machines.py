"""JUnit, check50 and Exercism: read by their own readers where these are installed."""

from __future__ import annotations

import builtins
import json
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.classroom.exports.machines import check50, exercism, junit
from tests.classroom.exports.rows import ROWS, row, sheet


def test_junit_tells_faults_of_the_grader_from_failures() -> None:
    root = ElementTree.fromstring(junit(sheet())[""])
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
    suites = junitparser.JUnitXml.fromstring(junit(sheet())[""].encode())
    assert [(one.name, one.tests, one.failures, one.errors, one.skipped) for one in suites] == [
        ("ana", 2, 0, 0, 0),
        ("ben", 1, 1, 0, 0),
        ("cy", 1, 0, 1, 0),
        ("dan", 1, 0, 0, 1),
        ("eve", 1, 1, 0, 0),
    ]


def test_check50_gives_a_cause_unless_it_passed() -> None:
    passed = {name: json.loads(text)["results"][0] for name, text in check50(sheet()).items()}
    assert [one["passed"] for one in passed.values()] == [True, False, None, None, False]
    for one in passed.values():
        assert (one["cause"] is None) == (one["passed"] is True)


def test_check50_renders_them(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer: Any = pytest.importorskip("check50.renderer")
    monkeypatch.setattr(builtins, "_", str, raising=False)
    for text in check50(sheet()).values():
        one = json.loads(text)
        assert "rope" in renderer.to_ansi(**one)
        assert "rope" in renderer.to_html(**one)


def test_exercism_has_a_status_and_a_message_wherever_one_is_due() -> None:
    documents = {name: json.loads(text) for name, text in exercism(sheet()).items()}
    assert {name: one["status"] for name, one in documents.items()} == {
        "ana/glow/results.json": "pass",
        "ana/rope/results.json": "pass",
        "ben/rope/results.json": "fail",
        "cy/rope/results.json": "error",
        "dan/rope/results.json": "error",
        "eve/rope/results.json": "error",
    }
    for one in documents.values():
        assert one["version"] == 3
        assert one["message"] or one["status"] != "error"
        assert one["tests"] or one["status"] == "error"
        assert all(test.get("message") for test in one["tests"] if test["status"] != "pass")


def test_a_wrong_answer_fails_in_exercism_at_every_level_of_feedback() -> None:
    for level in ("full", "diagnosis", "verdict"):
        (text,) = exercism(sheet(rows=[ROWS[1]], level=level)).values()
        one = json.loads(text)
        assert (one["status"], {test["status"] for test in one["tests"]} >= {"fail"}) == ("fail", True)


def test_exercism_shows_500_characters_of_output() -> None:
    verdict = {**(ROWS[1].verdict or {}), "output": "x" * 600}
    (text,) = exercism(sheet(rows=[row("ben", verdict)])).values()
    output = json.loads(text)["tests"][0]["output"]
    assert len(output) == 500
    assert output.endswith("[cut at 500 characters]")
