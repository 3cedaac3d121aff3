"""What a class got wrong: every number is a count of answers, and what has no verdict is in none but its own."""

from __future__ import annotations

from collections.abc import Sequence

from grader.classroom.report import FailingCase, MistakeCount, OfProblem, report_of
from grader.classroom.row import Row
from grader.marking.verdict import CaseResult, Diagnosis, Named, Status, Verdict
from grader.values.message import NO_MESSAGE
from tests.classroom.exports.rows import row, verdict_of


def wrong(*names: str, fails: str = "ff") -> Verdict:
    cases = tuple(CaseResult({"T": size}, one != "f", 0.5, 0.1) for size, one in enumerate(fails, 1))
    diagnosis = Diagnosis(tuple(Named(name, NO_MESSAGE, NO_MESSAGE) for name in names), explained=bool(names))
    return verdict_of(Status.WRONG, diagnosis=diagnosis, cases=cases)


ROWS = [
    row("ana", verdict_of()),
    row("ben", wrong("half", fails="ppf")),
    row("cy", wrong("half", "sign", fails="pff")),
    row("dan", wrong(fails="pff")),
    row("eve", wrong("sign", fails="ff")),
    row("fay", verdict_of(Status.UNATTEMPTED)),
    row("gil", state="fault", fault="no process"),
    row("hal"),
]


def of_problem(rows: Sequence[Row]) -> OfProblem:
    (found,) = report_of("", rows).problems
    return found


def test_mistakes_are_counted_alone_and_together() -> None:
    summary = of_problem(ROWS)
    assert summary.mistakes == (MistakeCount("half", 1, 1), MistakeCount("sign", 1, 1))


def test_a_case_that_caught_nobody_and_one_that_alone_caught_someone() -> None:
    summary = of_problem(ROWS)
    assert summary.cases == (FailingCase({"T": 1}, 0, 0), FailingCase({"T": 2}, 2, 0), FailingCase({"T": 3}, 3, 1))
    assert summary.compared == 3


def test_help_is_for_those_who_tried() -> None:
    summary = of_problem(ROWS)
    assert summary.not_right == ("ben", "cy", "dan", "eve")
    assert {name: count for name, count in summary.outcomes.items() if count} == {
        **{"correct": 1, "wrong": 4, "unattempted": 1, "fault": 1, "due": 1}
    }


def test_nothing_compared_is_no_case() -> None:
    summary = of_problem([row("ana", verdict_of(Status.ERROR))])
    assert (summary.cases, summary.compared, summary.not_right) == ((), 0, ("ana",))
