"""Stubs: the shipped text can be restored, and what the learner wrote is never lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.kit import shipped_stub
from grader.kit.kit import Kit, KitError

SHIPPED = "def toy(seed):\n    raise NotImplementedError\n"
WRITTEN = "def toy(seed):\n    return 1\n"


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    (tmp_path / "problems" / "toy").mkdir(parents=True)
    kit = Kit(tmp_path)
    kit.stub("toy").write_text(SHIPPED)
    return kit


def git(kit: Kit, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=kit.root, check=True, capture_output=True)


def test_without_git_the_saved_copy_is_restored(kit: Kit) -> None:
    shipped_stub.save_shipped(kit)
    kit.stub("toy").write_text(WRITTEN)
    shipped_stub.save_shipped(kit)
    kept = shipped_stub.reset(kit, "toy")
    assert kit.stub("toy").read_text() == SHIPPED
    assert kept is not None
    assert kept.read_text() == WRITTEN


def test_with_git_the_last_bare_stub_is_restored_even_if_the_answer_was_committed(kit: Kit) -> None:
    git(kit, "init", "-q")
    git(kit, "add", ".")
    git(kit, "commit", "-qm", "shipped")
    kit.stub("toy").write_text(WRITTEN)
    git(kit, "commit", "-qam", "solved")
    shipped_stub.reset(kit, "toy")
    assert kit.stub("toy").read_text() == SHIPPED


def test_two_resets_in_one_second_lose_nothing(kit: Kit) -> None:
    shipped_stub.save_shipped(kit)
    texts = [WRITTEN, WRITTEN + "# more\n", WRITTEN + "# and more\n"]
    kept = []
    for text in texts:
        kit.stub("toy").write_text(text)
        kept.append(shipped_stub.reset(kit, "toy"))
    assert [path.read_text() for path in kept if path] == texts


def test_resetting_a_stub_as_shipped_moves_nothing_aside(kit: Kit) -> None:
    shipped_stub.save_shipped(kit)
    assert shipped_stub.reset(kit, "toy") is None
    assert [path.name for path in kit.stub("toy").parent.iterdir()] == ["stub.py"]


def test_where_no_shipped_stub_is_known_nothing_is_touched(kit: Kit) -> None:
    kit.stub("toy").write_text(WRITTEN)
    with pytest.raises(KitError, match="shipped stub of toy is not known"):
        shipped_stub.reset(kit, "toy")
    assert kit.stub("toy").read_text() == WRITTEN
