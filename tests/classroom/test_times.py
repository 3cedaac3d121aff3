"""Times as systems write them."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from grader.classroom.late import UnclearTime, of_blackboard, of_brightspace, of_nbgrader, zone_named
from grader.kit.kit import KitError

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-02-02 15:58:23.948203 UTC\n", "2026-02-02T15:58:23.948203+00:00"),
        ("2026-02-02 15:58:23 +0100", "2026-02-02T14:58:23+00:00"),
        ("2026-02-02 15:58:23 CET", "2026-02-02T14:58:23+00:00"),
        ("2026-07-02 15:58:23 CEST", "2026-07-02T13:58:23+00:00"),
        ("2026-02-02 15:58:23 EST", "2026-02-02T20:58:23+00:00"),
        ("2026-02-02 15:58:23 Asia/Tokyo", "2026-02-02T06:58:23+00:00"),
    ],
)
def test_the_time_of_nbgrader(text: str, time: str) -> None:
    assert of_nbgrader(text, None) == time


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-02-30 15:58:23 UTC", "no time that there is"),
        ("yesterday", "no time as nbgrader writes it"),
        ("2026-02-02 15:58:23", "it names no zone: say with --zone"),
        ("2026-02-02 15:58:23 CST", "CST is the name of several zones: say with --zone which one it is"),
        ("2026-02-02 15:58:23 XYZ", "XYZ is no known zone"),
    ],
)
def test_a_time_that_nobody_can_tell_says_why(text: str, why: str) -> None:
    with pytest.raises(UnclearTime, match=why):
        of_nbgrader(text, None)


def test_the_zone_that_the_user_names_decides_what_its_abbreviation_means() -> None:
    assert of_nbgrader("2026-02-02 12:00:00 CST", zone_named("America/Chicago")) == "2026-02-02T18:00:00+00:00"
    assert of_nbgrader("2026-02-02 12:00:00 CST", zone_named("Asia/Shanghai")) == "2026-02-02T04:00:00+00:00"
    assert of_nbgrader("2026-02-02 12:00:00", BERLIN) == "2026-02-02T11:00:00+00:00"
    with pytest.raises(KitError, match="There is no time zone 'Berlin'"):
        zone_named("Berlin")


def test_a_time_without_a_zone_is_of_the_zone_that_is_named() -> None:
    assert of_blackboard("2026-03-01-12-34-56", BERLIN) == "2026-03-01T11:34:56+00:00"
    assert of_brightspace("Sep 24, 2026 926 PM", BERLIN) == "2026-09-24T19:26:00+00:00"
    assert of_brightspace("Sep 24, 2026 1206 AM", BERLIN) == "2026-09-23T22:06:00+00:00"


@pytest.mark.parametrize("text", ["2026-13-01-12-34-56", "Sep 31, 2026 926 PM", "Foo 24, 2026 926 PM", ""])
def test_what_is_no_time_is_none(text: str) -> None:
    assert of_blackboard(text, None) == of_brightspace(text, None) == ""
