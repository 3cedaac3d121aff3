"""`class record`: the first record of an answer counts, and what does not belong to the class now is told and skipped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.classroom.journal import Journal
from grader.kit.kit import KitError
from grader.marking.verdict import Status
from tests.commands.test_class_shards import BOOK, NAME, Room, record, states


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.chdir(tmp_path)
    return Room(tmp_path)


def test_the_first_record_counts_and_another_one_is_told(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.shards("out", size=9)
    first = room.grade("out/1.json", "1.jsonl")
    second = room.grade("out/1.json", "2.jsonl", Status.WRONG)
    assert record(first, second, first) == 0
    shown = capsys.readouterr()
    assert "Recorded: 5. Recorded before: 5." in shown.out
    assert len(shown.err.splitlines()) == 5
    assert "correct at first, wrong when graded once more. The first counts." in shown.err
    assert states() == ["correct"] * 5


def test_a_fault_is_no_number_and_a_later_verdict_takes_its_place(room: Room) -> None:
    room.shards("out", size=9)
    assert record(room.grade("out/1.json", "1.jsonl", fault="no process")) == 2
    assert states() == ["fault"] * 5
    assert record("1.jsonl") == 2
    with Journal(BOOK) as journal:
        assert {len(journal.outcomes(one)) for one in journal.identities()} == {1}, "no line is recorded twice"
    assert record(room.grade("out/1.json", "2.jsonl")) == 0
    assert states() == ["correct"] * 5


@pytest.mark.parametrize("change", ["reference", "text", "limit"])
def test_results_of_what_is_no_more_are_told_and_skipped(
    change: str, room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    room.shards("out", size=9)
    results = room.grade("out/1.json", "1.jsonl")
    if change == "reference":
        reference = room.kit.answer(NAME)
        reference.write_text(reference.read_text().replace("4.0", "3.0"))
    elif change == "text":
        for file in Path("week1").glob("*/*.py"):
            file.write_text(f"{file.read_text()}# later\n")
    room.shards("later", **({"fresh": 8} if change == "limit" else {}))
    capsys.readouterr()
    assert record(results) == 0
    (note,) = capsys.readouterr().err.splitlines()
    assert note.startswith("1.jsonl: 5 lines ")
    assert "skipped" in note
    assert states() == ["due"] * 5


def test_old_results_do_not_answer_what_is_graded_again(room: Room) -> None:
    room.shards("out", size=9)
    old = room.grade("out/1.json", "1.jsonl")
    record(old)
    assert room.shards("again", size=9, again=[NAME]) == 0
    assert states() == ["due"] * 5
    record(old)
    assert states() == ["due"] * 5
    record(room.grade("again/1.json", "2.jsonl", Status.WRONG))
    assert states() == ["wrong"] * 5
    with Journal(BOOK) as journal:
        assert journal.being_graded_again() == [], "it is finished, so the next --regrade begins anew"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: data[:-40], "ends early: its shard was stopped, or it still runs"),
        (lambda data: b"", "It holds no results"),
        (lambda data: data.replace(b'"correct"', b'"perfect"'), "is not a verdict as grader/verdict/2 has them"),
        (lambda data: data.replace(b'"confinement": "A", "jobs"', b'"confinement": "none", "jobs"'), "was asked for"),
    ],
)
def test_a_damaged_file_is_told_and_what_is_sound_in_it_counts(
    spoil: Callable[[bytes], bytes], said: str, room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    room.shards("out", size=9)
    file = room.grade("out/1.json", "1.jsonl")
    file.write_bytes(spoil(file.read_bytes()))
    status = record(file)
    assert said in capsys.readouterr().err
    assert (status, states().count("correct")) == ((0, 4) if "early" in said else (0 if "verdict" in said else 2, 0))


def test_a_fault_of_usage_is_one_line_and_makes_nothing(room: Room) -> None:
    Path("1.jsonl").write_text("")
    with pytest.raises(KitError, match="no such gradebook"):
        record("1.jsonl")
    assert not BOOK.exists()
    room.shards("out")
    with pytest.raises(KitError, match="there is no such file"):
        record("nowhere")
    Path("empty").mkdir()
    with pytest.raises(KitError, match=r"no file whose name ends with \.jsonl"):
        record("empty")
