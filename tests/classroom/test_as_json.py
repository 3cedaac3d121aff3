"""The document on a gradebook: where each answer is from, why its verdict moved, what is not graded, and who is gone."""

from __future__ import annotations

from grader.classroom.exports.verdicts import class_document
from grader.classroom.row import VERDICT, Row
from grader.classroom.submission import Unread
from grader.marking.verdict import Status
from tests.classroom.exports.rows import verdict_of
from tests.conftest import document

BEFORE, NOW = (verdict_of(status) for status in (Status.WRONG, Status.CORRECT))
ROW = Row(
    *("ana", "rope", "ana/rope.py", "0a", "", VERDICT, NOW),
    before=BEFORE, why="another answer", source="/week1.zip", read_at="2026-03-01T10:00:00+00:00",
)  # fmt: skip


def test_an_answer_says_where_it_is_from_and_why_its_verdict_moved() -> None:
    (answer,) = document(class_document("week1.gradebook", [ROW], []))["answers"]
    assert (answer["source"], answer["read_at"]) == ("/week1.zip", "2026-03-01T10:00:00+00:00")
    assert (answer["moved"], answer["why"], answer["before"]["outcome"]) == (True, "another answer", "wrong")


def test_what_is_not_graded_says_whose_it_is_where_that_is_known() -> None:
    unread = [Unread("x.py", "whose?", doubt=True), Unread("ana/rope.py", "empty", student="ana", problem="rope")]
    whole = document(class_document("week1.gradebook", [], unread, [("ben", "rope")]))
    assert [(one["student"], one["problem"], one["doubt"]) for one in whole["unread"]] == [
        (None, None, True),
        ("ana", "rope", False),
    ]
    assert whole["gone"] == [{"student": "ben", "problem": "rope"}]
