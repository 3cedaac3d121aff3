"""The gradebook: every outcome stays, only current ones count, equal texts share one, and rows say what was before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.database import Unusable
from grader.classroom.history import NO_MORE
from grader.classroom.journal import Journal
from grader.classroom.points import Points, parsed
from grader.classroom.roster import read_roster
from grader.classroom.row import Identity, Outcome, Row
from grader.classroom.submission import Submission, Unread, UploadNumber
from grader.kit.kit import KitError
from grader.kit.notebook_verdict import CellOrigin
from grader.marking.verdict import Diagnosis, Frame, Insight, Named, Raised, Run, Status, Verdict
from grader.values.message import NO_MESSAGE, lines_field, message, verbatim

RIGHT, WRONG = "def toy(seed):\n    return 1\n", "def toy(seed):\n    return 2\n"


def verdict(status: str, *pitfalls: str) -> Verdict:
    diagnosis = Diagnosis(tuple(Named(name, NO_MESSAGE, NO_MESSAGE) for name in pitfalls))
    return Verdict("toy", Status(status), verbatim("It is so."), "toy.py", diagnosis, run=Run(processor=0.5))


def told(status: str, *pitfalls: str, at: str = "then") -> Outcome:
    return Outcome(verdict(status, *pitfalls), graded_at=at, seconds=1.0, peak=5)


def fault(line: str) -> Outcome:
    return Outcome(None, line, 3, "then")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Ana and Ben handed in the same text to `toy`, and Cy another, with a time."""
    journal = Journal(tmp_path / "week1.gradebook", write=True)
    handed_in(journal, ("ana", RIGHT), ("ben", RIGHT), ("cy", WRONG))
    journal.grades_with("toy", "print 1", "policy 1")
    return journal


def handed_in(journal: Journal, *texts: tuple[str, str], folder: str = "/week1", problem: str = "toy") -> Any:
    submissions = [Submission(student, problem, f"{student}/{problem}.py", text, "10:00") for student, text in texts]
    return journal.hand_in(folder, [problem], submissions, [], fewer=True).gone


def due(journal: Journal) -> list[Identity]:
    return [identity for identity, _ in journal.due(["toy"])]


def grade(journal: Journal, *outcomes: Outcome) -> list[Identity]:
    """Record outcomes for what is due, in order. Returns what they are of."""
    of = due(journal)
    journal.record(zip(of, outcomes, strict=True))
    return of


def standing(journal: Journal) -> list[tuple[str, str, str | None, str | None]]:
    return [
        (row.student, row.state, row.verdict and row.verdict.status, row.before and row.before.status)
        for row in journal.rows()
    ]


def test_equal_texts_are_due_once_and_the_verdict_is_that_of_each_file(journal: Journal) -> None:
    (first, text), (second, _) = journal.due(["toy"])
    assert (first.problem, first.fingerprint, first.policy, text) == ("toy", "print 1", "policy 1", RIGHT)
    assert second.digest != first.digest
    assert journal.due(["another"]) == []
    journal.record([(first, told("correct"))])
    rows = journal.rows()
    assert [(row.student, row.state) for row in rows] == [("ana", "verdict"), ("ben", "verdict"), ("cy", "due")]
    assert [row.verdict and row.verdict.file for row in rows] == ["ana/toy.py", "ben/toy.py", None]
    assert rows[0] == Row(
        "ana", "toy", "ana/toy.py", first.digest, "10:00", "verdict", replace(verdict("correct"), file="ana/toy.py"),
        graded_at="then", source="/week1", read_at=rows[0].read_at,
    )  # fmt: skip
    assert due(journal) == [second]


def test_a_fault_is_no_verdict_and_is_due_again(journal: Journal) -> None:
    of = grade(journal, fault("no memory"), told("wrong"))
    assert [(row.student, row.state, row.verdict is None, row.fault) for row in journal.rows()] == [
        ("ana", "fault", True, "no memory"),
        ("ben", "fault", True, "no memory"),
        ("cy", "verdict", False, ""),
    ]
    assert due(journal) == of[:1]
    journal.record([(of[0], told("correct"))])
    assert standing(journal)[0] == ("ana", "verdict", "correct", None)


def test_after_the_problem_changed_old_verdicts_are_those_before(journal: Journal) -> None:
    grade(journal, told("correct"), told("wrong"))
    journal.grades_with("toy", "print 2", "policy 1")
    assert standing(journal)[::2] == [("ana", "due", None, "correct"), ("cy", "due", None, "wrong")]
    grade(journal, told("correct"), fault("ended"))
    assert standing(journal)[::2] == [("ana", "verdict", "correct", "correct"), ("cy", "fault", None, "wrong")]


def test_back_at_an_earlier_problem_its_verdicts_count_again(journal: Journal) -> None:
    grade(journal, told("correct"), told("wrong"))
    journal.grades_with("toy", "print 2", "policy 1")
    grade(journal, told("wrong"), told("wrong"))
    journal.grades_with("toy", "print 1", "policy 1")
    assert due(journal) == []
    assert standing(journal)[0] == ("ana", "verdict", "correct", "wrong")


def test_the_verdict_on_another_text_of_a_student_is_the_one_before(journal: Journal) -> None:
    grade(journal, told("correct"), told("wrong"))
    handed_in(journal, ("ana", RIGHT), ("ben", RIGHT), ("cy", "def toy(seed):\n    return 3\n"))
    assert standing(journal)[2] == ("cy", "due", None, "wrong")
    grade(journal, told("correct"))
    assert [(row.student, row.why) for row in journal.rows() if row.why] == [("cy", "another answer")]


def test_graded_again_everything_is_due_once_and_an_interrupted_one_goes_on(journal: Journal) -> None:
    grade(journal, told("correct"), told("wrong"))
    journal.grade_again("toy")
    of = due(journal)
    assert len(of) == 2
    journal.record([(of[0], told("correct", at="later"))])
    journal.grade_again("toy")  # the same command, after a kill
    assert due(journal) == of[1:]
    journal.record([(of[1], told("correct"))])
    assert standing(journal)[2] == ("cy", "verdict", "correct", "wrong")
    journal.graded_again("toy")
    journal.grade_again("toy")
    assert due(journal) == of


def test_nothing_is_gone_while_somebody_s_files_are_in_doubt(journal: Journal) -> None:
    submission = Submission("ana", "toy", "ana/toy.py", "x = 1\n")
    journal.hand_in("/week1", ["toy"], [submission], [], fewer=True)
    journal.grades_with("toy", "f", "p")
    assert journal.hand_in("/week1", ["toy"], [], [Unread("toy.py", "whose?", doubt=True)]).gone == [("ana", "toy")]
    assert [row.student for row in journal.rows()] == ["ana"]
    of_another = Unread("bo/toy.py", "which of two?", doubt=True, student="bo", problem="toy")
    assert journal.hand_in("/week1", ["toy"], [], [of_another], fewer=True).gone == [("ana", "toy")]
    assert journal.rows() == []


def test_of_a_class_that_is_in_doubt_as_a_whole_it_is_said_that_older_answers_count(journal: Journal) -> None:
    open_ = Unread("bo/toy.py", "which of two?", doubt=True, student="bo", problem="toy")
    journal.hand_in("/week9", ["toy"], [Submission("zoe", "toy", "zoe/toy.py", "x = 1\n")], [open_])
    journal.grades_with("toy", "f", "p")
    assert journal.notes() == []
    whole = Unread(".", "an upload twice", doubt=True)
    for _ in range(2):
        journal.hand_in("/week9", ["toy"], [], [whole])
        assert journal.unread() == [whole, open_], "the sum of bo is not known yet"
        assert journal.notes() == ["Not read now, and still counted as long as something is in doubt: zoe toy."]
    journal.hand_in("/week9", ["toy"], [Submission("zoe", "toy", "zoe/toy.py", "x = 1\n")], [])
    assert (journal.unread(), journal.notes()) == ([], [])


def test_an_earlier_attempt_that_is_graded_is_no_doubt_by_the_rule_of_the_best(journal: Journal) -> None:
    late, early = (
        Submission("zoe", "toy", f"zoe/{at}.py", f"x = {at}\n", attempt=UploadNumber(at, at)) for at in (2, 1)
    )
    line = Unread(early.path, "a stub is later", student="zoe", problem="toy")
    journal.hand_in("/week9", ["toy"], [late], [line], others=[early])
    journal.grades_with("toy", "f", "p")
    assert not any(one.doubt for one in journal.unread(Points(parsed("correct=1"), attempt="best")))
    journal.hand_in("/week9", ["toy"], [late], [replace(line, path="zoe/0.py")], others=[early])
    assert any(one.doubt for one in journal.unread(Points(parsed("correct=1"), attempt="best")))


def test_what_is_gone_from_its_folder_counts_no_more_but_stays_known(journal: Journal) -> None:
    grade(journal, told("correct"), told("wrong"))
    handed_in(journal, ("dan", RIGHT), folder="/week2", problem="rope")
    assert handed_in(journal, ("ana", RIGHT)) == [("ben", "toy"), ("cy", "toy")]
    assert (journal.problems(), [row[0] for row in standing(journal)]) == (["rope", "toy"], ["ana"])
    handed_in(journal, ("ana", RIGHT), ("cy", WRONG))
    assert due(journal) == []


def test_what_was_not_read_is_that_of_the_last_time(journal: Journal) -> None:
    journal.hand_in("/week1", [], [], [Unread("b.txt", "no"), Unread("a.txt", "why")])
    journal.hand_in("/week2", [], [], [Unread("c.txt", "no")])
    assert journal.unread() == [Unread("a.txt", "why"), Unread("b.txt", "no"), Unread("c.txt", "no")]
    journal.hand_in("/week1", [], [], [])
    assert journal.unread() == [Unread("c.txt", "no")]


def test_what_was_not_read_of_another_problem_stays(journal: Journal) -> None:
    lines = [Unread(f"ana/{name}.py", "no text", student="ana", problem=name) for name in ("toy", "rope")]
    journal.hand_in("/week9", ["toy", "rope"], [], lines)
    journal.hand_in("/week9", ["toy"], [], [])
    assert [one.problem for one in journal.unread()] == ["rope"]


def test_verdicts_under_other_policies_are_found_the_newest_first(journal: Journal) -> None:
    (of, _) = grade(journal, told("correct"), fault("ended"))
    journal.grades_with("toy", "print 1", "policy 2")
    grade(journal, told("wrong"), fault("ended"))
    journal.grades_with("toy", "print 1", "policy 3")
    now, other = due(journal)
    assert [(p, o.verdict and o.verdict.status) for p, o in journal.otherwise_graded(now)] == [
        ("policy 2", "wrong"),
        ("policy 1", "correct"),
    ]
    assert journal.otherwise_graded(now)[1][1] == told("correct")
    assert journal.otherwise_graded(other) == []
    journal.grade_again("toy")
    assert journal.otherwise_graded(of) == []


def test_any_text_comes_back_as_it_was(journal: Journal) -> None:
    strange = "def toy(seed):\n    return '\ud800 é'\r\n"
    handed_in(journal, ("ana", strange))
    ((_, text),) = journal.due(["toy"])
    assert text == strange


def test_what_ran_is_measured(journal: Journal) -> None:
    of = grade(journal, told("correct"), fault("ended"))
    assert journal.measured() == [(of[0].digest, "toy", "correct", 1.0, 5)]


def test_it_is_all_there_after_it_was_closed(journal: Journal) -> None:
    grade(journal, told("correct"), told("wrong", "off-by-one"))
    rows = journal.rows()
    journal.__exit__()
    with Journal(journal.path) as again:
        assert again.rows() == rows


def test_the_same_verdict_has_the_cells_of_each_notebook_and_none_for_a_file(journal: Journal) -> None:
    raised = Raised("ValueError", verbatim(""), (Frame(2, "toy", "return 1"),))
    first, second = (
        CellOrigin(((3, 1), (3, 2)), {}, {}),
        CellOrigin(((1, 4), (2, 7)), {}, {}, verbatim("The last counts.")),
    )
    journal.hand_in(
        "/week1",
        ["toy"],
        [
            Submission("ana", "toy", "ana/toy.py", RIGHT),
            Submission("ben", "toy", "ben/a.ipynb", RIGHT, origin=first),
            Submission("cy", "toy", "cy/b.ipynb", RIGHT, origin=second),
        ],
        [],
    )
    journal.grades_with("toy", "f", "p")
    (identity,) = due(journal)
    remark = Insight("xor", message("At {lines}.", lines=lines_field([2])))
    at_line_2 = replace(verdict("error"), insights=(remark,), raised=raised)
    journal.record([(identity, Outcome(at_line_2, "", 1, "now", 1.0, 1))])
    told = [row.verdict for row in journal.rows() if row.verdict]
    assert [row.note for row in journal.rows()] == ["", "", "The last counts."]
    assert [str(one.insights[0].message) for one in told] == ["At line 2.", "At cell 3, line 2.", "At cell 2, line 7."]
    assert {len(one.insights) for one in told} == {1}, "a note on the file is no remark on the answer"
    assert [(frame.cell, frame.line) for one in told if one.raised for frame in one.raised.frames] == [
        (0, 2),
        (3, 2),
        (2, 7),
    ]


@pytest.mark.parametrize("name", ["../../x", "a/b", "", "a b"])
def test_a_gradebook_whose_problems_would_be_paths_is_refused(journal: Journal, name: str) -> None:
    handed_in(journal, ("ana", RIGHT), problem=name)
    journal.__exit__()
    with pytest.raises(Unusable, match="no problem can be called so"):
        Journal(journal.path)


def test_an_answer_that_is_in_doubt_now_is_not_told_as_gone(journal: Journal) -> None:
    grade(journal, told("correct"), told("wrong"))
    rest = [Submission("cy", "toy", "cy/toy.py", WRONG, "10:00")]
    doubts = [Unread(f"{who}/toy.py", "in doubt", True, who, "toy") for who in ("ana", "ben")]
    assert journal.hand_in("/week1", ["toy"], rest, doubts).gone == []
    assert [row.student for row in journal.rows()] == ["cy"]
    assert (journal.gone(), journal.notes()) == ([], [])
    assert {one.why for one in journal.moves()} == {NO_MORE}


def test_a_changed_or_lost_file_of_points_is_a_line(journal: Journal, tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text('points = "correct=2"\n')
    journal.keep_points('points = "correct=2"\n', path)
    assert journal.notes() == []
    path.write_text('points = "correct=3"\n')
    (line,) = journal.notes()
    assert line.startswith(f"{path} has changed since `class grade` was given it")
    path.unlink()
    assert "cannot be read any more" in journal.notes()[0]
    journal.keep_points('points = "correct=2"\n')
    assert journal.notes() == []


def test_an_earlier_attempt_counts_by_the_best_only_while_its_folder_holds_another(journal: Journal) -> None:
    journal.keep_points('attempt = "best"')
    grade(journal, told("correct"), told("wrong"))
    later = "def toy(seed):\n    return 3\n"
    handed_in(journal, ("ana", later))
    grade(journal, told("wrong"))
    assert [row[:3] for row in standing(journal)] == [("ana", "verdict", "correct")]
    handed_in(journal)
    assert standing(journal) == []
    assert journal.gone() == [("ana", "toy"), ("ben", "toy"), ("cy", "toy")]
    handed_in(journal, ("ana", later))
    assert [row[:3] for row in standing(journal)] == [("ana", "verdict", "correct")]


def test_changes_that_belong_together_are_all_undone_if_one_fails(journal: Journal) -> None:
    def changes() -> None:
        with journal.together():
            handed_in(journal, ("zoe", WRONG), folder="/week2")
            journal.keep("fresh", "7")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        changes()
    assert ({row.student for row in journal.rows()}, journal.setting("fresh")) == ({"ana", "ben", "cy"}, None)
    with journal.together():
        journal.keep("fresh", "8")
    assert journal.setting("fresh") == "8"


def test_points_name_a_student_by_any_id_of_the_list(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("id,username\nana,a.one\nzoe,z.two\n")
    people = read_roster(tmp_path / "people.csv")
    given = parsed("correct=1"), {"a.one": None, "z.two": None, "cy": None}
    assert journal.renamed(Points(given[0], excused=given[1]), people).excused == {
        "ana": None,
        "z.two": None,
        "cy": None,
    }
    journal.keep_points("[by_hand.'a.one']\ntoy = 3\n")
    assert [*journal.points().by_hand] == ["a.one"]
    journal.keep_ids(journal.ids_on(people))
    assert [*journal.points().by_hand] == ["ana"]
    both = Points(given[0], excused={"a.one": None, "ana": None})
    with pytest.raises(KitError, match="names ana by two ids: leave out one"):
        journal.renamed(both, None)
    journal.keep("other ids", "[1]")
    with pytest.raises(Unusable, match="its ids of students are none that this grader wrote"):
        journal.points()
