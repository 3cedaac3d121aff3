"""How a class stands: outcomes by problem, and verdicts in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grader.classroom.row import VERDICT, Row
from grader.marking.verdict import Verdict


def outcome(row: Row) -> str:
    """The status of a verdict, or else the state of the row: "fault" or "due"."""
    return row.verdict.status.value if row.state == VERDICT and row.verdict is not None else row.state


def by_problem(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """For each problem, how many answers have each outcome."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in sorted({row.problem for row in rows})}
    for row in rows:
        counts[row.problem][outcome(row)] += 1
    return counts


def in_words(verdict: Verdict) -> str:
    """A verdict in a word or two: `wrong: half-exponent`."""
    names = verdict.diagnosis.names
    return f"{verdict.status.value}: {' + '.join(names)}" if names else verdict.status.value
