"""Points beside the verdicts: a rule says what each outcome is worth, and changing the rule grades nothing again."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

from grader.classroom.late import Deadline, Lateness, moment, read_deduction, read_time
from grader.classroom.row import VERDICT, Row
from grader.kit.kit import KitError
from grader.marking.verdict import Status

STATUSES = tuple(status.value for status in Status)
ANY = "insight"
"""In a rule: any remark on a right answer."""

INSIGHTS = (
    "imprecise",
    "long-trace",
    "not-traceable",
    "loop-removed",
    "prints",
    "xor",
    "as-called",
    "hidden-by-rounding",
    "x64",
    "unused-update",
)
DEFAULT = "correct=1"


@dataclass(frozen=True)
class Rule:
    """What an outcome is worth. A right answer with remarks is worth the least of what its remarks are worth.

    The value of a remark by its name counts before that of `insight`. What has no value is worth 0.
    """

    values: Mapping[str, Fraction]

    @property
    def most(self) -> Fraction:
        """The points that a problem is out of."""
        return max(self.values.values(), default=Fraction(0))

    def of(self, verdict: Mapping[str, Any]) -> Fraction:
        """The points of one verdict."""
        status = str(verdict["status"])
        points = self.values.get(status, Fraction(0))
        if status != Status.CORRECT:
            return points
        names = [str(one["name"]) for one in verdict["insights"] or ()]
        remarks = [self.values.get(name, self.values.get(ANY)) for name in names]
        return min((one for one in remarks if one is not None), default=points)


@dataclass(frozen=True)
class Points:
    """The rule of each problem, its own or the one for all, and when answers are due."""

    default: Rule
    own: Mapping[str, Rule] = field(default_factory=dict[str, Rule])
    deadline: Deadline = field(default_factory=Deadline)

    def rule(self, problem: str) -> Rule:
        return self.own.get(problem, self.default)

    def most(self, problem: str) -> Fraction:
        return self.rule(problem).most

    def before(self, row: Row) -> Fraction | None:
        """The points of a row before lateness; None where there is no verdict. A fault of the grader is never a number."""
        return None if row.state != VERDICT or row.verdict is None else self.rule(row.problem).of(row.verdict)

    def late(self, row: Row) -> Lateness | None:
        """How late the answer of a row is; None if it is not."""
        return self.deadline.of(row)

    def of(self, row: Row) -> Fraction | None:
        """The points of a row. None also where they depend on how late the answer is, and that is not known."""
        before, late, deduction = self.before(row), self.late(row), self.deadline.deduction
        if not before or late is None or deduction is None:
            return before
        share = deduction.of(late)
        return None if share is None else before * (1 - share)

    def unsure(self, rows: Iterable[Row]) -> list[str]:
        """What is not known of times, in one line each."""
        rows, due = list(rows), self.deadline.due
        lines: list[str] = []
        if unknown := [row for row in rows if self.of(row) is None and self.before(row) is not None]:
            timed = any(moment(row.submitted) for row in unknown)
            way = "Give --due TIME, or" if due is None and timed else "The gradebook has no times of theirs:"
            who = ", ".join(sorted({row.student for row in unknown}))
            lines.append(
                f"Late by a number of days that is not known, and so without points: {who}. {way} use a rule that counts no "
                'days, such as late = "20%".'
            )
        if due is None and self.deadline.deduction is not None and self.deadline.deduction.a_day:
            lines.append("`late` counts days, and no time is given: --due TIME says when answers are due.")
        timeless = sum(moment(row.submitted) is None and not row.late for row in rows) if due else 0
        if timeless:
            lines.append(
                f"When it was handed in is not known of {timeless} of {len(rows)} answers: they count as in time."
            )
        return lines


def read_points(given: str | None, due: datetime | None = None) -> Points:
    """A rule as text, or the file of rules that the text names.

    Args:
        due: counts before what the file says.

    Raises:
        KitError: the text is no rule, or the file cannot be read.
    """
    given = DEFAULT if given is None else given
    points = Points(parsed(given)) if "=" in given and not given.endswith(".toml") else _of_file(given)
    return points if due is None else replace(points, deadline=replace(points.deadline, due=due))


def _of_file(given: str) -> Points:
    try:
        table = tomllib.loads(Path(given).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise KitError(f"{given} cannot be read as a file of points: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise KitError(f"{given} is not TOML: {error}") from None
    own = table.get("problems", {})
    rules = [table.get("points", DEFAULT), *(own.values() if isinstance(own, dict) else [None])]
    if set(table) - {"points", "problems", "due", "late"} or not all(isinstance(one, str) for one in rules):
        raise KitError(
            f'{given}: write `points = "correct=1"`, `due = "TIME"`, `late = "10% a day"`, and under [problems] lines such '
            'as `NAME = "correct=2"`.'
        )
    try:
        deadline = Deadline(
            read_time(table["due"]) if "due" in table else None,
            read_deduction(table["late"]) if "late" in table else None,
        )
    except KitError as error:
        raise KitError(f"{given}: {error}") from None
    return Points(parsed(str(rules[0])), {name: parsed(str(text)) for name, text in own.items()}, deadline)


def parsed(text: str) -> Rule:
    """A rule such as `correct=1,imprecise=0.95`.

    Raises:
        KitError: it names what is no outcome, or gives what is no number of points.
    """
    values: dict[str, Fraction] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, _, number = (one.strip() for one in part.partition("="))
        if name not in (*STATUSES, ANY, *INSIGHTS):
            raise KitError(
                f"Points for {name!r}: there is no such outcome. Known: {', '.join((*STATUSES, ANY, *INSIGHTS))}."
            )
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,4})?", number):
            raise KitError(f"Points for {name}: {number!r} is no number such as 1 or 0.95.")
        if name in values:
            raise KitError(f"Points for {name} are given twice.")
        values[name] = Fraction(number)
    return Rule(values)


def number(points: Fraction) -> int | float:
    """Points for JSON."""
    return int(points) if points.denominator == 1 else float(points)


def in_text(points: Fraction | None) -> str:
    """Points for a cell of a table: a point as the decimal sign, no exponent, and nothing if they are not known."""
    return "" if points is None else format(Decimal(str(number(points))), "f")


def rounded(points: Fraction) -> Fraction:
    """Points with at most two decimals: what other systems keep."""
    return Fraction(floor(points * 100 + Fraction(1, 2)), 100)


def check_whole(points: Points, problems: Iterable[str], where: str) -> None:
    """Raises:
    KitError: some rule gives a fraction of a point, which `where` does not take.
    """
    for problem in problems:
        broken = [f"{name}={in_text(one)}" for name, one in points.rule(problem).values.items() if one.denominator != 1]
        if broken:
            raise KitError(
                f"{where} takes whole points only, and the rule for {problem} has {', '.join(broken)}. "
                "Multiply all its points, for example by 100."
            )
