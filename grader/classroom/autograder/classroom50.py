"""The autograder that runs for Classroom 50, in a student's checkout: `result.json`, and the page of the release."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.classroom.autograder.student_grading import STUDENT, StudentWork, grade
from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import check_whole
from grader.classroom.row import now
from grader.classroom.row_text import row_words
from grader.classroom.student_page import as_markdown, student_page
from grader.kit.files import write_atomically
from grader.kit.kit import KitError
from grader.marking.verdict import Status

RESULT, PAGE = "result.json", "release-body.md"
SHAPE = "%Y-%m-%dT%H:%M:%SZ"
ENVIRONMENT = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""The fields of a result that the runner tells, and the variables that it tells them in."""


def run(bundle: Path, checkout: Path) -> StudentWork:
    """Grade a checkout. There is no result after an exception.

    Raises:
        KitError: the runner does not tell what a result needs, or a problem is a fault: a result has no place for one.
        Unconfined, LaunchError: as `student_grading.grade`.
        OSError: the result cannot be written.
    """
    for path in (checkout / RESULT, checkout / PAGE):  # a student may have committed one, as a file or as anything else
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    context = told_by_runner(os.environ)
    known = grade(bundle, checkout)
    sheet = known.sheet
    check_whole(sheet.points, sheet.problems, "Classroom 50")
    if open_rows := sheet.open:
        faults = "; ".join(f"{row.problem}: {row.fault}" for row in open_rows)
        raise KitError(f"The grader could not grade everything, and so there is no result: {faults}")
    context["graded_at"] = _in_utc(now())
    write_atomically(checkout / PAGE, as_markdown(student_page(sheet, STUDENT)).encode())
    write_atomically(checkout / RESULT, json.dumps(result(sheet, context), indent=1).encode())
    return known


def result(sheet: Sheet, context: Mapping[str, str]) -> dict[str, Any]:
    """The document of Classroom 50. Every answer has a verdict, and points are whole."""
    tests: list[dict[str, Any]] = []
    for row in sheet.rows:
        said = row_words(row, sheet.level)
        tests.append(
            {
                "test-name": row.problem,
                "passed": said.status == Status.CORRECT,
                "score": int(sheet.points.of(row) or 0),
                "max-score": int(sheet.points.most(row.problem)),
                "pitfalls": list(said.pitfalls),
                "message": said.text,
            }
        )
    return {
        "schema": "classroom50/result/v1",
        **context,
        "score": sum(test["score"] for test in tests),
        "max-score": int(sheet.most),
        "tests": tests,
    }


def told_by_runner(environment: Mapping[str, str]) -> dict[str, str]:
    """What the runner knows of a submission, and its time: that of its tag, which another grading does not move.

    No git runs in the checkout: its configuration is the student's.

    Raises:
        KitError: a variable is missing.
    """
    known = {field: environment.get(name, "") for field, name in ENVIRONMENT.items()}
    known["review"] = known["review"] or known["commit"]  # older runners do not tell it
    if missing := [ENVIRONMENT[field] for field, value in known.items() if not value]:
        raise KitError(f"{', '.join(missing)} must be set in the environment, as the runner of Classroom 50 does.")
    if not known["submission"].startswith("submit/"):
        raise KitError(f"SUBMISSION_TAG is {known['submission']!r}, and begins with submit/ on Classroom 50.")
    return {**known, "datetime": _tagged(known["submission"]) or _in_utc(now())}


def _tagged(tag: str) -> str:
    found = re.match(r"submit/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z", tag)
    try:
        return _in_utc(f"{found[1]}T{found[2]}:{found[3]}:{found[4]}+00:00") if found else ""
    except ValueError:
        return ""


def _in_utc(text: str) -> str:
    return datetime.fromisoformat(text).astimezone(UTC).strftime(SHAPE)
