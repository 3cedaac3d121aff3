"""Gradebooks that were graded apart: joined they hold what each held, and what does not fit together is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.journal import Journal
from grader.classroom.merge import merged_tables
from grader.classroom.row import Outcome
from grader.classroom.submission import Submission, Unread, UploadNumber
from grader.kit.kit import KitError
from tests.classroom.test_journal import fault, told, verdict

POLICY = json.dumps({"fresh": 7, "seconds": 20.0})
Answers = Sequence[tuple[str, str, Outcome | None]]
"""Of each answer the student, the text, and what came of it."""


def book(
    path: Path, *answers: tuple[str, str, Outcome | None], problem: str = "toy", seed: str = "7", **how: str
) -> Journal:
    """A gradebook of one problem, which is open."""
    journal = Journal(path, write=True)
    journal.keep("fresh", seed)
    submissions = [Submission(name, problem, f"{name}/{problem}.py", text, "10:00") for name, text, _ in answers]
    journal.hand_in(f"/{path.stem}", [problem], submissions, [Unread(f"{path.stem}/notes.txt", "of no problem")])
    journal.grades_with(problem, how.get("fingerprint", "print 1"), how.get("policy", POLICY))
    record(journal, *(outcome for *_, outcome in answers))
    return journal


def record(journal: Journal, *outcomes: Outcome | None) -> None:
    due = [identity for identity, _ in journal.due(journal.problems())]
    journal.record([(of, one) for of, one in zip(due, outcomes, strict=True) if one is not None])


def merged(path: Path, *books: Journal) -> Journal:
    journal = Journal(path / "all.gradebook", write=True)
    journal.fill(merged_tables({one.path.name: one.tables() for one in books}))
    return journal


def standing(journal: Journal) -> dict[str, tuple[str, str]]:
    return {
        f"{row.student} {row.problem}": (
            row.verdict.status if row.verdict else row.state,
            row.before.status if row.before else "",
        )
        for row in journal.rows()
    }


def test_joined_they_hold_what_each_holds(tmp_path: Path) -> None:
    a = book(tmp_path / "a", ("ana", "1", told("correct")), ("ben", "2", fault("no process")), ("cy", "3", None))
    b = book(tmp_path / "b", ("dan", "4", told("wrong", "half")))
    c = book(tmp_path / "c", ("ana", "5", told("wrong")), problem="other")
    whole = merged(tmp_path, a, b, c)
    assert standing(whole) == {
        "ana other": ("wrong", ""), "ana toy": ("correct", ""), "ben toy": ("fault", ""), "cy toy": ("due", ""),
        "dan toy": ("wrong", ""),
    }  # fmt: skip
    assert [one.path for one in whole.unread()] == ["a/notes.txt", "b/notes.txt", "c/notes.txt"]
    assert (whole.setting("fresh"), whole.text(whole.rows()[0].digest)) == ("7", "5")
    assert [identity.problem for identity, _ in whole.due(["toy", "other"])] == ["toy", "toy"], "a fault is due too"


def test_what_counts_no_more_in_one_of_them_counts_no_more(tmp_path: Path) -> None:
    a = book(tmp_path / "a", ("ana", "1", told("correct")), ("ben", "2", told("correct")))
    a.grade_again("toy")
    record(a, told("wrong"), None)
    b = book(tmp_path / "b", ("dan", "3", told("wrong")))
    whole = merged(tmp_path, a, b)
    assert standing(whole) == {"ana toy": ("wrong", "correct"), "ben toy": ("due", "correct"), "dan toy": ("wrong", "")}
    assert whole.being_graded_again() == ["toy"]


def test_of_two_verdicts_on_one_text_that_agree_the_first_is_taken(tmp_path: Path) -> None:
    a = book(tmp_path / "a", ("ana", "1", fault("no process")), ("ben", "2", told("correct", at="first")))
    b = book(tmp_path / "b", ("ana", "1", told("wrong")), ("dan", "2", told("correct", at="second")))
    whole = merged(tmp_path, a, b)
    assert standing(whole) == {"ana toy": ("wrong", ""), "ben toy": ("correct", ""), "dan toy": ("correct", "")}
    assert [row.graded_at for row in whole.rows()] == ["then", "first", "first"]
    assert len(whole.tables()["outcome"]) == 3


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"seed": "8"}, "a.gradebook was graded with the seed 7, and b.gradebook with the seed 8"),
        ({"fingerprint": "print 2"}, "with another kit or another version"),
        ({"policy": json.dumps({"fresh": 7, "seconds": 60.0})}, r"in another way \(seconds 20.0 and 60.0\)"),
        ({"policy": "[1]"}, "b.gradebook: the options of toy are none that this grader wrote"),
        (
            {"outcome": Outcome(replace(verdict("wrong"), withheld="diagnosis"))},
            "b.gradebook: the verdict on toy, .* is none that this grader wrote",
        ),
        ({"text": "2"}, "ana has one answer to toy in a.gradebook"),
        ({"outcome": told("wrong", "half")}, "correct in a.gradebook, and wrong: half in b.gradebook"),
    ],
)
def test_what_does_not_fit_together_is_refused_in_one_line(other: dict[str, Any], said: str, tmp_path: Path) -> None:
    a = book(tmp_path / "a.gradebook", ("ana", "1", told("correct")))
    text, outcome = other.pop("text", "1"), other.pop("outcome", told("correct"))
    b = book(tmp_path / "b.gradebook", ("ana", text, outcome), **other)
    with pytest.raises(KitError, match=said) as raised:
        merged_tables({one.path.name: one.tables() for one in (a, b)})
    assert len(str(raised.value).splitlines()) == 1


def test_an_identity_is_all_of_text_problem_kit_and_policy(tmp_path: Path) -> None:
    a = book(tmp_path / "a", ("ana", "1", told("wrong")), policy=json.dumps({"fresh": 6}))
    a.grades_with("toy", "print 1", POLICY)
    record(a, told("correct"))
    b = book(tmp_path / "b", ("dan", "1", told("correct")))
    assert standing(merged(tmp_path, a, b)) == {"ana toy": ("correct", "wrong"), "dan toy": ("correct", "")}


def test_of_two_attempts_the_later_counts_and_exports_and_moves_stay_known(tmp_path: Path) -> None:
    a, b = book(tmp_path / "a", ("ana", "1", told("wrong"))), book(tmp_path / "b", ("ana", "1", told("wrong")))
    for journal, upload in ((a, 5), (b, 6)):
        one = Submission("ana", "toy", f"{upload}.py", f"upload {upload}", attempt=UploadNumber(None, upload))
        journal.hand_in(f"/{upload}", ["toy"], [one], [], replacing=True)
        record(journal, told("correct"))
        journal.note_export("csv", Path(f"{upload}.csv"), {"ana": str(upload)})
    whole = merged(tmp_path, b, a)
    assert [row.path for row in whole.rows()] == ["6.py"]
    assert [one.scores for one in whole.exports()] == [{"ana": "5"}, {"ana": "6"}]
    assert (whole.moves()[0].before, whole.moves()[0].now, whole.moves()[0].why) == (
        "wrong",
        "correct",
        "another answer",
    )


def test_gradebooks_under_other_rules_of_attempts_are_refused(tmp_path: Path) -> None:
    a, b = book(tmp_path / "a", ("ana", "1", None)), book(tmp_path / "b", ("ben", "2", None))
    a.keep_points('attempt = "best"')
    b.keep_points('attempt = "last"')
    with pytest.raises(KitError, match="a was graded with other --points than b, and they say which attempt counts"):
        merged_tables({one.path.name: one.tables() for one in (a, b)})


def test_a_gradebook_without_points_is_one_with_the_usual_ones(tmp_path: Path) -> None:
    a, b = book(tmp_path / "a", ("ana", "1", None)), book(tmp_path / "b", ("ben", "2", None))
    b.keep_points('points = "correct=1"')
    merged_tables({one.path.name: one.tables() for one in (a, b)})
    b.keep_points('points = "correct=2"')
    with pytest.raises(KitError, match="a was graded with other --points than b"):
        merged_tables({one.path.name: one.tables() for one in (a, b)})


def test_an_attempt_that_stands_otherwise_in_another_gradebook_is_refused(tmp_path: Path) -> None:
    a, b = book(tmp_path / "a", ("ana", "1", None)), book(tmp_path / "b", ("ben", "2", None))
    for journal, text in ((a, "1"), (b, "1"), (b, "3")):
        one = Submission("ana", "toy", f"ana/{text}.py", text, "10:00")
        journal.hand_in("/week1", ["toy"], [one], [], replacing=True, fewer=True)
    with pytest.raises(KitError, match=r"ana/1.py of /week1 does not stand in a as it does in b \(here, and earlier\)"):
        merged_tables({one.path.name: one.tables() for one in (a, b)})
