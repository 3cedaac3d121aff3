"""Wrong answers that nothing explains, put together by what they give: one mistake, made by several students."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.classroom.row import VERDICT, Row
from grader.marking.judge import IMPRECISE
from grader.marking.verdict import Status


@dataclass(frozen=True)
class Cluster:
    """Answers to one problem that go wrong in the same way, the earliest first.

    Attributes:
        raised: the exception of the first of them; empty for values.
    """

    rows: tuple[Row, ...]
    raised: str = ""

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

    Two answers belong together if they pass on the same cases, and their largest error on each case and the values shown
    of the smallest failing case differ by no more than the values of two right answers may: `IMPRECISE` tolerances. An
    answer is compared with the first one of each cluster only, since nearness is not transitive.
    """
    ordered = sorted(rows, key=lambda row: (row.submitted, row.student))
    found: list[list[Row]] = []
    raised: dict[str, list[Row]] = {}
    for row in ordered:
        if row.state != VERDICT or row.verdict is None:
            continue
        if row.verdict["status"] == Status.ERROR and row.verdict["raised"]:
            raised.setdefault(re.sub(r"[0-9]+", "N", _in_words(row.verdict["raised"])), []).append(row)
        elif row.verdict["status"] == Status.WRONG and not row.verdict["explained"] and row.verdict["cases"]:
            near = next((one for one in found if _alike(one[0].verdict or {}, row.verdict)), None)
            (found.append([row]) if near is None else near.append(row))
    whole = [*(Cluster(tuple(one)) for one in found), *(_of_exception(one) for one in raised.values())]
    return sorted(whole, key=lambda one: -len(one.rows))


def _of_exception(rows: Sequence[Row]) -> Cluster:
    """Answers whose exceptions differ in numbers at most."""
    return Cluster(tuple(rows), _in_words((rows[0].verdict or {})["raised"]))


def _in_words(raised: dict[str, Any]) -> str:
    return f"{raised['type']}: {str(raised['message']).strip().partition(chr(10))[0]}"


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    if [_form(case) for case in one["cases"]] != [_form(case) for case in other["cases"]]:
        return False
    for mine, theirs in zip(one["cases"], other["cases"], strict=True):
        if not _near(mine["error"], theirs["error"], mine["tolerance"]):
            return False
    first, second = one["excerpt"], other["excerpt"]
    if first is None or second is None:
        return first is second
    tolerance = next((case["tolerance"] for case in one["cases"] if case["status"] == "fail"), 0.0)
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
