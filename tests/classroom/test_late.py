"""What is late, by how many days, and what that costs: nothing is guessed where a time is not known."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction

import pytest

from grader.classroom.late import Deadline, Deduction, Lateness, read_deduction, read_extension, read_span, read_time
from grader.kit.kit import KitError
from tests.classroom.exports.rows import row

DUE = read_time("2026-06-01T14:32:00+02:00")


@pytest.mark.parametrize(
    ("submitted", "days"),
    [
        ("2026-06-01T12:32:00Z", 0),
        ("2026-06-01T12:32:00.5Z", 1),
        ("2026-06-02T12:32:00+00:00", 1),
        ("2026-06-02T12:32:01+00:00", 2),
        ("2026-06-02T12:32:01", 2),
        ("2026-05-01T00:00:00+00:00", 0),
    ],
)
def test_every_begun_day_counts_and_a_row_has_its_time_in_utc(submitted: str, days: int) -> None:
    assert Deadline(DUE).of(row("ana", submitted=submitted)) == (Lateness(days) if days else None)


@pytest.mark.parametrize(
    ("due", "submitted", "marked", "late"),
    [
        (None, "2026-06-01T14:32:00Z", True, True),
        (None, "2026-06-01T14:32:00Z", False, False),
        (DUE, "", True, True),
        (DUE, "10:00", True, True),
        (DUE, "", False, False),
        (DUE, "2026-06-01T00:00:00Z", True, False),
    ],
)
def test_the_mark_of_the_system_counts_where_no_times_do(
    due: datetime | None, submitted: str, marked: bool, late: bool
) -> None:
    assert Deadline(due).of(row("ana", submitted=submitted, late=marked)) == (Lateness(None) if late else None)


def test_a_lateness_in_words() -> None:
    assert [str(Lateness(days)) for days in (1, 2, None)] == ["1 day", "2 days", "marked"]


@pytest.mark.parametrize(
    ("text", "days", "share"),
    [
        ("20%", 3, "0.2"),
        ("20%", None, "0.2"),
        ("10% a day", 3, "0.3"),
        ("10% a day", 30, "1"),
        ("10% a day, at most 50%", 30, "0.5"),
        ("12.5%  a day , at most 50 %", 3, "0.375"),
        ("10% a day, at most 50%", None, None),
    ],
)
def test_a_rule_is_exact(text: str, days: int | None, share: str | None) -> None:
    assert read_deduction(text).of(Lateness(days)) == (None if share is None else Fraction(share))


@pytest.mark.parametrize(
    "text", ["", "10", "10% a week", "101%", "10% a day, at most 200%", "-5%", "20%, at most 5%", 20]
)
def test_what_is_no_rule_is_one_line(text: object) -> None:
    with pytest.raises(KitError, match='write late = "10% a day, at most 50%"'):
        read_deduction(text)


@pytest.mark.parametrize("text", ["2026-09-24T23:59:00", "2026-09-24", "tomorrow", 5, datetime(2026, 9, 24)])
def test_a_time_without_a_zone_is_refused_with_an_example(text: object) -> None:
    with pytest.raises(KitError, match="such as 2026-09-24T23:59:00\\+02:00"):
        read_time(text)


def test_a_deduction_takes_no_more_than_all() -> None:
    assert Deduction(Fraction(1, 2), a_day=True).of(Lateness(9)) == 1


NEW_YORK = read_time("2026-10-31 20:00 America/New_York")
"""The shape `dst`: clocks go back in the night after it."""


@pytest.mark.parametrize(
    ("submitted", "by_name", "by_offset"),
    [
        ("2026-11-01T00:00:00Z", 0, 0),
        ("2026-11-01T00:00:30Z", 1, 1),
        ("2026-11-02T00:30:00Z", 1, 2),
        ("2026-11-02T01:00:01Z", 2, 2),
    ],
)
def test_a_day_is_one_of_the_calendar_where_the_zone_has_a_name(submitted: str, by_name: int, by_offset: int) -> None:
    for due, days in ((NEW_YORK, by_name), (read_time("2026-10-31T20:00:00-04:00"), by_offset)):
        one = row("a", submitted=submitted)
        assert Deadline(due).of(one) == (Lateness(days) if days else None)
        assert Deadline(due).near_the_end_of_a_day(one) == (days == 2 and by_name == 1)


def test_a_minute_late_in_the_hour_that_comes_twice_is_late() -> None:
    due = read_time("2026-11-01 03:00 America/New_York")
    assert Deadline(due).of(row("a", submitted="2026-11-01T08:00:01Z")) == Lateness(1)
    before = Deadline(read_time("2026-11-01T01:40:00-04:00"))
    assert before.of(row("a", submitted="2026-11-01T06:10:00Z")) == Lateness(1), "01:10 by the clock, after 01:40"


@pytest.mark.parametrize("text", ["2026-11-01 01:30 America/New_York", "2027-03-14 02:30 America/New_York"])
def test_a_time_that_a_clock_never_or_twice_shows_is_refused(text: str) -> None:
    with pytest.raises(KitError, match="The clocks of America/New_York change at 20"):
        read_time(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-10-31 20:00 Mars/Base", "There is no time zone 'Mars/Base'"),
        ("2026-10-31T20:00Z Europe/Berlin", "has two zones: leave out one"),
        ("soon Europe/Berlin", "is no time: write one such as"),
    ],
)
def test_a_zone_by_name_that_does_not_fit_is_one_line(text: str, why: str) -> None:
    with pytest.raises(KitError, match=why):
        read_time(text)


def test_grace_is_not_late_and_days_count_from_the_time_itself() -> None:
    one = Deadline(DUE, grace=read_span("15 minutes"))
    times = ["2026-06-01T12:47:00Z", "2026-06-01T12:47:01Z", "2026-06-02T12:32:01Z"]
    assert [one.of(row("a", submitted=at)) for at in times] == [None, Lateness(1), Lateness(2)]


def test_an_extension_holds_for_one_student() -> None:
    one = Deadline(NEW_YORK, extensions={"ana": read_extension("1 day"), "ben": read_time("2026-11-05T00:00:00Z")})
    assert one.due_of("ana") == read_time("2026-11-01 20:00 America/New_York")
    late = {name: one.of(row(name, submitted="2026-11-02T01:30:00Z")) for name in ("ana", "ben", "cy")}
    assert late == {"ana": Lateness(1), "ben": None, "cy": Lateness(2)}


def test_a_mark_alone_says_nothing_of_one_who_has_more_time() -> None:
    marked = row("ana", submitted="", late=True)
    for one in (Deadline(grace=timedelta(minutes=1)), Deadline(DUE, extensions={"ana": timedelta(days=1)})):
        late = one.of(marked)
        assert late == Lateness(None, sure=False)
        assert Deduction(Fraction(1, 5)).of(late) is None
    assert Deadline(DUE, extensions={"ben": timedelta(days=1)}).of(marked) == Lateness(None)


@pytest.mark.parametrize("text", ["15", "3 weeks", "-1 day", "1.5 hours", "", 3])
def test_what_is_no_length_of_time_is_one_line(text: object) -> None:
    with pytest.raises(KitError, match='write one such as "15 minutes", "12 hours" or "3 days"'):
        read_span(text)
