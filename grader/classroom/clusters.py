"""Wrong answers that nothing explains, put together by what they give: one mistake, made by several students."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.classroom.database import Unusable
from grader.classroom.row import VERDICT, Row, smallest_failing
from grader.marking.comparison import IMPRECISE
from grader.marking.sample import OfCase, apart, read
from grader.marking.verdict import Status

DISTINCT = 64.0
"""Two mistakes are told apart for sure if some value differs by this many tolerances. The audit asks it of pitfalls too."""


@dataclass(frozen=True)
class Cluster:
    """Answers to one problem that go wrong in the same way, the earliest first.

    Attributes:
        raised: the exception of the first of them; empty for values.
        values: the sample of the first of them; None for an exception, and where none is kept.
    """

    rows: tuple[Row, ...]
    raised: str = ""
    values: Sequence[OfCase] | None = None

    @property
    def students(self) -> list[str]:
        return [row.student for row in self.rows]

    @property
    def verdict(self) -> dict[str, Any]:
        """The verdict on the first of them."""
        verdict = self.rows[0].verdict
        assert verdict is not None
        return verdict


def clusters(rows: Sequence[Row]) -> list[Cluster]:
    """The unexplained answers to one problem, the largest cluster first.

    Two answers belong together if they name the same mistakes, pass on the same cases, and no two of their values that are
    kept differ by more than those of two right answers may: `IMPRECISE` tolerances. An answer is compared with the first
    one of each cluster only, since nearness is not transitive. Where no values are kept of one of them, the largest error
    on each case and the values shown of the smallest failing case are compared instead.

    Raises:
        Unusable: if values that the gradebook keeps are damaged.
    """
    ordered = sorted(rows, key=lambda row: (row.submitted, row.student))
    found: list[tuple[Sequence[OfCase] | None, list[Row]]] = []
    raised: dict[str, list[Row]] = {}
    for row in ordered:
        if row.state != VERDICT or row.verdict is None:
            continue
        if row.verdict["status"] == Status.ERROR and row.verdict["raised"]:
            raised.setdefault(re.sub(r"[0-9]+", "N", _in_words(row.verdict["raised"])), []).append(row)
        elif unexplained(row):
            values = _values(row)
            same = next((rows for of, rows in found if _same(rows[0], of, row, values)), None)
            (found.append((values, [row])) if same is None else same.append(row))
    whole = [
        *(Cluster(tuple(rows), values=values) for values, rows in found),
        *(_of_exception(one) for one in raised.values()),
    ]
    return sorted(whole, key=lambda one: -len(one.rows))


def _values(row: Row) -> Sequence[OfCase] | None:
    try:
        return read(row.sample) if row.sample else None
    except ValueError as error:
        raise Unusable(
            f"The gradebook holds {error}, of {row.student} and {row.problem}: `class grade FOLDER {row.problem} --regrade` "
            "grades the problem again."
        ) from error


def unexplained(row: Row) -> bool:
    """Whether a row is a wrong answer that nothing explains in full."""
    verdict = row.verdict or {}
    return bool(verdict) and verdict["status"] == Status.WRONG and not verdict["explained"] and bool(verdict["cases"])


def perhaps_one(found: Sequence[Cluster]) -> dict[tuple[int, int], float]:
    """The clusters that are not told apart for sure: by two indices, how many tolerances their first answers are apart.

    They may pass on other cases, since a value may be just within its tolerance.
    """
    pairs = itertools.combinations(enumerate(found), 2)
    gaps = {
        (index, other): apart(one.values, two.values, DISTINCT)
        for (index, one), (other, two) in pairs
        if one.values is not None and two.values is not None
    }
    return {pair: gap for pair, gap in gaps.items() if gap < DISTINCT}


def _of_exception(rows: Sequence[Row]) -> Cluster:
    """Answers whose exceptions differ in numbers at most."""
    return Cluster(tuple(rows), _in_words((rows[0].verdict or {})["raised"]))


def _in_words(raised: dict[str, Any]) -> str:
    return f"{raised['type']}: {str(raised['message']).strip().partition(chr(10))[0]}"


def _same(one: Row, values: Sequence[OfCase] | None, other: Row, others: Sequence[OfCase] | None) -> bool:
    mine, theirs = one.verdict or {}, other.verdict or {}
    if [_form(case) for case in mine["cases"]] != [_form(case) for case in theirs["cases"]]:
        return False
    if mine["pitfalls"] != theirs["pitfalls"]:
        return False
    if values is None or others is None:
        return _errors_alike(mine, theirs)
    return apart(values, others, IMPRECISE) <= IMPRECISE


def _errors_alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    for mine, theirs in zip(one["cases"], other["cases"], strict=True):
        if not _near(mine["error"], theirs["error"], mine["tolerance"]):
            return False
    first, second = one["excerpt"], other["excerpt"]
    if first is None or second is None:
        return first is second
    failing = smallest_failing(one)
    tolerance = 0.0 if failing is None else failing["tolerance"]
    same_place = (first["place"], first["columns"]) == (second["place"], second["columns"])
    return same_place and all(
        _near(mine, theirs, tolerance) for mine, theirs in zip(first["yours"], second["yours"], strict=True)
    )


def _form(case: dict[str, Any]) -> tuple[str, str]:
    return str(case["args"]), case["status"]


def _near(one: float | str | None, other: float | str | None, tolerance: float | str | None) -> bool:
    """Whether two numbers are near. Infinities and NaN are texts in a verdict, and equal or not."""
    if isinstance(one, float | int) and isinstance(other, float | int) and isinstance(tolerance, float | int):
        return abs(one - other) <= IMPRECISE * tolerance
    return one == other
