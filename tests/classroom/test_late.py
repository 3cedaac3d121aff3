"""What is late, by how many days, and what that costs: nothing is guessed where a time is not known."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

import pytest

from grader.classroom.late import Deadline, Deduction, Lateness, read_deduction, read_time
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
