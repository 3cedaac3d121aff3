"""What git is asked: it answers, and it runs nothing that the configuration of a repository names."""

from __future__ import annotations

import subprocess
from pathlib import Path

from grader.kit.repository import ask_git
from tests.repositories import git, monitored, partial, signed


def test_what_was_committed_is_read(tmp_path: Path) -> None:
    git(tmp_path / "kit", "init", "-q")
    (tmp_path / "kit" / "stub.py").write_text("π = 3\n")
    git(tmp_path / "kit", "add", ".")
    git(tmp_path / "kit", "commit", "-qm", "x")
    assert ask_git(tmp_path / "kit", "cat-file", "blob", "HEAD:./stub.py") == "π = 3\n"
    assert ask_git(tmp_path / "kit", "cat-file", "blob", "HEAD:./other.py") is None
    assert ask_git(tmp_path / "nowhere", "rev-list", "HEAD") is None


def test_a_missing_object_is_not_fetched_by_a_command_of_the_repository(tmp_path: Path) -> None:
    kit, marker = tmp_path / "kit", tmp_path / "ran"
    git(kit, "init", "-q")
    (kit / "stub.py").write_text("x = 3\n")
    git(kit, "add", ".")
    git(kit, "commit", "-qm", "x")
    partial(kit, marker, git(kit, "hash-object", "stub.py").strip())
    assert subprocess.run(["git", "cat-file", "blob", "HEAD:./stub.py"], cwd=kit, capture_output=True).returncode
    assert marker.exists(), "git itself runs it"
    marker.unlink()
    assert ask_git(kit, "cat-file", "blob", "HEAD:./stub.py") is None
    assert ask_git(kit, "rev-list", "HEAD", "--", "stub.py")
    assert not marker.exists()


def test_no_signature_is_checked_and_no_monitor_of_files_is_asked(tmp_path: Path) -> None:
    kit, marker = tmp_path / "kit", tmp_path / "ran"
    signed(kit, marker)
    subprocess.run(["git", "log", "-1"], cwd=kit, capture_output=True, check=True)
    assert marker.exists(), "git itself runs it"
    marker.unlink()
    assert ask_git(kit, "log", "-1", "--format=%s") == "x\n"
    assert not marker.exists()
    (kit / "x").touch()
    git(kit, "add", "x")
    monitored(kit, marker)
    git(kit, "status")
    assert marker.exists(), "git itself runs it"
    marker.unlink()
    assert ask_git(kit, "status", "--porcelain")
    assert not marker.exists()
