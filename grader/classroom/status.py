"""How a class stands: outcomes by problem, and verdicts in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from grader.classroom.row import VERDICT, Row


def outcome(row: Row) -> str:
    """The status of a verdict, or else the state of the row: "fault" or "due"."""
    return str(row.verdict["status"]) if row.state == VERDICT and row.verdict is not None else row.state


def by_problem(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """For each problem, how many answers have each outcome."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in sorted({row.problem for row in rows})}
    for row in rows:
        counts[row.problem][outcome(row)] += 1
    return counts


def in_words(verdict: Mapping[str, Any]) -> str:
    """A verdict in a word or two: `wrong: half-exponent`."""
    status, names = _essence(verdict)
    return f"{status}: {' + '.join(names)}" if names else status


def _essence(verdict: Mapping[str, Any]) -> tuple[str, list[str]]:
    return str(verdict["status"]), [str(name) for name in verdict["pitfalls"]]
