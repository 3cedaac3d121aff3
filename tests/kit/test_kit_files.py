"""What was computed from the files of a problem is kept until one of them changes, and no longer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.kit import kit_files
from grader.kit.kit import Kit
from grader.kit.kit_files import KitFiles
from tests.conftest import FLAGSHIP, copy_kit

AGES_AGO = time.time() - 3600


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    made = Kit(copy_kit(tmp_path, FLAGSHIP))
    # No test can set the time at which a file's own record changed: all of these changed just now.
    monkeypatch.setattr(kit_files, "NANOSECONDS_UNTIL_SETTLED", 0)
    return made


def computed(kit: Kit, what: str = "it") -> bool:
    """Whether a new run computes something anew."""
    files, calls = KitFiles(kit), list[int]()

    def compute() -> int:
        calls.append(1)
        return 7

    assert files.of(FLAGSHIP, what, compute) == files.of(FLAGSHIP, what, compute) == 7
    files.save()
    assert len(calls) <= 1
    return bool(calls)


def test_it_is_computed_once_and_kept(kit: Kit) -> None:
    assert [computed(kit), computed(kit), computed(kit, "another"), computed(kit, "another")] == [True, False] * 2
    assert not computed(kit)


def same_time_and_size(path: Path) -> None:
    status, text = path.stat(), path.read_text()
    path.write_text(text[::-1])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


CHANGES: dict[str, Callable[[Kit], object]] = {
    "the stub": lambda kit: kit.stub(FLAGSHIP).write_text("pass\n"),
    "the stub, with its old time and size": lambda kit: same_time_and_size(kit.stub(FLAGSHIP)),
    "the stub goes": lambda kit: kit.stub(FLAGSHIP).unlink(),
    "the statement": lambda kit: kit.statement(FLAGSHIP).write_text("---\n"),
    "the worked answer": lambda kit: kit.answer(FLAGSHIP).write_text("pass\n"),
    "a module beside it": lambda kit: (kit.answer(FLAGSHIP).parent / "beside.py").write_text(""),
    "a module of several problems": lambda kit: (kit.root / "solutions" / "shared.py").write_text(""),
    "a key": lambda kit: kit.key(FLAGSHIP).write_bytes(b"0"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_it_is_computed_again_where_a_file_changed(change: Callable[[Kit], object], kit: Kit) -> None:
    computed(kit)
    change(kit)
    assert computed(kit)
    assert not computed(kit)


def test_a_link_that_leads_elsewhere_is_a_change(kit: Kit) -> None:
    for name in ("one.py", "two.py"):
        (kit.root / name).write_text("1")
        os.utime(kit.root / name, (AGES_AGO, AGES_AGO))
    kit.stub(FLAGSHIP).unlink()
    kit.stub(FLAGSHIP).symlink_to(kit.root / "one.py")
    computed(kit)
    kit.stub(FLAGSHIP).unlink()
    kit.stub(FLAGSHIP).symlink_to(kit.root / "two.py")
    assert computed(kit)


def test_of_a_file_that_changed_just_now_nothing_is_kept(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit_files, "NANOSECONDS_UNTIL_SETTLED", 3_600_000_000_000)
    assert [computed(kit), computed(kit)] == [True, True]


def test_a_damaged_file_is_set_aside(kit: Kit) -> None:
    computed(kit)
    (kit.state / "files.json").write_text("{")
    assert computed(kit)
    assert not computed(kit)


def test_another_version_of_the_grader_keeps_nothing(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    computed(kit)
    monkeypatch.setattr(kit_files, "installed_version", lambda _: "another")
    assert computed(kit)


def test_a_kit_that_cannot_be_written_computes_it_again(kit: Kit) -> None:
    kit.state.touch()  # a file in the place of the folder
    assert [computed(kit), computed(kit)] == [True, True]
