"""The autograder that runs on Gradescope: it writes `results.json` after each problem, whole or not at all."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from grader.classroom.autograder.handed_in import HandedIn, grade
from grader.classroom.exports.machines import as_json
from grader.classroom.exports.runners import gradescope_results
from grader.classroom.row import VERDICT
from grader.kit.files import write_atomically
from grader.kit.versions import DECISIVE, installed


def run(root: Path) -> HandedIn:
    """Grade `root/submission` by the bundle in `root/source`.

    There is no `root/results/results.json` after an exception, nor where every problem is a fault: Gradescope then says that
    the autograder failed, and gives no zero.

    Raises:
        KitError, Unconfined, LaunchError: as `handed_in.grade`.
        OSError: the results cannot be written.
    """
    path = root / "results" / "results.json"
    path.unlink(missing_ok=True)
    start = time.monotonic()

    def write(known: HandedIn) -> None:
        if any(row.state == VERDICT for row in known.sheet.rows):
            write_atomically(path, as_json(results(known, time.monotonic() - start)).encode())

    try:
        known = grade(root / "source", root / "submission", write)
        write(known)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return known


def results(known: HandedIn, seconds: float) -> dict[str, Any]:
    """The document of Gradescope. Before the end, what is not graded yet is a test without a score."""
    document = gradescope_results(known.sheet, known.sheet.rows)
    versions = {name: installed(name) for name in ("grader", "python", *DECISIVE)}
    more = {"confinement": known.tier, "versions": versions}
    return {
        **document,
        "execution_time": round(seconds, 3),
        "extra_data": {**document["extra_data"], **more},
    }
