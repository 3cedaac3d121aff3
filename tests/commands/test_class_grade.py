"""`class grade` around the grading: what is read and kept, what is said of it, and the exit status."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.journal import Journal
from grader.classroom.outcome import Outcome, now
from grader.classroom.plan import Work
from grader.commands import class_grade
from grader.commands.class_grade import Asked, grade_class
from grader.kit.kit import Kit, KitError
from grader.options import Options, Policy
from tests.author import toys
from tests.conftest import document

NAME = "distance_decay"
Verdicts = Callable[[Work], Outcome]


def told(status: str) -> Outcome:
    return Outcome({"status": status, "pitfalls": [], "confinement": "B", "processor_seconds": 1.0}, graded_at=now())


class Room:
    """A class of three, and what grading one text gives."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kit = Kit(toys.make(folder / "kit"))
        self.folder = folder / "week1"
        self.graded: list[str] = []
        self.give: Verdicts = lambda work: told("correct" if "/ 4" in work.text else "wrong")
        for student, text in (("ana", toys.ANSWER), ("ben", toys.ANSWER), ("cy", toys.ANSWER.replace("/ 4", "/ 2"))):
            self.hand_in(student, text)
        monkeypatch.chdir(folder)
        monkeypatch.setattr(class_grade, "grade_work", self.grade_work)

    def hand_in(self, student: str, text: str) -> None:
        (self.folder / student).mkdir(parents=True, exist_ok=True)
        (self.folder / student / f"{NAME}.py").write_text(text)

    def grade_work(self, _: Any, work: Sequence[Work], jobs: int, __: Any, record: Any, ___: Any) -> None:
        for one in work:
            self.graded.append(one.text)
            record(one.identity, self.give(one))

    def grade(self, *, json: bool = False, **asked: Any) -> int:
        options = Options(self.kit, policy=Policy("best"), json=json, colour=False)
        standard: dict[str, Any] = {"gradebook": None, "problems": [], "again": False, "jobs": None, "seed": 7}
        return grade_class(options, Asked(Path("week1"), **{**standard, **asked}))


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(tmp_path, monkeypatch)


def test_after_grading_it_says_how_the_class_stands_and_what_is_next(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    assert room.grade() == 0
    assert len(room.graded) == 2
    out = capsys.readouterr().out
    assert out.splitlines()[1].split() == [NAME, "2", "1", "3"]
    assert "Confined: tier B." in out
    assert "Kept in week1.gradebook." in out
    assert "Next: python -m grader class report week1.gradebook" in out
    assert room.grade() == 0
    assert len(room.graded) == 2


def test_a_fault_is_told_with_what_to_do_and_is_no_success(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.give = lambda work: Outcome(None, "no process", 3, now())
    assert room.grade() == 2
    out = capsys.readouterr().out
    assert "cy, distance_decay: no process" in out
    assert "it tries 3 again" in " ".join(out.split())
    assert "Confined" not in out, "nothing ran"


def test_verdicts_that_moved_are_the_next_thing_to_look_at(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.grade()
    room.give = lambda work: told("wrong")
    capsys.readouterr()
    assert room.grade(again=True) == 0
    assert "class report week1.gradebook shows 2 verdicts that moved." in " ".join(capsys.readouterr().out.split())


def test_who_is_gone_is_named(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.grade()
    (room.folder / "ben" / f"{NAME}.py").unlink()
    capsys.readouterr()
    room.grade()
    said = " ".join(capsys.readouterr().out.split())
    assert "No longer read from this folder, and so not counted any more: ben distance_decay." in said


def test_the_document_is_the_only_thing_on_standard_output(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    assert room.grade(json=True) == 0
    whole = document(capsys.readouterr().out)
    assert [one["outcome"] for one in whole["answers"]] == ["correct", "correct", "wrong"]


def test_the_seed_is_kept_for_the_class(room: Room) -> None:
    room.grade()
    room.grade(seed=None)
    assert len(room.graded) == 2
    room.grade(seed=8)
    assert len(room.graded) == 4
    with Journal(Path("week1.gradebook")) as journal:
        assert journal.setting("fresh") == "8"


def test_only_what_was_asked_for_is_graded(room: Room) -> None:
    toys.make(room.kit.root, "other_decay")
    (room.folder / "ana" / "other_decay.py").write_text(toys.ANSWER.replace(NAME, "other_decay"))
    room.grade(problems=["other_decay"], gradebook=Path("mine.sqlite"))
    assert len(room.graded) == 1
    assert not Path("week1.gradebook").exists()
    with Journal(Path("mine.sqlite")) as journal:
        assert journal.problems() == ["other_decay"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"problems": ["distance_decai"]}, "There is no problem"),
        ({"gradebook": Path("none/x")}, "the folder none does not exist"),
    ],
)
def test_a_fault_of_usage_ends_it_before_anything_is_made(asked: dict[str, Any], said: str, room: Room) -> None:
    with pytest.raises(KitError, match=said):
        room.grade(**asked)
    assert not Path("week1.gradebook").exists()


def test_ctrl_c_says_how_many_are_kept(
    room: Room, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: Any, work: Sequence[Work], jobs: int, __: Any, record: Any, ___: Any) -> None:
        record(work[0].identity, told("correct"))
        raise KeyboardInterrupt

    monkeypatch.setattr(class_grade, "grade_work", interrupted)
    with pytest.raises(KeyboardInterrupt):
        room.grade()
    assert "Stopped. 1 of 2 are done and kept" in capsys.readouterr().err


def test_the_roster_says_who_is_missing_and_who_is_nobody(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    Path("people.csv").write_text("id,name\nana,Ana García\nben,Ben\ndan,Dan\neve,Eve\n", encoding="utf-8")
    assert room.grade(roster=Path("people.csv")) == 0
    said = capsys.readouterr()
    assert said.err == (
        'Matched with the roster: 2 by "id".\nNot in the roster: cy (no value of it is this id).\n'
        "In the roster, and without any answer here: dan, eve.\n"
    )
    assert "García" not in said.out + said.err
    assert room.grade(roster=Path("people.csv"), json=True) == 0
    assert set(document(capsys.readouterr().out)) == {"schema", "gradebook", "problems", "answers", "unread"}


def test_the_reason_is_told_for_each_student_of_moodle(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.folder.rename("old")
    for student in ("Ana Abe_7", "Team A_8", "Zoe_9"):
        room.hand_in(student, toys.ANSWER)
    Path("people.csv").write_text("Identifier,Full name\nParticipant 7,Ana Abe\nParticipant 8,Ben\n")
    room.grade(roster=Path("people.csv"))
    assert capsys.readouterr().err == (
        "Matched with the roster: 1 by participant number and name.\n"
        "Not in the roster: Team A_8 (this number is there that of a participant with another name).\n"
        "Not in the roster: Zoe_9 (it has no participant of this number: it may be the list of another assignment).\n"
        "In the roster, and without any answer here: Participant 8.\n"
    )


def test_a_roster_that_cannot_be_read_is_told_before_any_work(room: Room) -> None:
    Path("people.csv").write_text("name\nAna\n")
    with pytest.raises(KitError, match=r"people\.csv, line 1: no column names the students"):
        room.grade(roster=Path("people.csv"))
    assert room.graded == []
    assert not Path("week1.gradebook").exists()
