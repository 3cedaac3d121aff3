"""A short name means one answer, or is refused with a line that says what to give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.classroom.clusters import FEWEST_DIGITS, answers_alike, answers_named, identity
from grader.classroom.database import Unusable
from grader.marking.verdict import Status
from tests.classroom.exports.rows import WRONG, row, verdict_of
from tests.classroom.test_clusters import raised, wrong

FIRST, SECOND = "ab" * 32, "ab" * 4 + "cd" * 28
EXPLAINED = replace(WRONG, diagnosis=replace(WRONG.diagnosis, explained=True))
ROWS = [
    row("ana", wrong(), digest=FIRST),
    row("ben", wrong(), digest=FIRST, submitted="2026-01-01"),
    row("cy", wrong(), digest=SECOND),
    row("dan", verdict_of(), digest="e" * 64),
    row("eve", EXPLAINED, digest="f" * 64),
    row("fay", raised("no"), digest="1" * 64),
    row("gus", digest="2" * 64),
    row("hal", state="fault", fault="no process", digest="3" * 64),
    row("deadbeef", wrong(0.9), digest="4" * 64),
]


def test_an_id_is_as_long_as_it_takes_to_tell_it_from_all_others() -> None:
    assert identity(ROWS[0], ROWS) == FIRST[: FEWEST_DIGITS + 1]
    assert identity(ROWS[3], ROWS) == "e" * FEWEST_DIGITS
    for one in ROWS[:3]:
        assert {found.digest for found in answers_named(ROWS, identity(one, ROWS))} == {one.digest}


@pytest.mark.parametrize("name", [FIRST[:20], FIRST, "ana"])
def test_the_beginning_of_a_digest_and_a_student_mean_an_answer(name: str) -> None:
    assert answers_named(ROWS, name)[0].digest == FIRST


def test_of_equal_texts_the_earliest_comes_first() -> None:
    assert [one.student for one in answers_named(ROWS, FIRST)] == ["ben", "ana"]


def test_a_student_may_be_called_like_a_digest() -> None:
    assert answers_named(ROWS, "deadbeef")[0].student == "deadbeef"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("zoe", "No answer here is called 'zoe'"),
        ("", "No answer here is called ''"),
        (FIRST[: FEWEST_DIGITS - 1], "No answer here"),
        (FIRST[:FEWEST_DIGITS], "means 2 answers: give more digits"),
        ("dan", "is 'correct', not 'wrong'"),
        ("eve", "explained already, by half-exponent"),
        ("fay", "is 'error', not 'wrong'"),
        ("gus", "has no verdict yet"),
        ("hal", "has no verdict yet"),
    ],
)
def test_what_no_pitfall_can_come_from_is_told(name: str, said: str) -> None:
    with pytest.raises(Unusable, match=said):
        answers_named(ROWS, name)


def test_those_who_go_wrong_alike_are_counted() -> None:
    assert answers_alike(ROWS, ROWS[2]) == 3
    assert answers_alike(ROWS, ROWS[8]) == 1
    assert answers_alike([row("ana", verdict_of(Status.WRONG))], row("ana", verdict_of(Status.WRONG))) == 1
