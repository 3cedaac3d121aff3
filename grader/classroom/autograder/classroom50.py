"""The autograder that runs for Classroom 50, in a student's checkout: `result.json`, and the page of the release."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from grader.classroom.autograder.handed_in import HandedIn, grade
from grader.classroom.exports.machines import as_json
from grader.classroom.exports.runners import classroom50_result, summary
from grader.classroom.outcome import now
from grader.classroom.points import check_whole
from grader.kit.files import write_atomically
from grader.kit.kit import KitError

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


def run(bundle: Path, checkout: Path) -> HandedIn:
    """Grade a checkout. There is no result after an exception.

    Raises:
        KitError: the runner does not tell what a result needs, or a problem is a fault: a result has no place for one.
        Unconfined, LaunchError: as `handed_in.grade`.
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
    if open_rows := sheet.open(sheet.rows):
        faults = "; ".join(f"{row.problem}: {row.fault}" for row in open_rows)
        raise KitError(f"The grader could not grade everything, and so there is no result: {faults}")
    context["graded_at"] = _in_utc(now())
    write_atomically(checkout / PAGE, summary(sheet, sheet.rows).encode())
    write_atomically(checkout / RESULT, as_json(classroom50_result(sheet, sheet.rows, context)).encode())
    return known


def told_by_runner(environment: Mapping[str, str]) -> dict[str, str]:
    """What the runner knows of a submission, and its time: that of its tag, which another grading does not move.

    No git runs in the checkout: its configuration is the student's.

    Raises:
        KitError: a variable is missing.
    """
    told = {field: environment.get(name, "") for field, name in ENVIRONMENT.items()}
    told["review"] = told["review"] or told["commit"]  # older runners do not tell it
    if missing := [ENVIRONMENT[field] for field, value in told.items() if not value]:
        raise KitError(f"{', '.join(missing)} must be set in the environment, as the runner of Classroom 50 does.")
    if not told["submission"].startswith("submit/"):
        raise KitError(f"SUBMISSION_TAG is {told['submission']!r}, and begins with submit/ on Classroom 50.")
    return {**told, "datetime": _tagged(told["submission"]) or _in_utc(now())}


def _tagged(tag: str) -> str:
    found = re.match(r"submit/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z", tag)
    try:
        return _in_utc(f"{found[1]}T{found[2]}:{found[3]}:{found[4]}+00:00") if found else ""
    except ValueError:
        return ""


def _in_utc(text: str) -> str:
    return datetime.fromisoformat(text).astimezone(UTC).strftime(SHAPE)
