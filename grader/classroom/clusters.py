"""Wrong answers that nothing explains, put together by what they give, and the names by which one is told."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.classroom.database import Unusable
from grader.classroom.row import VERDICT, Row
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.sample import OfCase, read_sample, sample_distance
from grader.marking.verdict import Status, Verdict

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
    def verdict(self) -> Verdict:
        """The verdict on the first of them."""
        verdict = self.rows[0].verdict
        assert verdict is not None
        return verdict


def clusters(rows: Sequence[Row]) -> list[Cluster]:
    """The unexplained answers to one problem, the largest cluster first.

    Two answers belong together if they name the same mistakes, pass on the same cases, and no two of their values that are
    kept differ by more than those of two right answers may: `IMPRECISE` tolerances. An answer is compared with the first
    one of each cluster only, since nearness is not transitive.

    Raises:
        Unusable: if values that the gradebook keeps are damaged.
    """
    ordered = sorted(rows, key=lambda row: (row.submitted, row.student))
    found: list[tuple[Verdict, Sequence[OfCase] | None, list[Row]]] = []
    raised: dict[str, tuple[str, list[Row]]] = {}
    for row in ordered:
        verdict = row.verdict
        if row.state != VERDICT or verdict is None:
            continue
        if verdict.status is Status.ERROR and verdict.raised:
            said = f"{verdict.raised.kind}: {str(verdict.raised.message).strip().partition(chr(10))[0]}"
            raised.setdefault(re.sub(r"[0-9]+", "N", said), (said, []))[1].append(row)
        elif verdict.status is Status.WRONG and not verdict.diagnosis.explained and verdict.cases:
            values = _values(row, verdict)
            same = next((rows for first, of, rows in found if _same(first, of, verdict, values)), None)
            (found.append((verdict, values, [row])) if same is None else same.append(row))
    # Exceptions of one cluster differ in numbers at most.
    whole = [
        *(Cluster(tuple(rows), values=values) for _, values, rows in found),
        *(Cluster(tuple(rows), said) for said, rows in raised.values()),
    ]
    return sorted(whole, key=lambda cluster: -len(cluster.rows))


def _values(row: Row, verdict: Verdict) -> Sequence[OfCase] | None:
    try:
        return read_sample(verdict.sample) if verdict.sample else None
    except ValueError as error:
        raise Unusable(
            f"The gradebook holds {error}, of {row.student} and {row.problem}: `class grade FOLDER {row.problem} --regrade` "
            "grades the problem again."
        ) from error


def perhaps_one(found: Sequence[Cluster]) -> dict[tuple[int, int], float]:
    """The clusters that are not told apart for sure: by two indices, how many tolerances their first answers are apart.

    They may pass on other cases, since a value may be just within its tolerance.
    """
    pairs = itertools.combinations(enumerate(found), 2)
    gaps = {
        (first_index, second_index): sample_distance(first.values, second.values, DISTINCT)
        for (first_index, first), (second_index, second) in pairs
        if first.values is not None and second.values is not None
    }
    return {pair: gap for pair, gap in gaps.items() if gap < DISTINCT}


def _same(verdict: Verdict, values: Sequence[OfCase] | None, other: Verdict, others: Sequence[OfCase] | None) -> bool:
    forms, others_forms = ([(str(case.args), case.passed) for case in each.cases] for each in (verdict, other))
    return (
        forms == others_forms
        and verdict.diagnosis.names == other.diagnosis.names
        and values is not None
        and others is not None
        and sample_distance(values, others, MOST_TOLERANCES_WITH_PROGRAM) <= MOST_TOLERANCES_WITH_PROGRAM
    )


FEWEST_DIGITS = 8
"""The fewest digits of an answer's digest that name it."""


def identity(row: Row, rows: Sequence[Row]) -> str:
    """The beginning of an answer's digest: as long as is needed to tell it from all other texts."""
    others = {each_row.digest for each_row in rows} - {row.digest}
    length = FEWEST_DIGITS
    while length < len(row.digest) and any(other.startswith(row.digest[:length]) for other in others):
        length += 1
    return row.digest[:length]


def answers_named(rows: Sequence[Row], name: str) -> list[Row]:
    """The answers with one text that a name means, the beginning of its digest or a student, by the time of submission.

    Args:
        rows: the answers to one problem.

    Raises:
        Unusable: it means no answer, several texts, or one that no pitfall can come from.
    """
    begins = len(name) >= FEWEST_DIGITS and bool(re.fullmatch("[0-9a-f]+", name))
    found = [row for row in rows if row.student == name or (begins and row.digest.startswith(name))]
    if not found:
        raise Unusable(
            f"No answer here is called {name!r}: give the id that `class report` prints, the first {FEWEST_DIGITS} digits "
            "or more of an answer's digest (`class status --json`), or a student."
        )
    if len({row.digest for row in found}) > 1:
        raise Unusable(
            f"{name!r} means {len({row.digest for row in found})} answers: give more digits of one's digest."
        )
    row = found[0]
    if row.state != VERDICT or row.verdict is None:
        raise Unusable(f"The answer {name!r} has no verdict yet: run `class grade`, then this again.")
    status = row.verdict.status
    if status is not Status.WRONG:
        raise Unusable(
            f"The answer {name!r} is {status.value!r}, not 'wrong': a pitfall is known by the wrong values it gives."
        )
    if row.verdict.diagnosis.explained:
        names = " + ".join(row.verdict.diagnosis.names)
        raise Unusable(f"The answer {name!r} is explained already, by {names}: there is nothing to add.")
    return sorted(found, key=lambda row: (row.submitted, row.student))


def answers_alike(rows: Sequence[Row], row: Row) -> int:
    """How many answers go wrong as one does, with itself."""
    return next((len(cluster.rows) for cluster in clusters(rows) if row in cluster.rows), 1)
