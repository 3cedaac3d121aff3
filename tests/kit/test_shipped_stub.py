"""Stubs: the shipped text can be restored, and what the learner wrote is never lost."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from grader.kit import shipped_stub
from grader.kit.kit import Kit, KitError
from grader.locale.language import speaking

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


@pytest.mark.parametrize("known", ["saved", "committed"])
def test_a_stub_is_untouched_if_only_blanks_and_comments_differ_from_the_shipped_one(kit: Kit, known: str) -> None:
    if known == "saved":
        shipped_stub.save_shipped(kit)
    else:
        git(kit, "init", "-q")
        git(kit, "add", ".")
        git(kit, "commit", "-qm", "shipped")
    commented = "# my notes\n\ndef toy(seed):\n\n    # later\n    raise NotImplementedError\n"
    begun = "def toy(seed):\n    x = undefined\n    raise NotImplementedError\n"
    finished = "def toy(seed):\n    return 1\n    raise NotImplementedError\n"
    texts = (SHIPPED, commented, begun, finished, f"1 / 0\n{SHIPPED}")
    assert [shipped_stub.untouched(kit, "toy", text) for text in texts] == [True, True, False, False, False]


def test_the_stub_of_a_newer_kit_is_untouched_beside_the_saved_copy_of_an_older_one(kit: Kit) -> None:
    shipped_stub.save_shipped(kit)
    newer = SHIPPED.replace("    raise", "    x = 1.0\n    raise")
    kit.stub("toy").write_text(newer)
    git(kit, "init", "-q")
    git(kit, "add", "problems")
    git(kit, "commit", "-qm", "newer")
    begun = newer.replace("x = 1.0", "x = 2.0")
    assert [shipped_stub.untouched(kit, "toy", text) for text in (SHIPPED, newer, begun)] == [True, True, False]


def test_without_a_shipped_stub_the_look_of_a_text_decides(kit: Kit) -> None:
    assert shipped_stub.untouched(kit, "toy", SHIPPED)
    assert not shipped_stub.untouched(kit, "toy", WRITTEN)


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


def test_a_private_stub_stays_private(kit: Kit) -> None:
    shipped_stub.save_shipped(kit)
    kit.stub("toy").write_text(WRITTEN)
    kit.stub("toy").chmod(0o600)
    kept = shipped_stub.reset(kit, "toy")
    assert kept is not None
    assert (kit.stub("toy").read_text(), kept.read_text()) == (SHIPPED, WRITTEN)
    assert {path.stat().st_mode & 0o777 for path in (kit.stub("toy"), kept)} == {0o600}


def test_what_a_text_takes_the_place_of_is_kept_a_text_as_a_copy_and_all_else_moved(kit: Kit) -> None:
    stub = kit.stub("toy")
    stub.write_bytes(b"a = 1\r\n")
    kept = shipped_stub.keep_aside(stub)
    assert kept is not None
    assert kept.read_bytes() == stub.read_bytes() == b"a = 1\r\n"
    stub.unlink()
    assert shipped_stub.keep_aside(stub) is None
    stub.mkdir()
    moved = shipped_stub.keep_aside(stub)
    assert moved is not None
    assert (moved.is_dir(), stub.exists()) == (True, False)


def test_resetting_a_stub_as_shipped_moves_nothing_aside(kit: Kit) -> None:
    shipped_stub.save_shipped(kit)
    assert shipped_stub.reset(kit, "toy") is None
    assert [path.name for path in kit.stub("toy").parent.iterdir()] == ["stub.py"]


@pytest.fixture
def of_grader(kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The kit that came with the grader. The other kit is a copy of it in which the stub is filled in."""
    shutil.copytree(kit.root / "problems", (own := tmp_path / "own") / "problems")
    kit.stub("toy").write_text(WRITTEN)
    for folder in (own, kit.root):
        (folder / "problems" / "toy" / "README.md").write_text("# Toy\n")
        (folder / "solutions").mkdir()
    monkeypatch.setattr("grader.kit.kit.CHECKOUT", own)
    return Kit(own)


def test_the_stub_of_the_kit_that_came_with_the_grader_is_restored_where_no_other_is_known(
    kit: Kit, of_grader: Kit
) -> None:
    moved = shipped_stub.reset(kit, "toy")
    assert moved is not None
    assert moved.read_text() == WRITTEN
    assert kit.stub("toy").read_text() == SHIPPED == of_grader.stub("toy").read_text()


def test_it_is_restored_in_the_language_that_is_spoken(kit: Kit, of_grader: Kit) -> None:
    spanish = f'"""Ejemplo."""\n{SHIPPED}'
    of_grader.stub("toy").with_name("stub.es.py").write_text(spanish)
    with speaking("es"):
        shipped_stub.reset(kit, "toy")
    assert kit.stub("toy").read_text() == spanish


def test_another_problem_of_the_same_name_is_not_restored(kit: Kit, of_grader: Kit) -> None:
    kit.statement("toy").write_text("# Another toy\n")
    with pytest.raises(KitError, match="shipped stub of toy is not known"):
        shipped_stub.reset(kit, "toy")


def test_where_no_shipped_stub_is_known_nothing_is_touched(kit: Kit) -> None:
    kit.stub("toy").write_text(WRITTEN)
    with pytest.raises(KitError, match="shipped stub of toy is not known"):
        shipped_stub.reset(kit, "toy")
    assert kit.stub("toy").read_text() == WRITTEN


def test_a_part_of_the_stub_as_a_notebook_holds_it_is_untouched_too(kit: Kit) -> None:
    kit.stub("toy").write_text(f'"""Read this."""\n\nimport jax\nimport math\n\n\n{SHIPPED}')
    shipped_stub.save_shipped(kit)
    assert shipped_stub.untouched(kit, "toy", f"import math\n{SHIPPED}")
    assert not shipped_stub.untouched(kit, "toy", f"import os\n{SHIPPED}")
    assert shipped_stub.untouched(kit, "toy", f'import jax\njax.config.update("jax_num_cpu_devices", 4)\n{SHIPPED}')


def test_a_number_with_too_many_digits_is_no_part_of_a_stub(kit: Kit) -> None:
    shipped_stub.save_shipped(kit)
    assert not shipped_stub.untouched(kit, "toy", f"X = 0x{'f' * 5_000}\n{SHIPPED}")
