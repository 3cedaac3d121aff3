"""A stub that nobody has called their own is asked about on a terminal, and refused where nobody can answer."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pexpect
import pytest

from tests.commands.test_check import RIGHT
from tests.conftest import FLAGSHIP, ROOT, Command, clean_environment, copy_kit

NAMES = (("check", FLAGSHIP), (), ("run", FLAGSHIP), ("trace", FLAGSHIP), ("picture", FLAGSHIP))
RAN = "import os\nos.system('touch {mark}')\n"


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit without solutions."""
    folder = tmp_path_factory.mktemp("released")
    kit = copy_kit(folder / "whole", FLAGSHIP)
    assert Command(kit)("release", str(folder / "kit")).returncode == 0
    return folder / "kit"


@pytest.fixture
def stranger(released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """A copy of it whose stub is filled in, and makes a file when it runs."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    kit = tmp_path / "kit"
    shutil.copytree(released, kit)
    (kit / "problems" / FLAGSHIP / "stub.py").write_text(RAN.format(mark=tmp_path / "ran") + RIGHT)
    return Command(kit)


@pytest.mark.slow
def test_a_kit_without_solutions_runs_nothing_that_came_with_it(stranger: Command, tmp_path: Path) -> None:
    for arguments in NAMES:
        done = stranger(*arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert "is filled in, and the grader does not know by whom" in done.stderr
    assert not (tmp_path / "ran").exists()
    assert stranger("check", FLAGSHIP, "--tier=C").returncode == 0, "whoever confines it need not trust it"
    assert stranger("trust").stdout.strip() == f"problems/{FLAGSHIP}/stub.py is yours."
    assert stranger().returncode == 0
    assert (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_learner_who_fills_in_a_stub_of_a_kit_from_elsewhere_is_asked_nothing(
    released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    shutil.copytree(released, tmp_path / "kit")
    kit = Command(tmp_path / "kit")
    assert kit("list").returncode == 0
    assert "Nothing is missing for grading." in kit("doctor").stdout
    (kit.kit / "problems" / FLAGSHIP / "stub.py").write_text(RIGHT)
    assert kit().returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "status"), [("y", 0), ("n", 2)])
def test_on_a_terminal_there_is_a_question(answer: str, status: int, stranger: Command, tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable, ["-m", "grader", FLAGSHIP, "--no-color"], cwd=str(stranger.kit), encoding="utf-8", timeout=60,
        env={**clean_environment(), "TERM": "xterm", "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path / "state")},
        dimensions=(40, 200),
    )  # fmt: skip
    child.expect(r"Is it yours\? \[y/N\]")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == status
    assert (tmp_path / "ran").exists() == (answer == "y")
