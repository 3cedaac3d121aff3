"""Audits for programs: the document says what was found, and nothing where the reference is too broken."""

from __future__ import annotations

from typing import Any

from grader.author.finding import Audited, Finding
from grader.report.audit import audit_document
from tests import conftest

SCORE = {"killed": 2, "mutants": 3, "equal": 1}
MUTANT = {"line": 3, "name": "le-for-lt", "text": "lt -> le"}
FOUND = Finding("survivor", "solutions/toy/reference.py", 3, "No case kills it.")
POWER: dict[str, Any] = {
    **SCORE,
    "survivors": [{**MUTANT, "probe": [0, 1.5]}],
    "explained": [{**MUTANT, "why": "It may."}],
    "candidates": [MUTANT],
    "stale": [{"line": 4, "name": "le-for-lt"}],
}
AUDITED = Audited("toy", (FOUND,), POWER, ((("one", "two"), ("one",)),), seconds=0.5, sets=3)


def parsed(*audited: Audited) -> Any:
    return conftest.document(audit_document(audited, "cpu"))


def test_a_document_holds_all_that_was_found() -> None:
    (one,) = parsed(AUDITED)["audits"]
    assert (one["problem"], one["sound"], one["sets"], one["seconds"]) == ("toy", False, 3, 0.5)
    assert one["findings"] == [
        {"check": "survivor", "file": "solutions/toy/reference.py", "line": 3, "message": "No case kills it."}
    ]
    assert one["score"] == SCORE
    assert one["survivors"][0]["probe"] == [0, 1.5]
    assert one["explained"][0]["why"] == "It may."
    assert one["candidates"] == [MUTANT]
    assert one["equals"] == [{"set": ["one", "two"], "told_as": ["one"]}]


def test_a_problem_without_findings_is_sound() -> None:
    assert [one["sound"] for one in parsed(Audited("toy", (), POWER), AUDITED)["audits"]] == [True, False]


def test_a_reference_that_is_too_broken_has_no_score() -> None:
    (one,) = parsed(Audited("toy", (FOUND,)))["audits"]
    assert one["score"] is None
    assert [one["survivors"], one["explained"], one["candidates"], one["equals"]] == [[], [], [], []]


def test_what_ran_is_named() -> None:
    whole = parsed()
    assert (whole["platform"], whole["confinement"], whole["audits"]) == ("cpu", "none", [])
    assert set(whole["versions"]) == {"grader", "jax", "flax"}
