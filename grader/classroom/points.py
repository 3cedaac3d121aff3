"""Points beside the verdicts: a rule says what each outcome is worth, and changing the rule grades nothing again."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

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
    """The rule of each problem: its own, or else the one for all."""

    default: Rule
    own: Mapping[str, Rule] = field(default_factory=dict[str, Rule])

    def rule(self, problem: str) -> Rule:
        return self.own.get(problem, self.default)

    def most(self, problem: str) -> Fraction:
        return self.rule(problem).most

    def of(self, row: Row) -> Fraction | None:
        """The points of a row; None where there is no verdict. A fault of the grader is never a number."""
        return None if row.state != VERDICT or row.verdict is None else self.rule(row.problem).of(row.verdict)


def read_points(given: str | None) -> Points:
    """A rule as text, or the file of rules that the text names.

    Raises:
        KitError: the text is no rule, or the file cannot be read.
    """
    given = DEFAULT if given is None else given
    if "=" in given and not given.endswith(".toml"):
        return Points(parsed(given))
    try:
        table = tomllib.loads(Path(given).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise KitError(f"{given} cannot be read as a file of points: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise KitError(f"{given} is not TOML: {error}") from None
    own = table.get("problems", {})
    rules = [table.get("points", DEFAULT), *(own.values() if isinstance(own, dict) else [None])]
    if set(table) - {"points", "problems"} or not all(isinstance(one, str) for one in rules):
        raise KitError(
            f'{given}: write `points = "correct=1"`, and under [problems] lines such as `NAME = "correct=2"`.'
        )
    return Points(parsed(str(rules[0])), {name: parsed(str(text)) for name, text in own.items()})


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


def in_text(points: Fraction) -> str:
    """Points for a cell of a table: a point as the decimal sign, and nothing between thousands."""
    return str(number(points))


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
