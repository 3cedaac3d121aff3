"""The class that is made for tests: the same every time, and read as its truth says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.classroom.folder import read_class
from grader.classroom.roster import read_roster
from grader.kit.kit import Kit
from tests.classroom.made import KINDS, LAYOUTS, make
from tests.conftest import ROOT

KIT = Kit(ROOT)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        make(KIT, 2 * len(LAYOUTS), seed, tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b") != files(tmp_path / "c")


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_it_is_read_as_its_truth_says(tmp_path: Path, seed: int) -> None:
    items = make(KIT, 6 * len(LAYOUTS), seed, tmp_path)
    assert [item["path"] for item in json.loads((tmp_path / "truth.json").read_text())] == [one.path for one in items]
    assert {one.kind for one in items} == {*KINDS, "earlier"}
    found, unread = read_class(tmp_path / "class", KIT, KIT.names)
    assert {(one.student, one.problem, one.path) for one in found} == {
        (one.student, one.problem, one.path) for one in items if one.read
    }
    assert {one.path for one in unread if "earlier attempt" in one.why} == {
        one.path for one in items if one.kind == "earlier"
    }
    assert [one for one in unread if "earlier attempt" not in one.why and "only shipped stubs" not in one.why] == []
    roster = read_roster(tmp_path / "roster.csv")
    assert roster.unknown(one.student for one in items) == []
    assert [person.id for person in roster.without_work(one.student for one in items)] == ["absent0", "absent1"]
