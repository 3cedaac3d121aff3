"""When an answer was handed in late, and what that costs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from grader.classroom.row import Row
from grader.kit.kit import KitError

DAY = timedelta(days=1)
_PERCENT = r"(\d{1,3}(?:\.\d{1,4})?)\s*%"


@dataclass(frozen=True)
class Lateness:
    """How late an answer is: the days begun since it was due, or None if its system marks it late and no more is known."""

    days: int | None

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
        """The share for one answer; None if it depends on days that are not known."""
        if not self.a_day:
            return self.share
        return None if late.days is None else min(self.share * late.days, self.most)


@dataclass(frozen=True)
class Deadline:
    """When answers are due, and what it costs to be late. Without a time, an answer is late if its system marks it.

    Attributes:
        due: with its zone.
        deduction: None if being late costs nothing.
    """

    due: datetime | None = None
    deduction: Deduction | None = None

    def of(self, row: Row) -> Lateness | None:
        """How late an answer is; None if it is not, or if nothing says so. A time counts before the mark of the system."""
        submitted = moment(row.submitted)
        if self.due is None or submitted is None:
            return Lateness(None) if row.late else None
        return Lateness(-((self.due - submitted) // DAY)) if submitted > self.due else None


def moment(submitted: str) -> datetime | None:
    """The time in a row; None if it is not known. A row has its times in UTC."""
    try:
        found = datetime.fromisoformat(submitted)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def read_time(given: Any) -> datetime:
    """A time with its zone, as text or as TOML has it.

    Raises:
        KitError: it is no time, or has no zone: nobody knows then when it is.
    """
    try:
        found = given if isinstance(given, datetime) else datetime.fromisoformat(given)
    except (TypeError, ValueError):
        raise KitError(f"{str(given)!r} is no time: write one such as 2026-09-24T23:59:00+02:00.") from None
    if found.tzinfo is None:
        raise KitError(
            f"{str(given)!r} has no zone: write one such as 2026-09-24T23:59:00+02:00, or 2026-09-24T21:59:00Z for UTC."
        )
    return found


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
