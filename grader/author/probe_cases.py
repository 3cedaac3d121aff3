"""Calls beyond the cases of a problem: what tells a mutant that equals the truth from one that the cases let through."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from grader.kit.problem import Case, Problem

PROPOSED, COUNT = 60, 16
"""Calls that are thought of, and how many of them are made: each size of a draw is compiled anew."""

ROOM = 4
"""A probe may be so many times as large as the largest case, and at least `SMALL` where all cases are tiny."""

SMALL = 400


def probes(problem: Problem) -> Iterator[Case]:
    """Other arguments of the same kind, smaller ones first, none of them a case.

    The values of one parameter keep the greatest divisor that its values in the cases share, so an even size stays
    even; a combination that makes no sense is for the reference to refuse.
    """
    columns = [
        _values(name, column) for name, column in zip(problem.parameters, zip(*problem.cases, strict=True), strict=True)
    ]
    largest = max(SMALL, ROOM * max(_size(case) for case in problem.cases))
    drawn = random.Random(0)
    found: set[Case] = set()
    for case in problem.cases:
        for index, column in enumerate(columns):
            found.update(
                (*case[:index], value, *case[index + 1 :]) for value in drawn.sample(column, min(3, len(column)))
            )
    for _ in range(PROPOSED):
        found.add(tuple(drawn.choice(column) for column in columns))
    fitting = sorted((probe for probe in found - set(problem.cases) if _size(probe) <= largest), key=_size)
    yield from fitting[:: max(1, len(fitting) // COUNT)]


def _values(name: str, column: Sequence[int | float]) -> list[int | float]:
    if name == "seed":
        return sorted({*column, 1, 2, 3})
    if any(isinstance(value, float) for value in column):
        low, high = min(column), max(column)
        return sorted({*column, (low + high) / 2, (2 * low + high) / 3})
    step = math.gcd(*(int(value) for value in column)) or 1
    return sorted({*column, *(step * times for times in (1, 2, 3, 5)), max(column) + step})


def _size(case: Case) -> int:
    return math.prod(max(1, int(value)) for value in case[1:])
