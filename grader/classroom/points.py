"""Points for verdicts: a rule that stands beside the verdicts, so that changing it grades nothing again."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from grader.classroom.row import Row
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import KitError
from grader.marking.verdict import Status

INSIGHT = "insight"
"""A right answer with a remark, such as a trace that grows with the sizes."""
EVERY = "every"
"""The table of a TOML file that counts for problems without one of their own."""
NAMES = (*(status.value for status in Status), INSIGHT)


class BadRule(KitError):
    """A rule of points that cannot be used. The message is one line that says where, and how to fix it."""


Rule = Mapping[str, Decimal]


@dataclass(frozen=True)
class Points:
    """What each outcome is worth: for every problem, or for one by its name."""

    every: Rule = field(default_factory=lambda: {Status.CORRECT.value: Decimal(1)})
    of_problem: Mapping[str, Rule] = field(default_factory=dict[str, Rule])

    def of(self, row: Row) -> Decimal | None:
        """The points of an answer; None where there is no verdict: a fault or an answer that is due is never a number."""
        if row.verdict is None:
            return None
        rule, status = self.of_problem.get(row.problem, self.every), str(row.verdict["status"])
        if status == Status.CORRECT and row.verdict["insights"] and INSIGHT in rule:
            return rule[INSIGHT]
        return rule.get(status, Decimal(0))

    def most(self, problem: str) -> Decimal:
        """The most points that an answer to a problem can have."""
        return max(self.of_problem.get(problem, self.every).values(), default=Decimal(0))


def points(given: str | None) -> Points:
    """Points from a rule such as `correct=1,insight=0.9`, or from a TOML file with a table for each problem.

    Raises:
        BadRule: if it is neither, or names an outcome that there is not.
    """
    if given is None:
        return Points()
    if "=" in given:
        pairs = (part.partition("=") for part in given.split(","))
        return Points(_rule({name.strip(): value.strip() for name, _, value in pairs}, "--points"))
    try:
        tables = tomllib.loads(read_text(Path(given)), parse_float=Decimal)
    except Unreadable as error:
        raise BadRule(
            f"--points: {given}: {error} Give a rule, as in correct=1,insight=0.9, or a TOML file."
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadRule(f"{given}: it is no TOML: {error}.") from error
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise BadRule(f"{given}: {name} stands outside of a table: write it below [{EVERY}], or below [PROBLEM].")
    rules = {name: _rule(table, f"{given}, [{name}]") for name, table in tables.items()}
    return Points(rules.pop(EVERY, Points().every), rules)


def _rule(pairs: Mapping[str, Any], where: str) -> dict[str, Decimal]:
    rule: dict[str, Decimal] = {}
    for name, value in pairs.items():
        if name not in NAMES:
            raise BadRule(f"{where}: there is no outcome {name!r}. There are {', '.join(NAMES)}.")
        try:
            rule[name] = Decimal(str(value))
        except InvalidOperation:
            raise BadRule(f"{where}: {name} should be a number of points, and is {value!r}.") from None
        if not rule[name].is_finite() or rule[name] < 0 or isinstance(value, bool):
            raise BadRule(f"{where}: {name} should be zero points or more, and is {value}.")
    return rule
