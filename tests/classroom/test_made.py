"""The class that is made for tests: the same every time, and read as its truth says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from grader.classroom.folder import read_class
from grader.classroom.roster import read_roster
from grader.classroom.tree import OnDisk
from grader.kit.kit import Kit
from tests.classroom.made import ENDS, KINDS, LAYOUTS, PROBLEMS, SHARED, Item, chosen, make
from tests.conftest import FLAGSHIP, ROOT

KIT = Kit(ROOT)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        make(KIT, 2 * len(LAYOUTS), seed, tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b") != files(tmp_path / "c")


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [7, 8, 9])
def test_it_is_read_as_its_truth_says(tmp_path: Path, seed: int) -> None:
    items = make(KIT, 6 * len(LAYOUTS), seed, tmp_path)
    assert [item["path"] for item in json.loads((tmp_path / "truth.json").read_text())] == [one.path for one in items]
    assert {one.kind for one in items} == {*KINDS, "attack"}
    whole = read_class(OnDisk.of(tmp_path / "class"), KIT, KIT.names)
    found, unread = whole.submissions, whole.unread
    assert {(one.student, one.problem, one.path) for one in found} == {
        (one.student, one.problem, one.path) for one in items if one.read
    }
    assert [one for one in unread if "only shipped stubs" not in one.why] == []
    roster = read_roster(tmp_path / "roster.csv")
    assert all(roster.of(one.student) for one in items)
    assert [person.id for person in roster.without_work(one.student for one in items)] == ["absent0", "absent1"]


@pytest.mark.slow
def test_each_kind_has_its_share(tmp_path: Path) -> None:
    items = make(KIT, 200, 7, tmp_path)
    count = Counter(one.kind for one in items)
    assert len({one.problem for one in items}) == PROBLEMS
    for kind in ENDS:
        assert count[kind] == round(KINDS[kind] * len(items) / 100)
    assert {one.problem for one in items if one.kind == "attack"} == {FLAGSHIP}
    shared: dict[str, set[str]] = defaultdict(set)
    students: Counter[tuple[str, str]] = Counter()
    for one in items:
        if one.kind == "unexplained":
            assert "?" in one.mistakes
            shared[one.problem].add(one.source)
            students[one.problem, one.source] += 1
    assert max(map(len, shared.values())) <= SHARED
    assert max(students.values()) >= 3


@pytest.mark.slow
def test_what_never_returns_is_no_stub(tmp_path: Path) -> None:
    items = [one for one in make(KIT, 42, 7, tmp_path, KIT.names) if one.kind in ENDS and one.path.endswith(".py")]
    assert items
    for one in items:
        assert "NotImplementedError" not in (tmp_path / "class" / one.path).read_text(encoding="utf-8")


def test_the_source_of_each_thing_is_a_file_of_the_kit(tmp_path: Path) -> None:
    def file(one: Item) -> Path:
        return ROOT / re.sub(r"\.txt: .*", ".txt", one.source)

    items = make(KIT, 42, 7, tmp_path)
    assert [one for one in items if not file(one).is_file()] == []
    assert {one.kind for one in items if one.of} == {"copy"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_class_in_one_layout_is_read_as_its_truth_says(tmp_path: Path, layout: str) -> None:
    items = make(KIT, 20, 7, tmp_path, ["rope", FLAGSHIP], (layout,))
    whole = read_class(OnDisk.of(tmp_path / "class"), KIT, KIT.names)
    found, unread = whole.submissions, whole.unread
    assert {(one.student, one.problem, one.path) for one in found} == {
        (one.student, one.problem, one.path) for one in items if one.read
    }
    assert {one.path for one in unread if "earlier attempt" in one.why} == {
        one.path for one in items if one.kind == "earlier"
    }
    roster = read_roster(tmp_path / "roster.csv")
    assert [one.student for one in items if roster.of(one.student) is None] == []


def test_a_notebook_of_several_answers_changes_no_setting(tmp_path: Path) -> None:
    make(KIT, 60, 1, tmp_path, layouts=["notebook"])  # one answer of this class enables 64 bits
    shared = [json.loads(one.read_text()) for one in tmp_path.rglob("homework.ipynb")]
    assert len(shared) > 30
    assert not [
        cell for one in shared if len(one["cells"]) > 4 for cell in one["cells"] if "config.update" in str(cell)
    ]


def test_the_problems_of_a_class_are_the_same_for_the_same_seed() -> None:
    assert chosen(KIT, 6, 7) == chosen(KIT, 6, 7) != chosen(KIT, 6, 8)
    assert chosen(KIT, 1, 7) == [FLAGSHIP]
    assert chosen(KIT, len(KIT.names), 7) == list(KIT.names)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.classroom", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.nightly
def test_the_command(tmp_path: Path) -> None:
    words = ("--students", "3", "--problems", f"rope,{FLAGSHIP}", "--layout", "flat", str(tmp_path / "a"))
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name.split("_", 2)[0] for path in (tmp_path / "a" / "class").iterdir()} == {"student"}
    assert f"class rope {FLAGSHIP}" in done.stdout
    again = run(*words)
    assert (again.returncode, "is not an empty folder" in again.stderr) == (2, True)
    for problems in ("rop", "0", "999"):
        assert "--problems: " in run("--problems", problems, str(tmp_path / "b")).stderr
    assert not (tmp_path / "b").exists()
