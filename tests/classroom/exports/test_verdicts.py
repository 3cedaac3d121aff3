"""The verdicts as JSON: who has which, with points before and after lateness, and no more than the level shows."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from grader.classroom.exports.verdicts import verdicts
from grader.classroom.late import Deadline, read_deduction, read_time
from grader.classroom.points import ByHand, Points, parsed
from grader.classroom.submission import Unread
from grader.report.as_json import verdict_to_json
from grader.report.feedback import limited
from tests.classroom.exports.rows import SECRET, WRONG, roster, row, sheet, verdict_of
from tests.conftest import document
from tests.test_schemas import VERDICT


def of(**more: Any) -> dict[str, Any]:
    return document(verdicts(sheet(**more)))


def test_every_answer_is_there_and_what_has_no_verdict_has_no_points() -> None:
    whole = of()
    told = {(one["student"], each["problem"]): each for one in whole["students"] for each in one["answers"]}
    assert {key: (each["outcome"], each["points"]) for key, each in told.items()} == {
        ("ana", "glow"): ("correct", 1),
        ("ana", "rope"): ("correct", 1),
        ("ben", "rope"): ("wrong", 0),
        ("cy", "rope"): ("fault", None),
        ("dan", "rope"): ("due", None),
        ("eve", "rope"): ("error", 0),
    }
    assert told["cy", "rope"]["fault"] == "the template ended"
    assert told["ben", "rope"]["verdict"] == verdict_to_json(WRONG)
    assert whole["due"] is None


def test_who_handed_in_nothing_has_no_answers_and_a_roster_says_who_is_who() -> None:
    ana, *_, zoe = of(roster=roster("ana", "zoe"))["students"]
    assert (ana["name"], ana["email"]) == ("Ana", "ana@example.org")
    assert {name: zoe[name] for name in ("student", "name", "email", "answers", "points")} == {
        "student": "zoe",
        "name": "Zoe",
        "email": "zoe@example.org",
        "answers": [],
        "points": None,
    }
    assert of()["students"][0]["name"] is None


def test_lateness_is_told_with_the_points_before_it() -> None:
    deadline = Deadline(read_time("2026-06-01T00:00:00+02:00"), read_deduction("10% a day"))
    rows = [row("ana", verdict_of(), team="T1"), row("ben", verdict_of(), submitted="", late=True)]
    whole = of(rows=rows, points=Points(parsed("correct=1"), deadline=deadline))
    (ana,), (ben,) = (one["answers"] for one in whole["students"])
    columns = ("late", "days_late", "points_before", "points", "team")
    assert [ana[name] for name in columns] == [True, 1, 1, 0.9, "T1"]
    assert [ben[name] for name in columns] == [True, None, 1, None, None]
    assert whole["due"] == "2026-06-01T00:00:00+02:00"


@pytest.mark.parametrize("level", ["full", "diagnosis", "verdict"])
def test_a_level_shows_of_a_kept_verdict_what_it_shows_of_one_that_was_just_made(level: str) -> None:
    rows = [row("ana", VERDICT)]
    text = verdicts(sheet(rows=rows, level=level))
    (shown,) = document(text)["students"][0]["answers"]
    made = json.loads(json.dumps(verdict_to_json(limited(VERDICT, level))))
    assert shown["verdict"] == made


def test_no_level_tells_what_it_hides() -> None:
    for level, hidden in (("diagnosis", SECRET), ("verdict", "half-exponent")):
        assert hidden not in verdicts(sheet(level=level))


def test_what_is_not_graded_and_what_was_given_by_hand_are_told() -> None:
    unread = [Unread("zoe/rope.py", "no text.", student="zoe", problem="rope")]
    points = Points(
        parsed("correct=1"),
        bonus=["glow"],
        excused={"eve": None},
        by_hand={"cy": {"rope": ByHand(Fraction("0.5"), "so")}},
    )
    students = {one["student"]: one for one in of(unread=unread, points=points)["students"]}
    assert students["zoe"]["unread"] == [{"problem": "rope", "file": "zoe/rope.py", "why": "no text."}]
    assert {name: (one["points"], one["max_points"]) for name, one in students.items()} == {
        "ana": (2, 1),
        "ben": (0, 1),
        "cy": (0.5, 1),
        "dan": (None, 1),
        "eve": (None, 0),
        "zoe": (None, 1),
    }
    assert students["cy"]["by_hand"] == [{"problem": "rope", "points": 0.5, "why": "so"}]
    (cy,), (eve,), (glow, _) = (students[one]["answers"] for one in ("cy", "eve", "ana"))
    assert [(one["by_hand"], one["excused"], one["bonus"]) for one in (cy, eve, glow)] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
