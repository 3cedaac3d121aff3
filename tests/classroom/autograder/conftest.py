"""Autograders made by the real command, once for all tests of a worker."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

from grader.kit.kit import Kit
from tests.conftest import ROOT, Command, clean_environment, copy_kit, worked_answer

NAMES = ("first_arrays", "relative_bias", "softmax_rows")


def worked(name: str) -> str:
    """The worked answer to a problem."""
    return worked_answer(Kit(ROOT), name)


@dataclass(frozen=True)
class Layout:
    """The folder that Gradescope makes: the zip unpacked in `source`, and a student's files in `submission`."""

    root: Path

    @property
    def results(self) -> Path:
        return self.root / "results" / "results.json"

    def start(self, script: str, **files: str) -> subprocess.Popen[str]:
        """Start a script of the zip, in a session of its own, on these files as what was handed in."""
        submission = self.root / "submission"
        for path in submission.iterdir():
            path.unlink()
        for name, text in files.items():
            (submission / f"{name}.py").write_text(text, encoding="utf-8")
        return subprocess.Popen(
            [str(self.root / "source" / script)],
            cwd="/",
            env={**clean_environment(), "AUTOGRADER_ROOT": str(self.root), "GRADER_PYTHON": sys.executable},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __call__(self, script: str = "run_autograder", **files: str) -> subprocess.CompletedProcess[str]:
        process = self.start(script, **files)
        out, errors = process.communicate(timeout=300)
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


@pytest.fixture(scope="session")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The command on a kit of three problems that has its keys."""
    command = Command(copy_kit(tmp_path_factory.mktemp("keyed"), *NAMES))
    assert command("release", "--keys").returncode == 0
    return command


@pytest.fixture(scope="session")
def zipped(keyed: Command) -> Path:
    """The zip for Gradescope, with little time for an answer: one that prints runs each operation by itself."""
    arguments = ("class", "autograder", "gradescope", "--out", "week1.zip", "--cpu-limit", "15")
    done = keyed(*arguments)
    assert done.returncode == 0, done.stderr
    assert "Tried here on the worked answers: all are right" in done.stdout
    return keyed.kit / "week1.zip"


@pytest.fixture
def layout(zipped: Path, tmp_path: Path) -> Layout:
    """A scratch folder in the place of /autograder."""
    unpack(zipped, tmp_path / "source")
    (tmp_path / "submission").mkdir()
    return Layout(tmp_path)


def unpack(archive: Path, target: Path) -> None:
    """Unpack as `unzip` does: with the permissions that the archive holds."""
    with ZipFile(archive) as packed:
        for info in packed.infolist():
            os.chmod(packed.extract(info, target), info.external_attr >> 16)


def runner(**more: str) -> Mapping[str, str]:
    """What the runner of Classroom 50 has in its environment."""
    return {
        "CLASSROOM": "jax",
        "ASSIGNMENT": "week1",
        "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
        "COMMIT_URL": "https://example.org/commit",
        "RELEASE_URL": "https://example.org/release",
        **more,
    }
