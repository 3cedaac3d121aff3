"""Landlock: a restricted thread reads and writes only beneath the paths that it was given."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.sandbox import landlock, seccomp
from tests.sandbox import in_own_thread


def has_landlock() -> bool:
    try:
        return landlock.version() >= 1
    except OSError:
        return False


pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's"),
    pytest.mark.skipif(sys.platform == "linux" and not has_landlock(), reason="this kernel has no Landlock"),
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with three folders in it, each with a file."""
    for name in ("read", "written", "private"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    return tmp_path


def restricted(place: Path, step: Callable[[], object], *more: str) -> object:
    """The result of a step in a thread that may read `read`, and write `written`."""

    def run() -> object:
        seccomp.prctl(seccomp.PR_SET_NO_NEW_PRIVS, 1)
        landlock.restrict_files([str(place / "read"), *more], [str(place / "written")])
        return step()

    return in_own_thread(run)


def test_what_is_allowed_works(place: Path) -> None:
    def step() -> list[str]:
        (place / "written" / "new").write_text("new")
        (place / "written" / "file").unlink()
        return [(place / "read" / "file").read_text(), *os.listdir(place / "read")]

    assert restricted(place, step) == ["read", "file"]
    assert [path.name for path in (place / "written").iterdir()] == ["new"]


@pytest.mark.parametrize(
    "step",
    [
        lambda place: (place / "private" / "file").read_text(),
        lambda place: (place / "private" / "file").write_text("changed"),
        lambda place: (place / "read" / "file").write_text("changed"),
        lambda place: (place / "read" / "file").unlink(),
        lambda place: (place / "read" / "new").mkdir(),
        lambda place: (place / "read" / "new").symlink_to("file"),
        lambda place: os.listdir(place / "private"),
        lambda place: (place / "private" / "file").rename(place / "written" / "file"),
    ],
    ids=["read", "overwrite", "write where it may read", "remove", "make a folder", "link", "list", "move out"],
)
def test_everything_else_is_refused_and_changes_nothing(step: Callable[[Path], object], place: Path) -> None:
    with pytest.raises(OSError, match=r"Permission denied|cross-device"):
        restricted(place, lambda: step(place))
    assert [(place / name / "file").read_text() for name in ("read", "written", "private")] == [
        "read",
        "written",
        "private",
    ]
    assert os.listdir(place / "read") == ["file"]


def test_a_single_file_can_be_allowed_and_a_missing_path_is_skipped(place: Path) -> None:
    file = place / "private" / "file"
    assert restricted(place, file.read_text, str(file), str(place / "missing")) == "private"


def test_other_threads_are_not_restricted(place: Path) -> None:
    restricted(place, lambda: None)
    assert (place / "private" / "file").read_text() == "private"
