"""When an answer was handed in, in the times that learning platforms write, and what it costs if that was late."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from fractions import Fraction
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from grader.classroom.row import Row
from grader.kit.kit import KitError


class UnclearTime(Exception):
    """A time that nobody can tell; the message says why, as a sentence without a capital."""


def zone_named(name: str) -> tzinfo:
    """The zone of a name such as Europe/Berlin.

    Raises:
        KitError: there is no such zone.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise KitError(f"There is no time zone {name!r}: give a name such as Europe/Berlin or UTC.") from None


def in_utc(moment: datetime, zone: tzinfo | None) -> str:
    """A time as gradebooks hold it.

    Args:
        moment: with a zone of its own, or as a clock in `zone` shows it.
        zone: None for the zone of this machine.
    """
    local = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
    return local.astimezone(UTC).isoformat()


def of_nbgrader(text: str, zone: tzinfo | None) -> str:
    """The time in nbgrader's `timestamp.txt` (2026-11-23 12:00:00.123456 UTC).

    nbgrader writes the abbreviation of its own zone, such as CET. It counts where all zones that use it have one offset at
    that time, or where it is the abbreviation in `zone`.

    Raises:
        Unclear: this is no such time, or its zone has several meanings.
    """
    found = re.fullmatch(
        r"\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,6})?\s*([A-Za-z_/+-]+\d*|[+-]\d\d:?\d\d|)\s*", text
    )
    if not found:
        raise UnclearTime("no time as nbgrader writes it (2026-11-23 12:00:00 UTC)")
    day, clock, fraction, name = found.groups("")
    if not name and zone is None:
        raise UnclearTime("it names no zone: say with --zone which one it is, as in --zone Europe/Berlin")
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{fraction}")
        return in_utc(moment.replace(tzinfo=_zone(name, moment, zone)), None)
    except (ValueError, OverflowError):
        raise UnclearTime("no time that there is") from None


def _zone(name: str, moment: datetime, zone: tzinfo | None) -> tzinfo:
    if not name and zone is not None:
        return zone
    if name in ("UTC", "GMT", "Z"):
        return UTC
    if offset := re.fullmatch(r"([+-])(\d\d):?(\d\d)", name):
        sign, hours, minutes = offset.groups()
        return timezone((-1 if sign == "-" else 1) * timedelta(hours=int(hours), minutes=int(minutes)))
    if zone is not None and moment.replace(tzinfo=zone).tzname() == name:
        return zone
    if "/" in name and name in available_timezones():
        return ZoneInfo(name)
    offsets = {offset for known_zone in _zones() if (offset := _offset(known_zone, name, moment)) is not None}
    if len(offsets) != 1:
        known = "no known zone" if not offsets else "the name of several zones"
        raise UnclearTime(f"{name} is {known}: say with --zone which one it is, as in --zone Europe/Berlin")
    return timezone(offsets.pop())


def _offset(zone: ZoneInfo, name: str, moment: datetime) -> timedelta | None:
    local = moment.replace(tzinfo=zone)
    return local.utcoffset() if local.tzname() == name else None


@cache
def _zones() -> list[ZoneInfo]:
    return [ZoneInfo(name) for name in sorted(available_timezones())]


def of_blackboard(text: str, zone: tzinfo | None) -> str:
    """The time in a name of Blackboard's (2026-03-01-12-34-56); empty where there is no such time."""
    try:
        return in_utc(datetime.strptime(text, "%Y-%m-%d-%H-%M-%S"), zone)
    except (ValueError, OverflowError):
        return ""


def of_aplus(text: str) -> str:
    """The time in the name of a folder of A+'s (2026-03-01T12:00:00.123456+02:00); empty where there is no such time.

    Not every system takes `:` in a name: another mark may stand in its place.
    """
    found = re.fullmatch(
        r"(\d{4}-\d\d-\d\dT\d\d)\D(\d\d)\D(\d\d(?:\.\d{1,6})?)(?:Z|([+-]\d\d)\D?(\d\d))(?: \(best\))?", text
    )
    if not found:
        return ""
    hour, minute, second, *zone = found.groups("00")
    offset = ":".join(zone) if found[4] else "+00:00"
    try:
        return in_utc(datetime.fromisoformat(f"{hour}:{minute}:{second}{offset}"), None)
    except (ValueError, OverflowError):
        return ""


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def of_brightspace(text: str, zone: tzinfo | None) -> str:
    """The time in a name of Brightspace's (Sep 24, 2026 926 PM); empty where there is no such time."""
    found = re.fullmatch(r"([A-Za-z]{3})\w* (\d{1,2}), (\d{4}) (\d{1,2})(\d\d) ([AP])M", text)
    if not found or found[1].lower() not in MONTHS:
        return ""
    month, hour = MONTHS.index(found[1].lower()) + 1, int(found[4]) % 12 + (12 if found[6] == "P" else 0)
    try:
        return in_utc(datetime(int(found[3]), month, int(found[2]), hour, int(found[5])), zone)
    except (ValueError, OverflowError):
        return ""


DAY, HOUR = timedelta(days=1), timedelta(hours=1)
EXAMPLE = "2026-09-24T23:59:00+02:00"
UNITS = {"minute": timedelta(minutes=1), "hour": HOUR, "day": DAY}
_PERCENT = r"(\d{1,3}(?:\.\d{1,4})?)\s*%"


@dataclass(frozen=True)
class Lateness:
    """How late an answer is: the days begun since it was due, or None if its system marks it late and no more is known.

    Attributes:
        sure: False where the mark alone is known of one who has more time than the others, so that it may be in time.
    """

    days: int | None
    sure: bool = True

    def __str__(self) -> str:
        if self.days is None:
            return "marked"
        return f"{self.days} day" if self.days == 1 else f"{self.days} days"


@dataclass(frozen=True)
class Deduction:
    """The share of its points that a late answer loses: once, or for each day begun and at most `most`."""

    share: Fraction
    a_day: bool = False
    most: Fraction = Fraction(1)

    def of(self, late: Lateness) -> Fraction | None:
        """The share for one answer; None if it depends on what is not known."""
        if not late.sure:
            return None
        if not self.a_day:
            return self.share
        return None if late.days is None else min(self.share * late.days, self.most)


@dataclass(frozen=True)
class Deadline:
    """When answers are due, and what it costs to be late. Without a time, an answer is late if its system marks it.

    Attributes:
        due: with its zone. If that has a name, a day is one of the calendar there: it may have 23 or 25 hours.
        deduction: None if being late costs nothing.
        grace: so much later is not late yet. The days of what is late count from `due` all the same.
        extensions: by the id of a student, when the answers are due, or how much later than those of the others.
    """

    due: datetime | None = None
    deduction: Deduction | None = None
    grace: timedelta = timedelta()
    extensions: Mapping[str, datetime | timedelta] = field(default_factory=dict[str, datetime | timedelta])

    def due_of(self, student: str) -> datetime | None:
        """When the answers of a student are due."""
        more = self.extensions.get(student, timedelta())
        if isinstance(more, datetime):
            return more
        return self.due and self.due + more  # by the clock of the zone, if it has a name

    def of(self, row: Row) -> Lateness | None:
        """How late an answer is; None if it is not, or if nothing says so. A time counts before the mark of the system."""
        due, at = self.due_of(row.student), time_of_row(row.submitted)
        if due is None or at is None:
            return Lateness(None, sure=not self.grace and row.student not in self.extensions) if row.late else None
        if at <= due.astimezone(UTC) + self.grace:
            return None
        return Lateness(_days(due, at))

    def near_the_end_of_a_day(self, row: Row) -> bool:
        """Whether a change of the clock since `due` would make another number of days, and the zone does not tell of it."""
        due, at, late = self.due_of(row.student), time_of_row(row.submitted), self.of(row)
        if due is None or at is None or late is None or due.tzinfo in (None, UTC) or isinstance(due.tzinfo, ZoneInfo):
            return False
        return _days(due, at - HOUR) != _days(due, at + HOUR)


def _days(due: datetime, at: datetime) -> int:
    """The days begun, by the clock of the zone of `due`. What is late is late by one day or more."""
    there = at.astimezone(due.tzinfo).replace(tzinfo=None)
    return max(1, -((due.replace(tzinfo=None) - there) // DAY))


def time_of_row(submitted: str) -> datetime | None:
    """The time in a row; None if it is not known. A row has its times in UTC."""
    try:
        found = datetime.fromisoformat(submitted)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def read_time(given: Any) -> datetime:
    """A time with its zone, as text or as TOML has it: `2026-09-24T23:59:00+02:00`, or `2026-09-24 23:59 Europe/Berlin`.

    Raises:
        KitError: it is no time, or has no zone: nobody knows then when it is.
    """
    text, _, zone = str(given).strip().rpartition(" ")
    named = not isinstance(given, datetime) and bool(re.match(r"[A-Za-z]", zone)) and bool(text)
    try:
        found = given if isinstance(given, datetime) else datetime.fromisoformat(text if named else given)
    except (TypeError, ValueError):
        raise KitError(
            f"{str(given)!r} is no time: write one such as {EXAMPLE}, or 2026-09-24 23:59 Europe/Berlin."
        ) from None
    if named and found.tzinfo is None:
        return _in_zone(found, zone)
    if found.tzinfo is None:
        raise KitError(f"{str(given)!r} has no zone: write one such as {EXAMPLE}, or 2026-09-24 23:59 Europe/Berlin.")
    if named:
        raise KitError(f"{str(given)!r} has two zones: leave out one.")
    return found


def _in_zone(found: datetime, name: str) -> datetime:
    """Raises:
    KitError: there is no such zone, or no such time there, or two.
    """
    zone = zone_named(name)
    first, second = (found.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        raise KitError(f"The clocks of {name} change at {found:%Y-%m-%d %H:%M}: choose a time an hour or two from it.")
    return first


def read_span(given: Any) -> timedelta:
    """A length of time such as `15 minutes`, `12 hours` or `3 days`.

    Raises:
        KitError: it is none.
    """
    found = re.fullmatch(rf"\s*(\d{{1,4}})\s+({'|'.join(UNITS)})s?\s*", str(given))
    if not found:
        raise KitError(f'{str(given)!r} is no length of time: write one such as "15 minutes", "12 hours" or "3 days".')
    return int(found[1]) * UNITS[found[2]]


def read_extension(given: Any) -> datetime | timedelta:
    """Until when, or how much longer, somebody has time.

    Raises:
        KitError: it is neither a time nor a length of time.
    """
    return read_span(given) if re.fullmatch(r"\s*\d+\s+[a-z]+\s*", str(given)) else read_time(given)


def read_deduction(given: Any) -> Deduction:
    """A rule such as `20%`, `10% a day`, or `10% a day, at most 50%`.

    Raises:
        KitError: it is none.
    """
    found = re.fullmatch(rf"\s*{_PERCENT}(?:\s+(a day)(?:\s*,\s*at most\s+{_PERCENT})?)?\s*", str(given))
    shares = [Fraction(part) / 100 for part in (found[1], found[3] or "100")] if found else []
    if not found or max(shares) > 1:
        raise KitError(
            f'late = {str(given)!r} is no such rule: write late = "10% a day, at most 50%", or late = "20%".'
        )
    return Deduction(shares[0], bool(found[2]), shares[1])
