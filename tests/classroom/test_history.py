"""What stood as the verdict on each answer, and what was exported, stays known."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from grader.classroom.database import Unusable
from grader.classroom.journal import Journal
from tests.classroom.test_journal import RIGHT, WRONG, grade, handed_in, told


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / "week1.gradebook", write=True)
    handed_in(journal, ("ana", RIGHT), ("cy", WRONG))
    journal.grades_with("toy", "print 1", "policy 1")
    grade(journal, told("correct"), told("wrong"))
    return journal


def moved(journal: Journal, since: str = "") -> list[tuple[str, str, str, str]]:
    return [(one.student, one.before, one.now, one.why) for one in journal.moves(since)]


def test_each_move_stays_known_with_its_reason(journal: Journal) -> None:
    journal.grades_with("toy", "print 2", "policy 1")
    grade(journal, told("wrong", "half"), told("wrong"))
    handed_in(journal, ("ana", RIGHT), ("cy", RIGHT + "# mine\n"))
    grade(journal, told("correct"))
    journal.grades_with("toy", "print 2", "policy 2")
    grade(journal, told("correct"), told("correct"))
    assert moved(journal) == [
        ("ana", "correct", "wrong: half", "another problem"),
        ("cy", "wrong", "correct", "another answer"),
        ("ana", "wrong: half", "correct", "another way of grading"),
    ]
    ana, cy = journal.rows()
    assert (ana.before and ana.before.diagnosis.names, ana.why) == (("half",), "another way of grading")
    assert (cy.before and cy.before.status, cy.why) == ("wrong", "another answer"), "the first of two changes"


def test_who_hands_in_no_more_has_moved_and_comes_back(journal: Journal) -> None:
    handed_in(journal, ("ana", RIGHT))
    handed_in(journal, ("ana", RIGHT), ("cy", WRONG))
    assert moved(journal) == [
        ("cy", "wrong", "none", "no answer counts any more"),
        ("cy", "none", "wrong", "an answer counts where none did"),
    ]


def test_an_export_is_remembered_also_by_who_only_reads(journal: Journal, tmp_path: Path) -> None:
    journal.__exit__()
    with Journal(journal.path) as reading:
        reading.note_export("csv", tmp_path / "w.csv", {"ana": "1", "cy": "0"})
        (export,) = reading.exports()
    assert (export.format, export.path, export.scores) == ("csv", str(tmp_path / "w.csv"), {"ana": "1", "cy": "0"})
    with Journal(journal.path, write=True) as writing:
        assert moved(writing, export.at) == []
        handed_in(writing, ("ana", RIGHT), ("cy", RIGHT))
        assert moved(writing, export.at) == [("cy", "wrong", "correct", "another answer")]
        with Journal(journal.path) as reading, pytest.raises(Unusable, match="Another process is grading into"):
            reading.note_export("csv", tmp_path / "w.csv", {})


def test_what_is_told_in_it_by_something_else_is_one_line(journal: Journal) -> None:
    journal.settle()
    journal.__exit__()
    with sqlite3.connect(journal.path) as database:
        database.execute("""UPDATE outcome SET verdict = '{"status": "wrong"}'""")
    with Journal(journal.path) as again, pytest.raises(Unusable, match="verdict 1 is none that this grader wrote"):
        again.moves()
