"""Gradescope, Classroom 50 and GitHub: valid, no zero for a fault, and no command that an answer printed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from grader.classroom.exports.runners import (
    MOST_ANNOTATIONS,
    MOST_OF_SUMMARY,
    annotated,
    classroom50,
    github,
    gradescope,
    markdown,
)
from grader.kit.kit import KitError
from tests.classroom.exports.rows import RAISED, ROWS, json_of, row, sheet

TEXT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
SEEN = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
NUMBER, WORDS = {"type": "number"}, {"type": "string"}
OF_GRADESCOPE: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["tests"],
    "properties": {
        "score": NUMBER,
        "execution_time": NUMBER,
        "output": WORDS,
        "output_format": TEXT,
        "stdout_visibility": SEEN,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "dependentRequired": {"score": ["max_score", "status"], "max_score": ["score"], "status": ["score"]},
                "properties": {
                    **dict.fromkeys(("score", "max_score"), NUMBER),
                    **dict.fromkeys(("name", "number", "output"), WORDS),
                    **dict.fromkeys(("name_format", "output_format"), TEXT),
                    "status": {"enum": ["passed", "failed"]},
                    "tags": {"type": "array", "items": WORDS},
                    "visibility": SEEN,
                },
            },
        },
    },
}
"""The table of fields that Gradescope documents, with no field besides."""


def test_gradescope_gets_valid_results_and_no_file_where_nothing_has_a_verdict() -> None:
    files = gradescope(sheet("correct=1,prints=0.9"))
    assert sorted(files) == ["ana/results.json", "ben/results.json", "eve/results.json"]
    for text in files.values():
        jsonschema.validate(json.loads(text), OF_GRADESCOPE)
    assert [one["score"] for one in json.loads(files["ana/results.json"])["tests"]] == [0.9, 1]


def test_gradescope_gives_a_fault_no_score() -> None:
    (text,) = gradescope(sheet(rows=[row("ana", ROWS[0].verdict), row("ana", problem="glow")])).values()
    results = json.loads(text)
    jsonschema.validate(results, OF_GRADESCOPE)
    assert "score" not in results["tests"][0]
    assert results["output"] == "1 of 2 right. Without a verdict: 1; the sum lacks them."


def test_classroom50_has_whole_points_and_only_what_is_all_graded() -> None:
    files = classroom50(sheet("correct=100,prints=90"))
    assert sorted(files) == ["ana/result.json", "ben/result.json", "eve/result.json"]
    for text in files.values():
        result = json.loads(text)
        assert not set(result) - {"schema", "score", "max-score", "tests"}
        for one in (result, *result["tests"]):
            assert type(one["score"]) is type(one["max-score"]) is int
            assert 0 <= one["score"] <= one["max-score"]
        assert result["score"] == sum(one["score"] for one in result["tests"])
    with pytest.raises(KitError, match="whole points"):
        classroom50(sheet("correct=0.5"))


def test_classroom50_takes_what_the_runner_knows() -> None:
    (text, *_) = classroom50(sheet(), {"classroom": "jax"}).values()
    assert json.loads(text)["classroom"] == "jax"


def test_an_answer_writes_no_command_of_a_workflow() -> None:
    files = github(sheet())
    for name, text in files.items():
        commands = [line for line in text.splitlines() if line.lstrip().startswith("::")]
        assert name.endswith("annotations.txt") or not commands
        assert all(line.startswith(("::error file=", "::warning file=")) for line in commands)
    (line,) = files["eve/annotations.txt"].splitlines()
    assert line.startswith("::error file=eve/rope.py,line=7,endLine=7,title=rope%3A error::")


def test_a_right_answer_is_not_annotated_and_a_fault_is_a_warning() -> None:
    files = github(sheet())
    assert files["ana/annotations.txt"] == ""
    assert files["cy/annotations.txt"].startswith("::warning file=cy/rope.py,title=rope%3A not graded::")


def test_a_step_gets_as_many_annotations_as_github_shows() -> None:
    rows = [row("ben", ROWS[1].verdict, f"p{count}") for count in range(30)]
    assert len(github(sheet(rows=rows))["ben/annotations.txt"].splitlines()) == MOST_ANNOTATIONS


def test_a_summary_is_never_too_large_for_github() -> None:
    verdict = {**(ROWS[1].verdict or {}), "message": "é" * 2_000_000}
    text = github(sheet(rows=[row("ben", verdict)]))["ben/summary.md"]
    assert len(text.encode()) <= MOST_OF_SUMMARY
    assert text.endswith("The rest is cut.\n")


def test_text_is_no_markup() -> None:
    assert markdown("a | <b>\n`x` @ana") == r"a \| \<b\> \`x\` @" + "\u200bana"
    assert not markdown("::error ::x").startswith("::")


def test_what_was_not_handed_in_counts_in_what_there_was_to_get() -> None:
    rows = [row("ana", json_of()), row("ana", json_of(), "glow"), row("ben", json_of())]
    results = json.loads(gradescope(sheet(rows=rows))["ben/results.json"])
    assert results["output"] == "1 of 2 right. Nothing was handed in for glow."
    summary = github(sheet(rows=rows))["ben/summary.md"]
    assert "| glow | nothing handed in | - |" in summary
    assert "Points: 1 of 2." in summary
    one = json.loads(classroom50(sheet(rows=rows))["ben/result.json"])
    assert (one["score"], one["max-score"]) == (1, 2)


@pytest.mark.parametrize("text", ["https://x.org", "www.x.org", "1. one", "2) two", "=== x"])
def test_no_text_is_a_link_a_list_or_a_heading(text: str) -> None:
    assert markdown(text) != text
    assert "://" not in markdown(text)
    assert not markdown(text).startswith(("1. ", "2) ", "=", "www."))


def test_a_line_is_told_only_where_it_is_one_of_the_file() -> None:
    own = row("ben", RAISED)
    assert ",line=7,endLine=7" in annotated([own], "full")
    assert ",line=" not in annotated([replace(own, path="ben/work.ipynb")], "full")
