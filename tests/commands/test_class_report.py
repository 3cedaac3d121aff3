"""`class report`: each number is a count of answers, and a page goes to each student."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import cli
from grader.classroom.journal import Journal
from grader.classroom.outcome import Outcome
from grader.classroom.submission import Submission
from grader.commands.class_report import MOST
from tests.classroom.exports.rows import WRONG, json_of
from tests.classroom.test_clusters import raised, wrong

VERDICTS = {
    "ana": json_of(),
    "ben": wrong(),
    "cy": wrong(),
    "dan": wrong(0.7, fails="ff"),
    "eve": WRONG,
    "fay": raised("bad shape (3, 4)"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with Journal(tmp_path / "week1.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in VERDICTS]
        journal.hand_in("/week1", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        due = journal.due(["rope"])
        journal.record((one, Outcome(VERDICTS[text], graded_at="then")) for one, text in due)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_it_says_what_is_wrong_how_often_and_with_whom(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "report", "--no-color"]) == 0
    out = said(capsys)
    for part in (
        "rope 6 answers: 4 wrong, 1 correct, 1 error",
        "half-exponent - 1",
        "2 wrong answers that are not explained in full give the same: ben, cy.",
        "At T=2, row 0: 1.5000 is expected, and 2.0000 given.",
        "1 wrong answer is not explained in full: dan.",
        "1 answer raised: fay. TypeError: bad shape (3, 4)",
        "Cases that alone caught wrong answers, and how many: (2) 2.",
        "Not right yet: ben, cy, dan, eve, fay.",
    ):
        assert part in out, out


def test_a_case_that_caught_nobody_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week2.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in ("ben", "cy")]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        journal.record((one, Outcome(wrong(), graded_at="then")) for one, _ in journal.due(["rope"]))
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    assert "Cases that none of 2 wrong answers failed on: (1)." in said(capsys)


def test_many_students_are_counted(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week2.gradebook", write=True) as journal:
        handed = [Submission(f"s{number}", "rope", f"s{number}/rope.py", "same") for number in range(MOST + 3)]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        journal.record((one, Outcome(wrong(), graded_at="then")) for one, _ in journal.due(["rope"]))
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    assert "and 3 more." in said(capsys)


def test_a_page_goes_to_each_student(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "report", "--pages", "pages", "--feedback", "verdict"]) == 0
    assert "6 pages, one for each student" in said(capsys)
    assert sorted(path.stem for path in (place / "pages").iterdir()) == sorted(VERDICTS)
    assert "| rope | wrong | 0 of 1 |" in (place / "pages" / "ben.md").read_text()
    assert "half" not in (place / "pages" / "eve.md").read_text()
    assert cli.run(["class", "report", "--pages", "pages"]) == 2
