"""Points beside the verdicts: a rule says what each outcome is worth, and changing the rule grades nothing again."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

from grader.classroom.late import Deadline, Lateness, read_deduction, read_extension, read_span, read_time, time_of_row
from grader.classroom.row import VERDICT, Row
from grader.kit.kit import KitError
from grader.locale.language import gettext
from grader.marking.verdict import Status, Verdict

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
NUMBER = r"[0-9]{1,6}(\.[0-9]{1,4})?"
"""A number of points."""
LAST, ON_TIME, BEST = "last", "last on time", "best"
"""Which attempt of a student counts."""


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

    def of(self, verdict: Verdict) -> Fraction:
        """The points of one verdict."""
        points = self.values.get(verdict.status, Fraction(0))
        if verdict.status is not Status.CORRECT:
            return points
        remarks = [self.values.get(remark.name, self.values.get(ANY)) for remark in verdict.insights]
        return min((value for value in remarks if value is not None), default=points)


@dataclass(frozen=True)
class ByHand:
    """Points that somebody gave one answer; they count in the place of those of its verdict.

    Attributes:
        why: in words; empty where no reason is given.
    """

    points: Fraction
    why: str = ""


@dataclass(frozen=True)
class Points:
    """The rule of each problem, its own or the one for all, when answers are due, and what holds for single students.

    Attributes:
        attempt: which attempt counts: `LAST`, `ON_TIME` or `BEST`.
        bonus: problems that add to a sum, and not to what it is out of.
        excused: by the id of a student, the problems that the student need not answer; None for all.
        by_hand: by the id of a student and the problem.
        keys: what the file of points says beside the rules.
    """

    default: Rule
    own: Mapping[str, Rule] = field(default_factory=dict[str, Rule])
    deadline: Deadline = field(default_factory=Deadline)
    attempt: str = LAST
    bonus: Collection[str] = ()
    excused: Mapping[str, Collection[str] | None] = field(default_factory=dict[str, Collection[str] | None])
    by_hand: Mapping[str, Mapping[str, ByHand]] = field(default_factory=dict[str, Mapping[str, ByHand]])
    keys: tuple[str, ...] = ()

    @property
    def problems(self) -> set[str]:
        """All problems that are named."""
        excused = [name for names in self.excused.values() for name in names or ()]
        return {*self.own, *self.bonus, *excused, *(name for given in self.by_hand.values() for name in given)}

    @property
    def students(self) -> set[str]:
        """All students who are named."""
        return {*self.by_hand, *self.excused, *self.deadline.extensions}

    def check(self) -> None:
        """Raises:
        KitError: a student is excused from what there are points by hand for.
        """
        for student, given in self.by_hand.items():
            if both := [name for name in given if self.is_excused(student, name)]:
                raise KitError(f"{student} is excused from {both[0]}, and has points by hand for it: leave out one.")

    def renamed(self, ids: Mapping[str, str]) -> Points:
        """A copy of the points, for students who are called by other ids here.

        Args:
            ids: by an id that may be named, the id that counts.

        Raises:
            KitError: a student is named by two ids, or there would be two sorts of points.
        """
        named = [
            [ids.get(student, student) for student in table]
            for table in (self.by_hand, self.excused, self.deadline.extensions)
        ]
        if twice := [name for names in named for name in names if names.count(name) > 1]:
            raise KitError(f"The points file names {twice[0]} by two ids: leave out one.")
        by_hand, excused, extensions = named
        deadline = replace(
            self.deadline, extensions=dict(zip(extensions, self.deadline.extensions.values(), strict=True))
        )
        points = replace(
            self,
            deadline=deadline,
            excused=dict(zip(excused, self.excused.values(), strict=True)),
            by_hand=dict(zip(by_hand, self.by_hand.values(), strict=True)),
        )
        points.check()
        return points

    def rule(self, problem: str) -> Rule:
        return self.own.get(problem, self.default)

    def most(self, problem: str) -> Fraction:
        return self.rule(problem).most

    def is_excused(self, student: str, problem: str) -> bool:
        names = self.excused.get(student, ())
        return names is None or problem in names

    def given(self, student: str, problem: str) -> ByHand | None:
        """The points that a student was given for a problem by hand; None if there are none."""
        return self.by_hand.get(student, {}).get(problem)

    def before(self, row: Row) -> Fraction | None:
        """The points of a row before lateness; None where there is no verdict. A fault of the grader is never a number."""
        return None if row.state != VERDICT or row.verdict is None else self.rule(row.problem).of(row.verdict)

    def late(self, row: Row) -> Lateness | None:
        """How late the answer of a row is; None if it is not."""
        return self.deadline.of(row)

    def of(self, row: Row) -> Fraction | None:
        """The points of a row; those that were given by hand count as they are.

        None also where the student is excused, and where they depend on how late the answer is, and that is not known.
        """
        if self.is_excused(row.student, row.problem):
            return None
        if given := self.given(row.student, row.problem):
            return given.points
        before, late, deduction = self.before(row), self.late(row), self.deadline.deduction
        if not before or late is None or deduction is None:
            return before
        share = deduction.of(late)
        return None if share is None else before * (1 - share)

    def remark(self, student: str, problem: str) -> str:
        """What makes the points of a student for a problem others than those of the verdict; empty if nothing does."""
        given = self.given(student, problem)
        hand = gettext("by hand") if given else ""
        told = (
            gettext("excused") if self.is_excused(student, problem) else "",
            f"{hand}: {given.why}" if given and given.why else hand,
            gettext("bonus") if problem in self.bonus else "",
        )
        return ", ".join(filter(None, told))

    def notes(self, rows: Iterable[Row]) -> list[str]:
        """What is not known of times, and what was given by hand, in one line each."""
        rows, due = list(rows), self.deadline.due
        lines: list[str] = []
        asked = [row for row in rows if not self.is_excused(row.student, row.problem)]
        unknown = [row for row in asked if self.of(row) is None and self.before(row) is not None]
        by_days = [row for row in unknown if (late := self.late(row)) and late.sure]
        if by_days:
            timed = any(time_of_row(row.submitted) for row in by_days)
            way = "Give --due TIME, or" if due is None and timed else "The gradebook has no times of theirs:"
            lines.append(
                f"Late by a number of days that is not known, and so without points: {_students(by_days)}. {way} use a rule "
                'that counts no days, such as late = "20%".'
            )
        if unsure := [row for row in unknown if row not in by_days]:
            lines.append(
                "Marked late by their system, at a time that is not known, though the points file gives more time; and so "
                f"without points: {_students(unsure)}. [by_hand] in the points file can say what the answers are worth."
            )
        if near := [row for row in asked if self.deadline.near_the_end_of_a_day(row)]:
            lines.append(
                f"An hour more or less would change how many days these are late: {_students(near)}. `due` has an offset, "
                "which tells nothing of clocks that change: give it the name of its zone, such as 2026-10-31 20:00 "
                "America/New_York."
            )
        if due is None and self.deadline.deduction is not None and self.deadline.deduction.a_day:
            lines.append("`late` counts days, and no time is given: --due TIME says when answers are due.")
        timeless = sum(time_of_row(row.submitted) is None and not row.late for row in rows) if due else 0
        if timeless:
            lines.append(
                f"When it was handed in is not known of {timeless} of {len(rows)} answers: they count as in time."
            )
        hands = [
            f"{who} {name} {in_text(hand_grade.points)}"
            for who in self.by_hand
            for name, hand_grade in self.by_hand[who].items()
        ]
        if hands:
            lines.append(f"Points by hand, in the place of those of the verdict: {', '.join(hands)}.")
        return lines


def _students(rows: Iterable[Row]) -> str:
    return ", ".join(sorted({row.student for row in rows}))


def read_points(given: str | None, due: datetime | None = None, kept: Points | None = None) -> Points:
    """A rule as text, or the file of rules that the text names.

    Args:
        given: None for what is kept.
        due: counts before what the file says.
        kept: what `class grade` was given: its `attempt` counts where no other is given.

    Raises:
        KitError: the text is no rule, or the file cannot be read, or lets another attempt count than the one that does.
    """
    if given is None:
        points = kept or Points(parsed(DEFAULT))
    else:
        points = of_toml(points_text(given), given)
        if kept is not None and "attempt" not in points.keys:
            points = replace(points, attempt=kept.attempt)
        if kept is not None and points.attempt != kept.attempt:
            raise KitError(
                f'{given} lets the attempt "{points.attempt}" count, and in the gradebook it is "{kept.attempt}": give the '
                "file to `class grade` first, with --points."
            )
    points = points if due is None else replace(points, deadline=replace(points.deadline, due=due))
    longer = [student for student, more in points.deadline.extensions.items() if isinstance(more, timedelta)]
    if points.deadline.due is None and longer:
        raise KitError(
            f"The extension of {longer[0]} is a length of time, and no time is given: add `due` to the file."
        )
    return points


def points_path(given: str) -> Path | None:
    """The file that a text names; None where the text is a rule."""
    return None if "=" in given and not given.endswith(".toml") else Path(given)


def points_text(given: str) -> str:
    """A rule, or the file of rules that it names, as the text of a file.

    Raises:
        KitError: it cannot be read.
    """
    if points_path(given) is None:
        return f"points = {json.dumps(given)}"
    try:
        return Path(given).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise KitError(f"{given} cannot be read as a file of points: {error}") from None


def of_toml(text: str, given: str) -> Points:
    """The rules in the text of a file.

    Raises:
        KitError: the text is none of points.
    """
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise KitError(f"{given} is not TOML: {error}") from None
    try:
        return _read(table)
    except KitError as error:
        raise KitError(f"{given}: {error}") from None


FORMS = {
    "points": '`points = "correct=1"`',
    "due": '`due = "2026-09-24 23:59 Europe/Berlin"`',
    "late": '`late = "10% a day"`',
    "grace": '`grace = "15 minutes"`',
    "attempt": '`attempt = "last"`, `"last on time"` or `"best"`',
    "bonus": '`bonus = ["NAME"]`',
    "problems": 'under [problems] `NAME = "correct=2"`',
    "extensions": 'under [extensions] `ID = "3 days"`, or a time',
    "excused": 'under [excused] `ID = true` or `ID = ["NAME"]`',
    "by_hand": 'under [by_hand.ID] `NAME = 3.5` or `NAME = {points = 3.5, why = "..."}`',
}
"""How each key of a file of points is written."""


def _read(table: Mapping[str, Any]) -> Points:
    """Raises:
    KitError: a key is not known, or its value is not as it should be.
    """
    if unknown := sorted(set(table) - set(FORMS)):
        raise KitError(f"there is no key {unknown[0]!r}. Write {'; '.join(FORMS.values())}.")
    deadline = Deadline(
        read_time(table["due"]) if "due" in table else None,
        read_deduction(table["late"]) if "late" in table else None,
        read_span(table.get("grace", "0 minutes")),
        {student: read_extension(given) for student, given in _table(table, "extensions").items()},
    )
    attempt, hands = table.get("attempt", LAST), _table(table, "by_hand")
    _expect("attempt", attempt in (LAST, ON_TIME, BEST))
    points = Points(
        _rule("points", table.get("points", DEFAULT)),
        {name: _rule("problems", text) for name, text in _table(table, "problems").items()},
        deadline,
        str(attempt),
        _names("bonus", table.get("bonus", [])),
        {
            student: None if given is True else _names("excused", given, f" of {student}")
            for student, given in _table(table, "excused").items()
            if given is not False
        },
        {
            hand: {name: _by_hand(each, f".{hand}: {name}") for name, each in _table(hands, hand, "by_hand").items()}
            for hand in hands
        },
        tuple(name for name in table if name not in ("points", "problems")),
    )
    points.check()
    return points


def _expect(key: str, right: bool, given: str = "") -> None:
    """Args:
    given: whose value it is, and the value.
    """
    if not right:
        raise KitError(f"{key}{given} is not as it should be: write {FORMS[key]}.")


def _table(table: Mapping[str, Any], name: str, key: str = "") -> dict[str, Any]:
    found = table.get(name, {})
    _expect(key or name, isinstance(found, dict))
    return found


def _rule(key: str, text: Any) -> Rule:
    _expect(key, isinstance(text, str))
    return parsed(text)


def _names(key: str, given: Any, of: str = "") -> frozenset[str]:
    _expect(key, isinstance(given, list) and all(isinstance(name, str) for name in given), f"{of} = {given!r}")
    return frozenset(given)


def _by_hand(given: Any, of: str) -> ByHand:
    """Points by hand: a number, or a table of the number and the reason."""
    table: dict[str, Any] = given if isinstance(given, dict) else {"points": given}
    points, why = table.get("points"), table.get("why", "")
    text = str(points) if isinstance(points, int | Decimal) and not isinstance(points, bool) else ""
    right = re.fullmatch(NUMBER, text) and isinstance(why, str) and set(table) <= {"points", "why"}
    _expect("by_hand", bool(right), f"{of} = {points}")
    return ByHand(Fraction(text), why)


def parsed(text: str) -> Rule:
    """A rule such as `correct=1,imprecise=0.95`.

    Raises:
        KitError: it names what is no outcome, or gives what is no number of points.
    """
    values: dict[str, Fraction] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in (*STATUSES, ANY, *INSIGHTS):
            raise KitError(
                f"Points for {name!r}: there is no such outcome. Known: {', '.join((*STATUSES, ANY, *INSIGHTS))}."
            )
        if not re.fullmatch(NUMBER, number):
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
        broken = [
            f"{name}={in_text(value)}" for name, value in points.rule(problem).values.items() if value.denominator != 1
        ]
        if broken:
            raise KitError(
                f"{where} takes whole points only, and the rule for {problem} has {', '.join(broken)}. "
                "Multiply all its points, for example by 100."
            )
