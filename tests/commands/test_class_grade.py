"""`class grade` around the grading: what is read and kept, what is said of it, and the exit status."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader import cli
from grader.classroom.commands import grade as class_grade
from grader.classroom.commands.grade import GradeRequest, grade_class
from grader.classroom.commands.gradebook import show_status
from grader.classroom.journal import Journal
from grader.classroom.late import zone_named
from grader.classroom.plan import PlannedAnswer
from grader.classroom.recognition import ReadAs
from grader.classroom.row import Outcome, now
from grader.kit.kit import Kit, KitError
from grader.marking.verdict import Run, Status, Verdict
from grader.options import Options, Policy
from grader.values.message import NO_MESSAGE
from tests.author import toys
from tests.classroom.exports.rows import verdict_of
from tests.conftest import document

NAME = "distance_decay"
Verdicts = Callable[[PlannedAnswer], Outcome]


def told(status: str) -> Outcome:
    return Outcome(Verdict(NAME, Status(status), NO_MESSAGE, run=Run(confinement="B", processor=1.0)), graded_at=now())


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

    def grade_work(self, _: Any, work: Sequence[PlannedAnswer], jobs: int, __: Any, record: Any, ___: Any) -> None:
        for one in work:
            self.graded.append(one.text)
            record(one.identity, self.give(one))

    def grade(self, *, json: bool = False, **asked: Any) -> int:
        options = Options(self.kit, policy=Policy("best"), json=json, colour=False)
        standard: dict[str, Any] = {
            "folder": Path("week1"), "gradebook": None, "problems": [], "again": False, "jobs": None, "seed": 7,
        }  # fmt: skip
        return grade_class(options, GradeRequest(**{**standard, **asked}))


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
    assert "class moved week1.gradebook shows 2 verdicts that moved, and why." in said(capsys)
    assert room.grade() == 0
    assert "that moved" not in said(capsys), "they moved before"


def test_who_is_gone_is_named(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.grade()
    (room.folder / "ben" / f"{NAME}.py").unlink()
    capsys.readouterr()
    room.grade()
    said = " ".join(capsys.readouterr().out.split())
    assert "No longer read from this folder, and so not counted any more: ben distance_decay." in said


def test_an_exercise_in_a_students_folder_is_neither_graded_nor_told(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = room.folder / "dora" / "problems" / NAME
    clone.mkdir(parents=True)
    (clone / "stub.py").write_text(toys.ANSWER)
    for name in ("practice.py", "practice.2026-11-30-101500.py"):
        (clone / name).write_text(toys.ANSWER.replace("/ 4", "/ 3"))
        (room.folder / "ana" / name).write_text(toys.ANSWER.replace("/ 4", "/ 3"))
    assert room.grade() == 0
    assert not [text for text in room.graded if "/ 3" in text]
    assert "practice" not in capsys.readouterr().out


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
    def interrupted(_: Any, work: Sequence[PlannedAnswer], jobs: int, __: Any, record: Any, ___: Any) -> None:
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
    assert set(document(capsys.readouterr().out)) == {"schema", "gradebook", "problems", "answers", "unread", "gone"}


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


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """All that was printed on standard output, without its line ends."""
    return " ".join(capsys.readouterr().out.split())


def _status(gradebook: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    show_status(Path(gradebook), None, json=False, colour=False)
    return said(capsys)


def standing(gradebook: str = "week1.gradebook") -> dict[str, tuple[str, str]]:
    """Of each student, the file and the folder of the answer that counts."""
    with Journal(Path(gradebook)) as journal:
        return {row.student: (row.path, Path(row.source).name) for row in journal.rows()}


class Sections:
    """Two folders of one class: ben is in both, with another answer in each."""

    BOOK = Path("all.gradebook")

    def __init__(self, room: Room) -> None:
        self.room = room
        for folder, students in (("sec1", ("ana", "ben")), ("sec2", ("ben", "cy"))):
            room.folder = room.folder.parent / folder
            for student in students:
                room.hand_in(student, f"{toys.ANSWER}# {student} {folder}\n")

    def grade(self, folder: str, **asked: Any) -> int:
        return self.room.grade(folder=Path(folder), gradebook=self.BOOK, **asked)


@pytest.fixture
def sections(room: Room) -> Sections:
    return Sections(room)


def test_an_answer_is_not_replaced_by_one_of_another_folder_unless_it_is_said(
    sections: Sections, capsys: pytest.CaptureFixture[str]
) -> None:
    sections.grade("sec1")
    with pytest.raises(KitError) as raised:
        sections.grade("sec2")
    (line,) = str(raised.value).splitlines()
    parts = (f"nothing was changed: ben {NAME}. One is in /", "/sec2, and one in /", "/sec1. ", "add --replace")
    assert all(part in line for part in parts), line
    assert standing("all.gradebook").keys() == {"ana", "ben"}, "nothing of the second folder was read"
    capsys.readouterr()
    assert sections.grade("sec2", replacing=True) == 0
    assert f"Replaced, as --replace says: ben {NAME}: ben/{NAME}.py of" in said(capsys)
    assert standing("all.gradebook")["ben"][1] == "sec2"
    for folder in ("sec1", "sec2"):
        listed = _status("all.gradebook", capsys).replace(" ", "")  # a long path goes on in the next line
        assert f"/sec1to{NAME}:ben/{NAME}.pyof" in listed
        assert sections.grade(folder) == 0, "graded again and again, no question is asked twice"
        assert standing("all.gradebook") == {
            name: (f"{name}/{NAME}.py", of) for name, of in (("ana", "sec1"), ("ben", "sec2"), ("cy", "sec2"))
        }


def test_sections_that_share_no_student_need_no_word(sections: Sections) -> None:
    shutil.rmtree(sections.room.folder / "ben")
    assert sections.grade("sec1") == 0
    assert sections.grade("sec2") == 0
    assert standing("all.gradebook").keys() == {"ana", "ben", "cy"}


class Downloads:
    """Two downloads of Canvas: ana handed in again before the newer one, with a wrong answer; ben did not."""

    NEWER, OLDER = "newer", "older"

    def __init__(self, room: Room) -> None:
        self.room, self.wrong = room, toys.ANSWER.replace("/ 4", "/ 2")
        self.put(self.OLDER, f"oneana_101_9001_{NAME}.py", toys.ANSWER)
        self.put(self.NEWER, f"oneana_101_9005_{NAME}-1.py", self.wrong)
        for folder in (self.OLDER, self.NEWER):
            self.put(folder, f"twobo_102_9002_{NAME}.py", toys.ANSWER)

    def put(self, folder: str, name: str, text: str) -> None:
        (self.room.folder.parent / folder).mkdir(exist_ok=True)
        (self.room.folder.parent / folder / name).write_text(text)

    def grade(self, folder: str, **asked: Any) -> int:
        return self.room.grade(folder=Path(folder), gradebook=Path("all.gradebook"), **asked)

    def counts(self) -> str:
        return standing("all.gradebook")["101"][0]


@pytest.fixture
def downloads(room: Room) -> Downloads:
    return Downloads(room)


@pytest.mark.parametrize("order", [("older", "newer"), ("newer", "older"), ("newer", "older", "newer", "older")])
def test_the_later_attempt_counts_in_whichever_order_downloads_are_graded(
    order: Sequence[str], downloads: Downloads, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in order:
        assert downloads.grade(folder) == 0
    assert downloads.counts() == f"oneana_101_9005_{NAME}-1.py"
    assert f"oneana_101_9001_{NAME}.py: another attempt at {NAME}: oneana_101_9005" in said(capsys)


def test_an_older_download_unpacked_over_a_newer_one_brings_no_old_attempt_back(
    downloads: Downloads, room: Room
) -> None:
    for folder in (downloads.NEWER, downloads.OLDER):
        (room.folder.parent / folder).rename("unpacked")
        assert downloads.grade("unpacked") == 0
        Path("unpacked").rename(folder)
    assert downloads.counts() == f"oneana_101_9005_{NAME}-1.py"


@pytest.mark.parametrize(("rule", "counts"), [("best", "9001"), ("last", "9005"), ("last on time", "9005")])
def test_the_points_file_says_which_attempt_counts_and_the_gradebook_keeps_it(
    rule: str, counts: str, downloads: Downloads, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("points.toml").write_text(f'attempt = "{rule}"\n')
    downloads.grade("older", points="points.toml")
    assert downloads.grade("newer") == 0
    assert f"_{counts}_" in downloads.counts()
    assert (f'the rule "{rule}" says which counts' in (printed := said(capsys))) == (rule != "last")
    if rule == "best":
        assert f"another attempt at {NAME}: oneana_101_9001_{NAME}.py of" in printed
        Path("points.toml").write_text('attempt = "last"\n')
        assert downloads.grade("newer", points="points.toml") == 0
        assert "_9005_" in downloads.counts()


def test_for_the_best_all_attempts_of_one_download_are_graded(room: Room, downloads: Downloads) -> None:
    downloads.put("newer", f"oneana_101_9001_{NAME}.py", toys.ANSWER)
    downloads.put("newer", f"threecy_103_9003_{NAME}.py", downloads.wrong + "# one\n")
    downloads.put("newer", f"threecy_103_9007_{NAME}-1.py", downloads.wrong + "# two\n")
    Path("points.toml").write_text('attempt = "best"\n')
    downloads.grade("newer", points="points.toml")
    assert len(room.graded) == 4
    assert {who: path.split("_")[2] for who, (path, _) in standing("all.gradebook").items()} == {
        "101": "9001", "102": "9002", "103": "9007",
    }  # fmt: skip


def test_a_partial_download_is_refused_and_changes_nothing_unless_it_is_said(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    room.grade()
    for student in ("ana", "ben"):
        shutil.rmtree(room.folder / student)
    with pytest.raises(KitError, match=r"of the 3 answers that were read from it before, 2 are not in it now: ana"):
        room.grade()
    assert standing().keys() == {"ana", "ben", "cy"}
    capsys.readouterr()
    assert room.grade(fewer=True) == 0
    gone = f"ana {NAME}, ben {NAME}."
    assert f"No longer read from this folder, and so not counted any more: {gone}" in said(capsys)
    for _ in range(2):
        show_status(Path("week1"), None, json=False, colour=False)
        assert f"No longer read, and so not counted any more: {gone}" in said(capsys), "it is told again and again"
    assert room.grade(json=True) == 0
    assert [one["student"] for one in document(capsys.readouterr().out)["gone"]] == ["ana", "ben"]
    room.hand_in("ana", toys.ANSWER)
    room.grade()
    with Journal(Path("week1.gradebook")) as journal:
        assert journal.notes() == [f"No longer read, and so not counted any more: ben {NAME}."]


def test_the_roster_is_remembered_and_told_where_it_changed_or_is_gone(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("people.csv").write_text("id\nana\nben\ndan\n")
    room.grade(roster=Path("people.csv"))
    told = capsys.readouterr().err
    assert "without any answer here: dan." in told
    room.grade()
    assert capsys.readouterr().err == told, "without being told again"
    Path("people.csv").write_text("id\nana\nben\ncy\n")
    room.grade()
    printed = capsys.readouterr().err
    assert "people.csv has changed since the last `class grade`: it counts as it is now." in printed
    assert "Matched with the roster: 3" in printed
    room.grade()
    assert "has changed" not in capsys.readouterr().err
    Path("people.csv").unlink()
    room.grade()
    assert "The roster of the last `class grade` cannot be read. Give --roster FILE." in capsys.readouterr().err


def test_teams_stay_teams_without_being_told_again(room: Room) -> None:
    room.folder = room.folder.parent / "week2"
    room.hand_in("red_4711_assignsubmission_file_", toys.ANSWER)
    Path("people.csv").write_text("id,group\nana,red\ndan,red\n")
    asked: dict[str, Any] = {"folder": Path("week2"), "gradebook": Path("teams.gradebook")}
    room.grade(**asked, roster=Path("people.csv"), teams=True)
    assert standing("teams.gradebook").keys() == {"ana", "dan"}
    room.grade(**asked)
    assert standing("teams.gradebook").keys() == {"ana", "dan"}
    Path("people.csv").unlink()
    with pytest.raises(KitError, match="Teams handed in, and nothing says who is in each: give --roster FILE"):
        room.grade(**asked)


def test_what_could_not_be_graded_is_in_doubt_also_for_status(room: Room) -> None:
    (room.folder / "dan").mkdir()
    (room.folder / "dan" / f"{NAME}.py").write_bytes(b"\xff\xfe")
    assert room.grade() == 1
    assert show_status(Path("week1"), None, json=False, colour=False) == 1
    (room.folder / "dan" / f"{NAME}.py").write_text(toys.ANSWER)
    assert room.grade() == 0
    assert show_status(Path("week1"), None, json=False, colour=False) == 0


def test_an_attempt_that_cannot_be_read_may_be_the_best(downloads: Downloads) -> None:
    downloads.put("newer", f"twobo_102_9006_{NAME}-1.py", "")
    downloads.put("newer", f"oneana_101_9007_{NAME}-2.py", "")
    Path("points.toml").write_text('attempt = "best"\n')
    assert downloads.grade("newer", points="points.toml") == 1
    with Journal(Path("all.gradebook")) as journal:
        doubts = [one.path for one in journal.unread() if one.doubt]
    assert doubts == [f"oneana_101_9007_{NAME}-2.py"], "102 has all points, and can have no more"


def test_replace_lets_the_first_folder_count_again(sections: Sections, capsys: pytest.CaptureFixture[str]) -> None:
    sections.grade("sec1")
    sections.grade("sec2", replacing=True)
    capsys.readouterr()
    assert sections.grade("sec1", replacing=True) == 0
    assert f"Replaced, as --replace says: ben {NAME}: ben/{NAME}.py of" in said(capsys)
    assert standing("all.gradebook")["ben"][1] == "sec1"


def whole(work: PlannedAnswer) -> Outcome:
    """A verdict that has all that an export reads."""
    return Outcome(verdict_of(Status.CORRECT if "/ 4" in work.text else Status.WRONG), graded_at=now())


def export(*options: str) -> int:
    return cli.run(["class", "export", "all.gradebook", "csv", "-o", "out.csv", "--force", *options])


def outcome_of(student: str) -> str:
    with open("out.csv", encoding="utf-8", newline="") as file:
        return next(line["outcome"] for line in csv.DictReader(file) if line["student"] == student)


def test_an_export_with_other_points_chooses_the_attempt_by_them_and_says_so(
    downloads: Downloads, capsys: pytest.CaptureFixture[str]
) -> None:
    downloads.room.give = whole
    downloads.put("newer", f"oneana_101_9001_{NAME}.py", toys.ANSWER)
    Path("hand.toml").write_text(f'attempt = "best"\n[by_hand.101]\n{NAME} = 7\n')
    downloads.grade("newer", points="hand.toml")
    Path("best.toml").write_text('attempt = "best"\n')
    assert export("--points", "best.toml") == 0
    assert outcome_of("101") == "correct"
    Path("wrong.toml").write_text('points = "wrong=1"\n')
    capsys.readouterr()
    assert export("--points", "wrong.toml") == 0
    assert outcome_of("101") == "wrong"
    assert f"is another one by these points than by those of `class grade`: 101 {NAME}." in " ".join(
        capsys.readouterr().err.split()
    )


def test_another_due_chooses_another_last_on_time_without_grading_again(room: Room) -> None:
    room.give = whole
    folder = room.folder.parent / "newer"
    folder.mkdir()
    for day, text in (("01", toys.ANSWER), ("03", toys.ANSWER.replace("/ 4", "/ 2"))):
        (folder / f"Week 1_ana_attempt_2026-03-{day}-12-00-00_{NAME}.py").write_text(text)
    Path("due.toml").write_text('attempt = "last on time"\ndue = 2026-03-02T12:00:00Z\n')
    how = ReadAs(zone=zone_named("UTC"))
    assert room.grade(folder=Path("newer"), gradebook=Path("all.gradebook"), points="due.toml", how=how) == 0
    assert export() == 0
    assert outcome_of("ana") == "correct"
    assert export("--due", "2026-03-04T12:00:00Z") == 0
    assert outcome_of("ana") == "wrong"


def test_a_zone_that_was_given_is_used_again_and_a_line_says_so(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    folder = room.folder.parent / "newer"
    folder.mkdir()
    (folder / f"Week 1_ana_attempt_2026-03-01-12-00-00_{NAME}.py").write_text(toys.ANSWER)
    (folder / f"Week 1_ben_attempt_2026-03-01-12-00-00_{NAME}.py").write_text(toys.ANSWER)
    book: dict[str, Any] = {"folder": Path("newer"), "gradebook": Path("all.gradebook")}
    room.grade(**book, how=ReadAs(zone=zone_named("America/New_York")))
    assert "which --zone said before" not in said(capsys)
    room.grade(**book)
    assert "count as of America/New_York, which --zone said before." in said(capsys)
    with Journal(Path("all.gradebook")) as journal:
        assert {row.submitted for row in journal.rows()} == {"2026-03-01T17:00:00+00:00"}


def test_by_the_last_on_time_an_attempt_behind_one_that_cannot_be_read_is_listed(downloads: Downloads) -> None:
    downloads.put("newer", f"twobo_102_9006_{NAME}-1.py", "def f(:")
    (downloads.room.folder.parent / "newer" / f"twobo_102_9006_{NAME}-1.py").write_bytes(b"\xff\xfe")
    Path("points.toml").write_text('attempt = "last on time"\n')
    assert downloads.grade("newer", points="points.toml") == 1
    with Journal(Path("all.gradebook")) as journal:
        assert {one.path for one in journal.unread()} == {
            f"twobo_102_9002_{NAME}.py", f"twobo_102_9006_{NAME}-1.py",
        }  # fmt: skip


def test_by_the_last_on_time_no_attempt_is_listed_twice(downloads: Downloads) -> None:
    downloads.put("newer", f"oneana_101_9001_{NAME}.py", toys.ANSWER)
    downloads.put("newer", f"oneana_101_9005_{NAME}-1.py", downloads.room.kit.stub(NAME).read_text())
    Path("points.toml").write_text('attempt = "last on time"\n')
    assert downloads.grade("newer", points="points.toml") == 0
    with Journal(Path("all.gradebook")) as journal:
        assert [one.path for one in journal.unread()] == [f"oneana_101_9001_{NAME}.py"]


def test_where_a_late_mark_may_be_on_time_the_sum_is_not_known(
    downloads: Downloads, capsys: pytest.CaptureFixture[str]
) -> None:
    downloads.room.give = whole
    downloads.put("newer", f"threecy_103_9003_{NAME}.py", downloads.wrong)
    downloads.put("newer", f"threecy_LATE_103_9007_{NAME}-1.py", toys.ANSWER)
    Path("points.toml").write_text('attempt = "last on time"\ngrace = "15 minutes"\n')
    assert downloads.grade("newer", points="points.toml") == 1
    assert "2 attempts at distance_decay, and nothing tells which of them counts, since one is marked" in said(capsys)
    assert export() == 1
    assert "The sum of 103 is not known." in " ".join(capsys.readouterr().err.split())
    Path("hand.toml").write_text(f"[by_hand.103]\n{NAME} = 1\n")
    export("--points", "hand.toml")
    assert "The sum of 103" not in " ".join(capsys.readouterr().err.split())


def test_points_that_take_the_place_of_others_say_what_counts_no_more(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    file = 'points = "correct=2"\nlate = "20%"\n[problems]\ndistance_decay = "correct=3"\n[excused]\nana = true\n'
    Path("points.toml").write_text(file)
    room.grade(points="points.toml")
    assert "takes the place" not in capsys.readouterr().err
    room.grade(points="correct=2")
    told = " ".join(capsys.readouterr().err.split())
    assert (
        "--points correct=2 takes the place of all points that were kept, and does not say: late, excused, problems."
        in told
    )
    room.grade(points="correct=2")
    assert "takes the place" not in capsys.readouterr().err


def test_where_the_points_cannot_be_kept_nothing_is(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.grade()
    room.hand_in("dan", toys.ANSWER)
    monkeypatch.setattr(class_grade, "points_text", lambda _: "points = 7")
    with pytest.raises(KitError, match="points is not as it should be"):
        room.grade(points="correct=2")
    with Journal(Path("week1.gradebook")) as journal:
        assert [row.student for row in journal.rows()] == ["ana", "ben", "cy"]
        assert journal.setting("points") is None
