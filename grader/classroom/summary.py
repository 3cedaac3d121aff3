"""What a class got wrong: mistakes by frequency, the cases that caught them, and who needs help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.classroom.row import VERDICT, Row
from grader.classroom.status import by_problem
from grader.marking.verdict import Status, Verdict


@dataclass(frozen=True)
class Mistake:
    """How many answers to a problem have one mistake: by itself, and together with others."""

    name: str
    alone: int
    together: int

    @property
    def count(self) -> int:
        return self.alone + self.together


@dataclass(frozen=True)
class Case:
    """A case of a problem: how many wrong answers fail on it, and how many on no other."""

    args: dict[str, int | float]
    caught: int
    alone: int


@dataclass(frozen=True)
class Summary:
    """One problem.

    Attributes:
        outcomes: how many answers have each outcome; a fault of the grader and what is due are outcomes of their own.
        mistakes: the most frequent first.
        unexplained: the students whose wrong answer has no explanation.
        cases: in order; only wrong answers count that were compared on the same cases as most.
        compared: how many wrong answers these are.
        help: the students whose answer is attempted and not right.
    """

    problem: str
    outcomes: Counter[str]
    mistakes: tuple[Mistake, ...]
    unexplained: tuple[str, ...]
    cases: tuple[Case, ...]
    compared: int
    help: tuple[str, ...]


def summaries(rows: Sequence[Row]) -> list[Summary]:
    """One summary for each problem, by its name."""
    return [
        _summary(name, counts, [row for row in rows if row.problem == name])
        for name, counts in by_problem(rows).items()
    ]


def _summary(problem: str, outcomes: Counter[str], rows: Sequence[Row]) -> Summary:
    graded = [(row.student, row.verdict) for row in rows if row.state == VERDICT and row.verdict is not None]
    wrong = [(student, verdict) for student, verdict in graded if verdict.status is Status.WRONG]
    failed = [student for student, verdict in graded if verdict.status.failed]
    cases, compared = _cases([verdict for _, verdict in wrong])
    return Summary(
        problem,
        outcomes,
        _mistakes([verdict for _, verdict in graded]),
        tuple(student for student, verdict in wrong if not verdict.diagnosis.explained),
        cases,
        compared,
        tuple(sorted(failed)),
    )


def _mistakes(verdicts: Sequence[Verdict]) -> tuple[Mistake, ...]:
    alone: Counter[str] = Counter()
    together: Counter[str] = Counter()
    for names in (set(verdict.diagnosis.names) for verdict in verdicts):
        (alone if len(names) == 1 else together).update(names)
    found = [Mistake(name, alone[name], together[name]) for name in alone.keys() | together.keys()]
    return tuple(sorted(found, key=lambda one: (-one.count, one.name)))


def _cases(wrong: Sequence[Verdict]) -> tuple[tuple[Case, ...], int]:
    """The cases that most wrong answers were compared on, and how many these are.

    Inputs beyond the cases and cases of an older problem have other arguments: they are not mixed in.
    """
    ways: dict[str, list[Verdict]] = {}
    for verdict in wrong:
        if verdict.cases:
            ways.setdefault(str([case.args for case in verdict.cases]), []).append(verdict)
    same = max(ways.values(), key=len, default=[])
    fails = [[index for index, case in enumerate(verdict.cases) if not case.passed] for verdict in same]
    cases = same[0].cases if same else ()
    return (
        tuple(
            Case(case.args, sum(index in failed for failed in fails), fails.count([index]))
            for index, case in enumerate(cases)
        ),
        len(same),
    )
