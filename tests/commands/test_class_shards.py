"""`class shards`: what is due goes to a cluster as files, and what comes back is recorded."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.journal import Journal
from grader.classroom.outcome import Identity, Outcome, now
from grader.classroom.shard import head, line, read
from grader.commands.class_grade import Asked
from grader.commands.class_record import record_results
from grader.commands.class_shards import write_shards
from grader.kit.kit import Kit, KitError
from grader.marking.verdict import Status, Verdict
from grader.options import Options, Policy
from grader.report.as_json import verdict_to_json
from tests.author import toys
from tests.conftest import document

NAME = "distance_decay"
BOOK = Path("week1.gradebook")


class Room:
    """A class of five in the current folder, and a cluster that runs nothing."""

    def __init__(self, folder: Path) -> None:
        self.kit = Kit(toys.make(folder / "kit"))
        for number in range(5):
            file = folder / "week1" / f"s{number}" / f"{NAME}.py"
            file.parent.mkdir(parents=True)
            file.write_text(f"{toys.ANSWER}# {number}\n")

    def shards(self, out: str, size: int = 2, **changed: Any) -> int:
        asked = Asked(Path("week1"), None, [], [], None, 7)
        return write_shards(Options(self.kit, policy=Policy("best")), replace(asked, **changed), Path(out), size)

    def grade(self, shard: str, results: str, status: Status = Status.CORRECT, *, fault: str = "") -> Path:
        """What `grader shard` prints for a shard."""
        whole = read(Path(shard).read_bytes())
        told = None if fault else verdict_to_json(Verdict(NAME, status, "Said.", confinement="A"))
        outcome = Outcome(told, fault, 1, now())
        lines = [line(Identity(one.digest, one.problem, "", ""), outcome) for one in whole.answers]
        file = Path(results)
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join([head(whole, "A", 1), *lines, json.dumps({"end": len(lines)}), ""]))
        return file


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.chdir(tmp_path)
    return Room(tmp_path)


def record(*results: Path | str, as_json: bool = False) -> int:
    return record_results(BOOK, [Path(one) for one in results], json=as_json, colour=False)


def states() -> list[str]:
    with Journal(BOOK) as journal:
        return [row.verdict["status"] if row.verdict else row.state for row in journal.rows()]


def test_what_is_due_goes_out_in_numbered_files_and_comes_back(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    assert room.shards("out") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "5 answers are due: out/1.json to out/3.json." in said
    assert "python -m grader class record week1.gradebook RESULTS" in said
    files = sorted(Path("out").iterdir())
    assert [file.name for file in files] == ["1.json", "2.json", "3.json"]
    assert [len(read(file.read_bytes()).answers) for file in files] == [2, 2, 1]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}, "they hold what students wrote"
    for number in (1, 2):
        room.grade(f"out/{number}.json", f"results/{number}.jsonl")
    assert record("results") == 0
    said = capsys.readouterr().out
    assert "Recorded: 4." in said
    assert "Due: 1." in said
    assert states() == ["correct"] * 4 + ["due"]
    assert record("results/1.jsonl", as_json=True) == 0
    assert len(document(capsys.readouterr().out)["answers"]) == 5
    assert room.shards("more") == 0
    assert [len(read(file.read_bytes()).answers) for file in Path("more").iterdir()] == [1], "only what is due"


def test_what_is_in_doubt_is_told_and_the_exit_status_says_so(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    Path("week1/homework.py").write_text("x = 1\n")
    assert room.shards("out") == 1
    said = capsys.readouterr()
    assert "In doubt, and so graded for nobody: homework.py." in said.out
    assert "homework.py: its name does not say whose it is" in said.err


def test_nothing_that_is_there_is_overwritten_and_nothing_due_makes_no_folder(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out").mkdir()
    Path("out/mine.txt").write_text("mine")
    Path("link").symlink_to("elsewhere")
    for taken in ("out", "out/mine.txt", "link"):
        with pytest.raises(KitError, match="is there already: give a new or an empty folder for --out"):
            room.shards(taken)
    assert not BOOK.exists()
    room.shards("all", size=9)
    record(room.grade("all/1.json", "1.jsonl"))
    capsys.readouterr()
    assert room.shards("none") == 0
    assert "Nothing is due" in capsys.readouterr().out
    assert not Path("none").exists()
