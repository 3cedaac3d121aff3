"""The command that compares an accelerator with the CPU, tested on the CPU alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grader.kit.kit import Kit
from grader.session import Session
from tests.conftest import ROOT, clean_environment, copy_kit, worked_answer
from tests.device import __main__ as device

MISSING = ("watchfiles", "pylatexenc", "pytest", "xdist", "hypothesis", "pexpect")


def run(*arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.device", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**clean_environment(), "PYTHONPATH": path},
    )


@pytest.mark.slow
def test_without_the_device_it_says_so_and_exits_with_2() -> None:
    done = run("tpu", "relative_bias")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("There is no tpu here that JAX can use")


@pytest.mark.slow
def test_a_mistyped_problem_is_one_line() -> None:
    done = run("cpu", "relative_bais")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.strip().splitlines()
    assert "relative_bias" in line


def test_names_may_stand_on_both_sides_of_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(device, "compare", lambda _kit, *rest: asked.extend(rest))
    assert device.main(["cpu", "relative_bias", "--jobs", "3", "rope", "layer_norm"]) == 0
    assert asked == ["cpu", ["relative_bias", "rope", "layer_norm"], 3]


@pytest.mark.nightly
def test_every_answer_to_a_problem_is_compared_without_what_may_be_missing(tmp_path: Path) -> None:
    for name in MISSING:
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('{name} is not on a machine with an accelerator')\n")
    done = run("cpu", "relative_bias", path=str(tmp_path))
    assert done.returncode == 0, done.stderr
    first, last = done.stdout.strip().splitlines()
    assert first.startswith("relative_bias")
    assert first.endswith("same")
    assert "all graded the same" in last


def test_an_answer_with_another_verdict_is_named_with_both_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kit = Kit(copy_kit(tmp_path, "relative_bias"))

    def outcomes(kit: Kit, name: str, listed: list[device.Given], jobs: int) -> list[device.Outcome]:
        off = {listed[1].title} if name == "gpu" else set()
        return [device.Outcome("wrong transposed" if one.title in off else "correct", 1.0) for one in listed]

    monkeypatch.setattr(device, "grade_all", outcomes)
    assert device.compare(kit, "gpu", ["relative_bias"], 1) == 1
    said = capsys.readouterr().out
    assert "1 differ" in said
    assert "cpu: correct\n        gpu: wrong transposed" in said
    assert "1 graded otherwise" in said


@pytest.mark.slow
def test_a_fault_of_the_kit_on_a_device_is_compared_like_a_verdict(tmp_path: Path) -> None:
    kit = Kit(copy_kit(tmp_path, "relative_bias"))
    kit.answer("relative_bias").write_text("raise ValueError('not on this device')\n")
    answer = tmp_path / "answer.py"
    answer.write_text(worked_answer(kit, "relative_bias"))
    with Session(kit) as session:
        outcome = device.graded(session, device.Given("relative_bias", "right: a title", answer))
    assert outcome.verdict.startswith("fault of the kit: solutions/relative_bias/answer.py:1: ValueError")
