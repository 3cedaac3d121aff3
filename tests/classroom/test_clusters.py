"""Unexplained answers that give the same belong together, and others do not."""

from __future__ import annotations

from typing import Any

import pytest

from grader.classroom.clusters import Cluster, clusters
from grader.classroom.row import Row
from grader.marking.judge import IMPRECISE
from grader.marking.verdict import CaseResult, Diagnosis, Excerpt, Frame, Named, Raised, Status
from tests.classroom.exports.rows import json_of, row

TOLERANCE = 1e-6


def wrong(error: float = 0.5, yours: float = 2.0, fails: str = "pf", *, explained: bool = False) -> dict[str, Any]:
    cases = tuple(
        CaseResult({"T": size}, "fail" if one == "f" else "pass", error if one == "f" else 0.0, TOLERANCE)
        for size, one in enumerate(fails, 1)
    )
    excerpt = Excerpt("row 0", ("column 0",), (1.5,), (yours,), (True,))
    diagnosis = Diagnosis((Named("half", "", ""),) if explained else (), explained=explained)
    return json_of(Status.WRONG, cases=cases, excerpt=excerpt, diagnosis=diagnosis)


def raised(message: str, kind: str = "TypeError") -> dict[str, Any]:
    return json_of(Status.ERROR, raised=Raised(kind, message, (Frame(3, "f", "x"),)))


def students(*rows: Row) -> list[list[str]]:
    return [one.students for one in clusters(rows)]


def test_answers_that_give_the_same_within_rounding_are_one_cluster() -> None:
    near = 0.9 * IMPRECISE * TOLERANCE
    assert students(
        row("cy", wrong(0.7)), row("ana", wrong()), row("ben", wrong(0.5 + near, 2.0 - near)), row("dan", json_of())
    ) == [["ana", "ben"], ["cy"]]


@pytest.mark.parametrize(
    "other",
    [
        wrong(0.5 + 1.1 * IMPRECISE * TOLERANCE),
        wrong(yours=2.0 + 1.1 * IMPRECISE * TOLERANCE),
        wrong(fails="ff"),
        wrong(yours=float("nan")),
        wrong(float("inf")),
    ],
)
def test_answers_that_give_something_else_are_apart(other: dict[str, Any]) -> None:
    assert students(row("ana", wrong()), row("ben", other)) == [["ana"], ["ben"]]
    assert students(row("ana", other), row("ben", other)) == [["ana", "ben"]]


def test_each_is_compared_with_the_first_of_a_cluster() -> None:
    step = 0.6 * IMPRECISE * TOLERANCE
    chain = [row(name, wrong(0.5 + count * step)) for count, name in enumerate(("a", "b", "c"))]
    assert students(*chain) == [["a", "b"], ["c"]]


def test_what_is_explained_or_has_no_verdict_is_in_no_cluster() -> None:
    assert clusters([row("ana", wrong(explained=True)), row("ben"), row("cy", state="fault", fault="no")]) == []


def test_the_earliest_answer_stands_for_its_cluster() -> None:
    (cluster,) = clusters([row("ana", wrong(), submitted="2026-06-02"), row("ben", wrong(), submitted="2026-06-01")])
    assert cluster.students == ["ben", "ana"]
    assert cluster.verdict["excerpt"]["yours"] == [2.0]


def test_exceptions_are_together_but_for_their_numbers() -> None:
    found = clusters(
        [row("a", raised("bad shape (3, 4)")), row("b", raised("bad shape (5, 6)")), row("c", raised("no"))]
    )
    assert [(one.students, one.raised) for one in found] == [
        (["a", "b"], "TypeError: bad shape (3, 4)"),
        (["c"], "TypeError: no"),
    ]
    assert clusters([]) == []
    assert Cluster(found[0].rows).raised == ""
