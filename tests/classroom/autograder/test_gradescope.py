"""The zip's own scripts in a scratch layout: the verdicts of the kit, no zero for a fault, and never half a file."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema
import psutil
import pytest

from grader.classroom.autograder.gradescope import results
from grader.classroom.autograder.student_grading import StudentWork
from tests.classroom.autograder.conftest import Layout, worked
from tests.classroom.exports.rows import ROWS, row, sheet
from tests.conftest import ROOT

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

NOISE = """
import json, os
print('{"score": 100, "tests": []}')
print("::error ::boo")
os.write(1, b'{"score": 100}\\n::add-mask::x\\n')
"""
HANGS = "def softmax_rows(*given):\n    while True:\n        pass\n"


def started_in(layout: Layout) -> list[psutil.Process]:
    """The processes that run the package of the zip."""
    listed = psutil.process_iter(["cmdline"])
    return [one for one in listed if any(str(layout.root) in word for word in one.info["cmdline"] or ())]


def read(layout: Layout) -> dict[str, dict[str, Any]]:
    """The tests of valid results, by their names."""
    results = json.loads(layout.results.read_text(encoding="utf-8"))
    jsonschema.validate(results, OF_GRADESCOPE)
    assert any("score" in one for one in results["tests"])
    assert results["stdout_visibility"] == "hidden"
    return {one["name"]: one for one in results["tests"]}


def test_the_results_are_valid_and_what_has_no_verdict_has_no_score() -> None:
    whole = results(StudentWork(sheet("correct=1,prints=0.9", rows=[*ROWS[:4], ROWS[5]]), "A", []), 1.25)
    jsonschema.validate(whole, OF_GRADESCOPE)
    assert [one.get("score") for one in whole["tests"]] == [1, 0, None, None, 0.9]
    assert whole["output"] == "2 of 5 right. Without a verdict: 2; the sum lacks them."
    assert results(StudentWork(sheet(rows=[row("ana", ROWS[0].verdict)]), "", []), 0)["output"] == "1 of 1 right."


@pytest.mark.slow
def test_right_wrong_and_missing_and_what_an_answer_prints_is_in_no_output(layout: Layout) -> None:
    wrong = "import jax\n\n\ndef softmax_rows(*given):\n    return jax.numpy.zeros(3)\n"
    done = layout(relative_bias=NOISE + worked("relative_bias"), softmax_rows=wrong)
    assert done.returncode == 0, done.stderr
    told = read(layout)
    assert {name: (one["score"], one["status"]) for name, one in told.items()} == {
        "first_arrays": (0, "failed"),
        "relative_bias": (1, "passed"),
        "softmax_rows": (0, "failed"),
    }
    assert "name the file first_arrays.py" in told["first_arrays"]["output"]
    assert "::" not in done.stdout + done.stderr
    assert "100" not in done.stdout
    lines = done.stdout.splitlines()
    assert lines[:2] == ["first_arrays: unattempted", "relative_bias: correct"]
    assert lines[-1] in ("Confined: tier A.", "Confined: tier B.")


@pytest.mark.slow
def test_an_answer_that_hangs_costs_its_own_points_and_nobody_reads_a_key(layout: Layout) -> None:
    key = layout.root / "source" / "kit" / "problems" / "first_arrays" / "key.bin"
    thief = f"def first_arrays(*given):\n    open({str(key)!r}, 'rb').read()\n    open({str(layout.results)!r}, 'w')\n"
    done = layout(softmax_rows=HANGS, first_arrays=thief, relative_bias=worked("relative_bias"))
    assert done.returncode == 0, done.stderr
    told = read(layout)
    assert [one["score"] for one in told.values()] == [0, 1, 0]
    assert "softmax_rows: timeout" in done.stdout
    assert "first_arrays: error" in done.stdout
    assert "Error" in told["first_arrays"]["output"]


@pytest.mark.nightly
@pytest.mark.slow
def test_a_fault_of_one_problem_has_no_score_and_one_of_all_leaves_no_file(layout: Layout) -> None:
    kit = layout.root / "source" / "kit" / "problems"
    (kit / "first_arrays" / "key.bin").write_bytes(b"no key")
    answers = {name: worked(name) for name in ("first_arrays", "softmax_rows")}
    assert layout(**answers).returncode == 0
    told = read(layout)
    assert told["softmax_rows"]["score"] == 1
    assert not {"score", "max_score", "status"} & set(told["first_arrays"])
    assert "could not grade" in told["first_arrays"]["output"]
    (layout.root / "source" / "autograder.json").write_text("{}")
    done = layout(**answers)
    assert done.returncode != 0
    assert "make the autograder again" in done.stderr
    assert not layout.results.exists()


@pytest.mark.nightly
def test_a_kill_at_any_moment_leaves_no_file_or_a_whole_one(layout: Layout) -> None:
    chance = random.Random()
    for _ in range(6):
        layout.results.unlink(missing_ok=True)
        process = layout.start("run_autograder", **{name: worked(name) for name in ("relative_bias", "softmax_rows")})
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.5, 7))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        if layout.results.exists():
            read(layout)
        _, left = psutil.wait_procs(started_in(layout), timeout=10)
        assert left == []
    assert layout(softmax_rows=worked("softmax_rows")).returncode == 0
    read(layout)


@pytest.mark.slow
def test_setup_says_which_python_is_used_and_installs_nothing_where_one_is_given(layout: Layout) -> None:
    done = layout("setup.sh")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Python: Python 3.")
    assert sorted(path.name for path in layout.root.iterdir()) == ["source", "submission"]


@pytest.mark.slow
def test_no_solution_is_in_the_zip_and_the_same_command_gives_the_same_bytes(zipped: Path, keyed: Any) -> None:
    names = ZipFile(zipped).namelist()
    assert {"setup.sh", "run_autograder", "kit/problems/first_arrays/key.bin"} < set(names)
    packed = {name.removeprefix("kit/") for name in names if name.startswith("kit/")}
    public = {path.relative_to(ROOT).as_posix() for path in (ROOT / "problems").rglob("*") if path.is_file()}
    assert {name for name in packed - public if not name.endswith("/key.bin")} == set()
    worked_answer = worked("first_arrays").encode()
    assert all(ZipFile(zipped).read(name) != worked_answer for name in names)
    again = keyed("class", "autograder", "gradescope", "--out", "again.zip", "--cpu-limit", "15")
    assert again.returncode == 0, again.stderr
    assert (zipped.parent / "again.zip").read_bytes() == zipped.read_bytes()
    refused = keyed("class", "autograder", "gradescope", "--out", "again.zip")
    assert refused.returncode == 2
    assert "is there already" in refused.stderr
