"""The times that learning platforms write, as ISO 8601 in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from grader.kit.kit import KitError


class Unclear(Exception):
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
        raise Unclear("no time as nbgrader writes it (2026-11-23 12:00:00 UTC)")
    day, clock, fraction, name = found.groups("")
    if not name and zone is None:
        raise Unclear("it names no zone: say with --zone which one it is, as in --zone Europe/Berlin")
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{fraction}")
        return in_utc(moment.replace(tzinfo=_zone(name, moment, zone)), None)
    except (ValueError, OverflowError):
        raise Unclear("no time that there is") from None


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
    offsets = {offset for one in _zones() if (offset := _offset(one, name, moment)) is not None}
    if len(offsets) != 1:
        known = "no known zone" if not offsets else "the name of several zones"
        raise Unclear(f"{name} is {known}: say with --zone which one it is, as in --zone Europe/Berlin")
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
