"""Unexplained answers that give the same belong together, and others do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.classroom.clusters import DISTINCT, Cluster, clusters, perhaps_one
from grader.classroom.database import Unusable
from grader.classroom.row import Row
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.facts import Truth
from grader.marking.sample import sample_of
from grader.marking.verdict import CaseResult, Diagnosis, Excerpt, Frame, Named, Raised, Status, Verdict
from grader.oracle.mistakes import MIN_DISTANCE
from grader.values.arrays import Expected
from grader.values.message import NO_MESSAGE, verbatim
from tests.classroom.exports.rows import row, verdict_of
from tests.marking.evidence import evidence_of

TOLERANCE = 1e-6


def wrong(
    error: float = 0.5, yours: float = 2.0, fails: str = "pf", *, explained: bool = False, values: str | None = None
) -> Verdict:
    """A wrong answer. Unless its `values` are given, they are off by the error.

    Args:
        fails: for each case, whether it passes or fails.
    """
    cases = tuple(
        CaseResult({"T": size}, one != "f", error if one == "f" else 0.0, TOLERANCE)
        for size, one in enumerate(fails, 1)
    )
    excerpt = Excerpt(verbatim("row 0"), (verbatim("column 0"),), (1.5,), (yours,), (True,))
    diagnosis = Diagnosis((Named("half", NO_MESSAGE, NO_MESSAGE),) if explained else (), explained=explained)
    kept = "" if explained else sample(error, fails=fails) if values is None else values
    return verdict_of(Status.WRONG, cases=cases, excerpt=excerpt, diagnosis=diagnosis, sample=kept)


def sample(*values: float, fails: str = "pf") -> str:
    """The sample of an answer that gives these values on each case that fails, and is right on the others."""
    return kept_of([np.array(values) if one == "f" else np.zeros(len(values)) for one in fails])


def kept_of(given: list[np.ndarray[Any, Any]]) -> str:
    """The sample of an answer that gives these values where zeros are due."""
    due = [Expected(np.zeros(one.size), TOLERANCE) for one in given]
    truth = Truth(due, [one.shape for one in given], ["float64"] * len(given), [{}] * len(given))
    return sample_of(evidence_of(truth, given, seed=7))


def raised(message: str, kind: str = "TypeError") -> Verdict:
    return verdict_of(Status.ERROR, raised=Raised(kind, verbatim(message), (Frame(3, "f", "x"),)))


def students(*rows: Row) -> list[list[str]]:
    return [one.students for one in clusters(rows)]


def test_answers_that_give_the_same_within_rounding_are_one_cluster() -> None:
    near = 0.9 * MOST_TOLERANCES_WITH_PROGRAM * TOLERANCE
    rows = [row("cy", wrong(0.7)), row("ana", wrong()), row("ben", wrong(0.5 + near)), row("dan", verdict_of())]
    assert students(*rows) == [["ana", "ben"], ["cy"]]


@pytest.mark.parametrize(
    "other",
    [
        wrong(0.5 + 1.1 * MOST_TOLERANCES_WITH_PROGRAM * TOLERANCE),
        wrong(fails="ff"),
        wrong(float("inf")),
    ],
)
def test_answers_that_give_something_else_are_apart(other: Verdict) -> None:
    assert students(row("ana", wrong()), row("ben", other)) == [["ana"], ["ben"]]
    assert students(row("ana", other), row("ben", other)) == [["ana", "ben"]]


def test_each_is_compared_with_the_first_of_a_cluster() -> None:
    step = 0.6 * MOST_TOLERANCES_WITH_PROGRAM * TOLERANCE
    chain = [row(name, wrong(0.5 + count * step)) for count, name in enumerate(("a", "b", "c"))]
    assert students(*chain) == [["a", "b"], ["c"]]


def test_what_is_explained_or_has_no_verdict_is_in_no_cluster() -> None:
    assert clusters([row("ana", wrong(explained=True)), row("ben"), row("cy", state="fault", fault="no")]) == []


def test_the_earliest_answer_stands_for_its_cluster() -> None:
    (cluster,) = clusters([row("ana", wrong(), submitted="2026-06-02"), row("ben", wrong(), submitted="2026-06-01")])
    assert cluster.students == ["ben", "ana"]
    assert cluster.verdict.excerpt is not None
    assert cluster.verdict.excerpt.yours == (2.0,)


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


def test_answers_whose_kept_values_are_near_are_one_cluster_whatever_their_largest_error_is() -> None:
    one, near, far = (
        sample(0.5, 0.2),
        sample(0.5, 0.2 + 0.9 * MOST_TOLERANCES_WITH_PROGRAM * TOLERANCE),
        sample(0.5, 0.3),
    )
    rows = [row("ana", wrong(values=one)), row("ben", wrong(0.9, values=near)), row("cy", wrong(values=far))]
    assert students(*rows) == [["ana", "ben"], ["cy"]], "cy has the largest error of ana, and is another mistake"


def test_what_names_other_mistakes_or_passes_on_other_cases_is_apart() -> None:
    unnamed, others = wrong(values=sample(0.5)), wrong(fails="ff", values=sample(0.5))
    named = replace(unnamed, diagnosis=Diagnosis((Named("wrong-dtype", NO_MESSAGE, NO_MESSAGE),)))
    assert students(row("ana", unnamed), row("ben", named), row("cy", others)) == [["ana"], ["ben"], ["cy"]]


def test_an_answer_of_which_no_values_are_kept_is_alone() -> None:
    found = clusters([row("ana", wrong(values="")), row("ben", wrong(values="")), row("cy", wrong())])
    assert [one.students for one in found] == [["ana"], ["ben"], ["cy"]]
    assert perhaps_one(found) == {}


def test_clusters_that_are_not_told_apart_for_sure_are_perhaps_one() -> None:
    by = {name: 0.5 + far * TOLERANCE for name, far in (("a", 0), ("b", 12), ("c", 40), ("d", 200))}
    found = clusters([row(name, wrong(values=sample(value))) for name, value in by.items()])
    assert [one.students for one in found] == [["a", "b"], ["c"], ["d"]]
    ((pair, gap),) = perhaps_one(found).items()
    assert (pair, gap) == ((0, 1), pytest.approx(40, rel=0.01))
    assert DISTINCT == MIN_DISTANCE, "what the audit asks of pitfalls"


def test_a_value_at_the_edge_of_its_tolerance_does_not_hide_that_two_clusters_are_perhaps_one() -> None:
    by = {"a": (15, "pf"), "b": (17, "ff")}  # on the first case, 15 tolerances pass, and 17 do not
    rows = []
    for name, (off, fails) in by.items():
        given = [np.full(2, off * TOLERANCE), np.full(2, 0.5)]
        rows.append(row(name, wrong(fails=fails, values=kept_of(given))))
    found = clusters(rows)
    assert [one.students for one in found] == [["a"], ["b"]]
    assert perhaps_one(found) == {(0, 1): pytest.approx(2, rel=0.01)}


def test_damaged_values_are_told_in_one_line_that_says_what_to_do() -> None:
    with pytest.raises(
        Unusable, match=r"holds a sample that is not JSON, of ana and rope: `class grade FOLDER rope --regrade`"
    ):
        clusters([row("ana", wrong(values="{"))])
