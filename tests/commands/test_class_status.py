"""How a class stands, in tables: every number is that of the gradebook, and what is no verdict is not counted as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.commands.gradebook import MOST_LINES, show_status
from grader.classroom.journal import Journal
from grader.classroom.row import Outcome
from grader.classroom.submission import Submission, Unread
from grader.marking.verdict import Diagnosis, Named, Run, Status, Verdict
from grader.values.message import NO_MESSAGE
from tests.conftest import document


def verdict(status: str, *pitfalls: str) -> Outcome:
    diagnosis = Diagnosis(tuple(Named(name, NO_MESSAGE, NO_MESSAGE) for name in pitfalls))
    return Outcome(
        Verdict("rope", Status(status), NO_MESSAGE, diagnosis=diagnosis, run=Run(confinement="A")), graded_at="then"
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Four answers to `rope`: right, wrong, a fault, one that is due. Then the problem changed, and the first two moved."""
    (tmp_path / "week1").mkdir()
    path = tmp_path / "week1.gradebook"
    texts = ["ana", "ben", "cy", "dan\x1b[31m"]
    with Journal(path, write=True) as journal:
        journal.hand_in("/week1", ["rope"], [Submission(one, "rope", f"{one}/rope.py", one) for one in texts], [])
        first = [verdict("correct"), verdict("wrong", "half-exponent"), verdict("wrong"), verdict("wrong")]
        second = [verdict("timeout"), verdict("wrong", "off-by-one"), Outcome(None, "no process", 3)]
        for count, outcomes in enumerate((first, second)):
            journal.grades_with("rope", f"print {count}", "policy")
            work = [identity for identity, _ in journal.due(["rope"])]
            journal.record(zip(work, outcomes, strict=False))
    return path


def test_the_table_has_a_column_for_what_there_is(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_status(place, None, json=False, colour=False) == 0
    header, row, *rest = capsys.readouterr().out.splitlines()
    assert header.split() == ["problem", "right", "wrong", "timeout", "fault", "due", "answers"]
    assert row.split() == ["rope", "-", "1", "1", "1", "1", "4"]
    assert "cy, rope: no process" in "\n".join(rest)


def test_the_folder_means_its_gradebook(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show_status(place, None, json=False, colour=False)
    by_file = capsys.readouterr().out
    show_status(place.with_suffix(""), None, json=False, colour=False)
    assert capsys.readouterr().out == by_file


def test_of_an_empty_gradebook_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal(tmp_path / "x.gradebook", write=True).__exit__()
    show_status(tmp_path / "x.gradebook", None, json=False, colour=False)
    assert "No answer was read." in capsys.readouterr().out


def test_the_document_has_every_answer(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show_status(place, None, json=True, colour=False)
    whole = document(capsys.readouterr().out)
    assert [one["outcome"] for one in whole["answers"]] == ["timeout", "wrong", "fault", "due"]
    assert [one["moved"] for one in whole["answers"]] == [True, True, False, False]
    assert whole["answers"][2]["before"] == {"outcome": "wrong", "pitfalls": []}


def test_of_a_long_list_the_rest_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.gradebook"
    with Journal(path, write=True) as journal:
        journal.hand_in("/x", [], [], [Unread(f"{n:02}.txt\x1b[2J", "what is it?") for n in range(MOST_LINES + 3)])
    show_status(path, None, json=False, colour=False)
    out = capsys.readouterr().out
    assert out.count("what is it?") == MOST_LINES
    assert "and 3 more" in out
    assert "\x1b" not in out
