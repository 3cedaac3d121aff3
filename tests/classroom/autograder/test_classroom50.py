"""The autograder of Classroom 50: a valid result or none, and no command that an answer printed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.classroom.autograder.classroom50 import result, told_by_runner
from grader.kit.kit import KitError
from tests.classroom.autograder.conftest import runner, worked
from tests.classroom.exports.rows import ROWS, sheet
from tests.conftest import Command, clean_environment
from tests.repositories import git, signed

SCHEMA = json.loads((Path(__file__).parent / "classroom50-result-v1.json").read_text(encoding="utf-8"))
SHOUTS = """
import os
print("::error ::boo")
os.write(1, b"::add-mask::x\\n")


def softmax_rows(*given):
    raise ValueError("::error ::<b>bold</b> [x](http://example.org) @team")
"""


def check(result: dict[str, Any]) -> None:
    """As the runner does: it stamps two fields, then holds the result against the schema and against its own rules."""
    assert not {"owner", "assignment_type"} & set(result)
    jsonschema.validate(
        {**result, "owner": "ana", "assignment_type": "individual"}, SCHEMA, cls=jsonschema.Draft202012Validator
    )
    for one in (result, *result["tests"]):
        assert type(one["score"]) is type(one["max-score"]) is int
        assert one["score"] <= one["max-score"]
    assert result["score"] == sum(one["score"] for one in result["tests"])
    assert result["max-score"] == sum(one["max-score"] for one in result["tests"])


@pytest.fixture(scope="module")
def published(keyed: Command) -> Path:
    options = ("first_arrays", "softmax_rows", "--out", "published", "--points", "correct=100,insight=90")
    done = keyed("class", "autograder", "classroom50", *options)
    assert done.returncode == 0, done.stderr
    return keyed.kit / "published"


def run(published: Path, checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(published / "autograder.py")],
        cwd=checkout,
        env={**clean_environment(), "GRADER_PYTHON": sys.executable, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
def test_a_checkout_gets_a_valid_result_and_a_page_that_shows_what_was_written(published: Path, tmp_path: Path) -> None:
    (tmp_path / "first_arrays.py").write_text(worked("first_arrays"), encoding="utf-8")
    (tmp_path / "softmax_rows.py").write_text(SHOUTS, encoding="utf-8")
    (tmp_path / "result.json").mkdir()
    done = run(published, tmp_path, **runner())
    assert done.returncode == 0, done.stderr
    assert "::" not in done.stdout + done.stderr
    whole = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    check(whole)
    assert [(one["passed"], one["score"]) for one in whole["tests"]] == [(True, 100), (False, 0)]
    assert whole["datetime"] == "2026-06-01T14:32:05Z"
    assert whole["review"] == whole["commit"]
    page = (tmp_path / "release-body.md").read_text(encoding="utf-8")
    assert not any(text in page for text in ("<b>", "[x](", "@team"))
    assert not any(line.lstrip().startswith("::") for line in page.splitlines())


@pytest.mark.slow
def test_a_fault_leaves_no_result_and_not_the_one_that_a_student_committed(published: Path, tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{"score": 100}', encoding="utf-8")
    told = runner()
    done = run(published, tmp_path, **{name: value for name, value in told.items() if name != "COMMIT_URL"})
    assert done.returncode != 0
    assert "COMMIT_URL" in done.stderr
    assert not (tmp_path / "result.json").exists()


@pytest.mark.slow
def test_the_time_is_that_of_the_tag_and_no_program_of_a_checkout_is_run_for_it(
    published: Path, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    signed(tmp_path / "made", marker)
    checkout = tmp_path / "made" / ".git"  # it has the shape of a bare repository
    git(checkout, "config", "core.bare", "true")
    git(checkout, "log", "-1")
    assert marker.exists(), "git itself runs it"
    marker.unlink()
    done = run(published, checkout, **runner())
    assert done.returncode == 0, done.stderr
    assert json.loads((checkout / "result.json").read_text())["datetime"] == "2026-06-01T14:32:05Z"
    assert not marker.exists()


def test_a_tag_that_is_none_is_one_line() -> None:
    with pytest.raises(KitError, match="begins with submit/"):
        told_by_runner(runner(SUBMISSION_TAG="main"))


def test_a_result_has_whole_points_and_what_the_runner_knows() -> None:
    whole = result(sheet("correct=100,prints=90", rows=[ROWS[1], ROWS[5]]), told_by_runner(runner()))
    check({**whole, "graded_at": "2026-06-01T14:40:00Z"})
    assert [(one["test-name"], one["passed"], one["score"]) for one in whole["tests"]] == [
        ("rope", False, 0),
        ("glow", True, 90),
    ]
