"""The autograder that runs on Gradescope: it writes `results.json` after each problem, whole or not at all."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from grader.classroom.autograder.student_grading import StudentWork, grade
from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import number
from grader.classroom.row import VERDICT, Row
from grader.classroom.row_text import row_words
from grader.kit.files import write_atomically
from grader.kit.software import DECISIVE, installed_version
from grader.marking.verdict import Status


def run(root: Path) -> StudentWork:
    """Grade `root/submission` by the bundle in `root/source`.

    There is no `root/results/results.json` after an exception, nor where every problem is a fault: Gradescope then says that
    the autograder failed, and gives no zero.

    Raises:
        KitError, Unconfined, LaunchError: as `student_grading.grade`.
        OSError: the results cannot be written.
    """
    path = root / "results" / "results.json"
    path.unlink(missing_ok=True)
    start = time.monotonic()

    def write(known: StudentWork) -> None:
        if any(row.state == VERDICT for row in known.sheet.rows):
            write_atomically(path, json.dumps(results(known, time.monotonic() - start), indent=1).encode())

    try:
        known = grade(root / "source", root / "submission", write)
        write(known)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return known


def results(known: StudentWork, seconds: float) -> dict[str, Any]:
    """The document of Gradescope. What has no verdict, yet or for a fault, is a test without a score."""
    rows = known.sheet.rows
    statuses = [row.verdict.status for row in rows if row.state == VERDICT and row.verdict is not None]
    output = f"{statuses.count(Status.CORRECT)} of {len(rows)} right."
    if lacking := len(rows) - len(statuses):
        output += f" Without a verdict: {lacking}; the sum lacks them."
    return {
        "output": output,
        "output_format": "text",
        "stdout_visibility": "hidden",
        "execution_time": round(seconds, 3),
        "extra_data": {
            "schema": "grader/verdict/2",
            "feedback": known.sheet.level,
            "confinement": known.tier,
            "versions": {name: installed_version(name) for name in ("grader", "python", *DECISIVE)},
        },
        "tests": [_test(known.sheet, row, str(count)) for count, row in enumerate(rows, 1)],
    }


def _test(sheet: Sheet, row: Row, count: str) -> dict[str, Any]:
    said, points = row_words(row, sheet.level), sheet.points.of(row)
    test: dict[str, Any] = {
        "name": row.problem,
        "name_format": "text",
        "number": count,
        "output": said.text,
        "output_format": "text",
        "visibility": "visible",
        "tags": list(said.pitfalls),
    }
    if points is None:
        return test
    status = "passed" if said.status == Status.CORRECT else "failed"
    most = sheet.points.most(row.problem)
    return {**test, "score": number(points), "max_score": number(most), "status": status}
