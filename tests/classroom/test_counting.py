"""Which attempt counts: the last, the last on time, or the best; over all that a gradebook holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

from grader.classroom.attempts import that_counts
from grader.classroom.intake import EARLIER, HERE, OTHER, Item
from grader.classroom.late import Deadline, read_time
from grader.classroom.points import BEST, ON_TIME, ByHand, Points, parsed
from grader.classroom.row import DUE, VERDICT, Row
from grader.marking.verdict import Status
from tests.classroom.exports.rows import verdict_of

LAST = Points(parsed("correct=2,wrong=1"))
BY = Deadline(read_time("2026-03-02T12:00:00+00:00"))
TIMELY, ONE_THAT_IS_BEST = replace(LAST, attempt=ON_TIME, deadline=BY), replace(LAST, attempt=BEST)


def item(path: str, standing: str = HERE, **more: Any) -> Item:
    return Item("ana", "rope", path, path, more.pop("submitted", ""), "/a", standing=standing, **more)


def counts(points: Points, *items: Item, **outcomes: str) -> str | None:
    """The path of the attempt that counts. An outcome is that of a path; without one, an attempt is due."""

    def row(one: Item) -> Row:
        status = outcomes.get(one.path)
        verdict = verdict_of(Status(status)) if status else None
        return Row("ana", "rope", one.path, one.digest, one.submitted, VERDICT if status else DUE, verdict)

    found = that_counts(items, points, row)
    return found and found.path


def test_the_last_counts_whichever_folder_was_read_last() -> None:
    old, new = item("old", upload=5, read_at="2"), item("new", upload=9, read_at="1")
    assert counts(LAST, old, new) == counts(LAST, new, old) == "new"


def test_of_two_that_nothing_orders_the_one_read_last_counts() -> None:
    assert counts(LAST, item("a", read_at="1"), item("b", read_at="2")) == "b"


def test_an_older_download_over_a_newer_one_brings_no_old_attempt_back() -> None:
    assert counts(LAST, item("old", upload=5), item("new", EARLIER, upload=9)) == "new"
    assert counts(LAST, item("now"), item("before", EARLIER)) == "now"


def test_where_a_folder_does_not_tell_which_is_the_last_none_counts() -> None:
    assert counts(LAST, item("a", OTHER), item("b", OTHER)) is None
    assert counts(TIMELY, item("a", OTHER), item("b", OTHER)) is None


def test_the_last_on_time_counts_or_else_the_last() -> None:
    early, good, late = (item(f"at{n}", OTHER, submitted=f"2026-03-0{n}T10:00:00+00:00") for n in (1, 2, 3))
    late = replace(late, standing=HERE)
    assert counts(TIMELY, early, good, late) == "at2"
    assert counts(TIMELY, late) == "at3"
    assert counts(TIMELY, early, replace(good, standing=HERE)) == "at2"


def test_the_best_counts_and_of_equal_ones_the_last() -> None:
    one, two, three = item("one", OTHER, upload=1), item("two", OTHER, upload=2), item("three", upload=3)
    assert counts(ONE_THAT_IS_BEST, one, two, three, one="correct", two="correct", three="wrong") == "two"
    assert counts(ONE_THAT_IS_BEST, one, two, three, one="wrong", two="error", three="wrong") == "three"


def test_while_an_attempt_is_due_that_may_be_the_best_its_row_says_so() -> None:
    one, two = item("one", OTHER, upload=1), item("two", upload=2)
    assert counts(ONE_THAT_IS_BEST, one, two, two="wrong") == "one"
    assert counts(ONE_THAT_IS_BEST, one, two, two="correct") == "two", "no other can have more"
    assert counts(ONE_THAT_IS_BEST, one, two) == "two"


def test_the_best_needs_no_order() -> None:
    assert counts(ONE_THAT_IS_BEST, item("a", OTHER), item("b", OTHER), a="correct", b="wrong") == "a"


def test_points_by_hand_and_an_excuse_change_no_choice() -> None:
    right, broken = item("right", OTHER, upload=1), item("broken", upload=2)
    given = {"ana": {"rope": ByHand(Fraction(7))}}
    for points in (replace(ONE_THAT_IS_BEST, by_hand=given), replace(ONE_THAT_IS_BEST, excused={"ana": None})):
        assert counts(points, right, broken, right="correct", broken="error") == "right"


def test_where_a_mark_without_a_time_may_be_on_time_none_counts_unless_both_are_worth_the_same() -> None:
    def row(one: Item) -> Row:
        verdict = verdict_of(Status(outcomes[one.path]))
        return Row("ana", "rope", one.path, one.digest, "", VERDICT, verdict, late=bool(one.late))

    early, late = item("early", OTHER, upload=1), item("late", upload=2, late=1)
    more = replace(TIMELY, deadline=replace(BY, grace=timedelta(minutes=15)))
    outcomes = {"early": "wrong", "late": "correct"}
    assert that_counts([early, late], more, row) is None
    assert that_counts([early, late], TIMELY, row) == early, "without more time, what is marked is late"
    assert that_counts([early, replace(late, late=0)], more, row) == replace(late, late=0)
    assert that_counts([early, item("last", upload=3)], more, lambda one: row(replace(one, path="early"))) is not None
    outcomes = {"early": "wrong", "late": "wrong"}
    assert that_counts([early, late], more, row) == early
