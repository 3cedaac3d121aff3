"""`doctor`: what is installed, which devices there are, what is in force, and one line for each thing that is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.commands.doctor import doctor
from grader.kit import software
from grader.options import Limits
from tests.conftest import FLAGSHIP, Command


@pytest.mark.slow
def test_doctor_shows_what_is_in_force_and_that_nothing_is_missing(grader: Command) -> None:
    done = replace(grader, process=True)("doctor")
    assert done.returncode == 0
    for text in ("jax", "flax", "cpu", "fork", "60 s of processor time and 4 GB", "Nothing is missing for grading."):
        assert text in done.stdout
    names = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    assert names.index("kit") < names.index("start"), "what is known at once comes before what takes seconds"
    assert names.index("start") < names.index("devices")
    last = " ".join(done.stdout.partition("Nothing is missing for grading.")[2].split())
    assert last == f"Next: python -m grader show {FLAGSHIP}, then fill in problems/{FLAGSHIP}/stub.py"


@pytest.mark.slow
def test_doctor_shows_the_versions_that_are_proven_and_those_that_are_newer(
    grader: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = grader("doctor").stdout
    assert all(end in said for end in software.proven_versions())
    assert "newer here" not in said
    monkeypatch.setattr(software, "NEWEST", {**software.NEWEST, "jax": "0.9.9"})
    doctor(grader.kit, "cpu", Limits(), colour=False)
    assert (
        f"newer here   jax {software.installed_version('jax')}: this kit is not proven with it yet"
        in capsys.readouterr().out
    )


@pytest.mark.slow
def test_doctor_names_what_is_missing(grader: Command) -> None:
    done = grader("doctor", "--device", "tpu")
    assert done.returncode == 2
    assert "no tpu is seen by JAX" in done.stdout
    assert done.stdout.splitlines()[-1] == " Next: do what is said above, then python -m grader doctor"
