"""The line on what to do now: the step that helps, as a command that runs."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from grader.commands.next_step import next_step
from grader.kit.kit import Kit
from grader.kit.progress import Progress
from grader.marking.verdict import Diagnosis, Frame, Named, Raised, Status, Verdict
from tests.conftest import Command


@pytest.mark.parametrize(
    ("verdict", "step"),
    [
        (Verdict("toy", Status.WRONG, ""), "python -m grader hint toy"),
        (
            Verdict("toy", Status.WRONG, "", diagnosis=Diagnosis((Named("wrong-dtype", "", ""),))),
            "change problems/toy/stub.py, then python -m grader toy",
        ),
        (Verdict("toy", Status.ERROR, "", unread="missing"), "python -m grader reset toy"),
        (
            Verdict("toy", Status.ERROR, "", raised=Raised("ValueError", "", (Frame(3, "f", "x"), Frame(7, "g", "y")))),
            "fix line 7 of problems/toy/stub.py, then python -m grader toy",
        ),
        (
            Verdict("toy", Status.ERROR, "", unread="unreadable"),
            "change problems/toy/stub.py, then python -m grader toy",
        ),
        (Verdict("toy", Status.TIMEOUT, ""), "change problems/toy/stub.py, then python -m grader toy"),
    ],
)
def test_the_next_step_after_a_failure_is_the_one_that_helps(verdict: Verdict, step: str, tmp_path: Path) -> None:
    assert next_step(Kit(tmp_path), [], Progress(tmp_path), "toy", verdict) == f"Next: {step}"


def test_the_next_step_names_the_kit_that_was_given_and_runs_as_printed(own_kit: Command, tmp_path: Path) -> None:
    own_kit.kit.rename(tmp_path / "my kit")
    elsewhere = Command(tmp_path)
    page = elsewhere("--kit", "my kit", "sinusoidal_pos").stdout
    printed = page.partition("Next: ")[2].partition(", then")[0]
    assert printed == "python -m grader --kit 'my kit' show sinusoidal_pos"
    _, _, _, *words = shlex.split(printed)
    assert elsewhere(*words).stdout.rstrip().endswith("python -m grader --kit 'my kit' sinusoidal_pos")
