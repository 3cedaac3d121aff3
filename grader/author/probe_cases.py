"""Calls beyond the cases of a problem: they separate a mutant that equals the truth from one that no case kills."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from grader.kit.problem import Case, Problem
from grader.oracle.held_out import cost, divisor

PROPOSED, COUNT = 60, 16
"""How many calls are proposed, and about how many are made. JAX compiles a draw once for each size, so few are made."""

ROOM = 4
"""A probe may cost this many times as much as the most expensive case, and at least `SMALL` where all cases are tiny."""

SMALL = 400


def probe_cases(problem: Problem) -> Iterator[Case]:
    """Other arguments of the same kind, cheap ones first, none of them a case.

    The values of one parameter keep the greatest divisor that its values in the cases share, so an even size stays
    even. A combination that makes no sense is left to the reference to refuse.
    """
    columns = [
        _values(name, column) for name, column in zip(problem.parameters, zip(*problem.cases, strict=True), strict=True)
    ]
    largest = max(SMALL, ROOM * max(cost(case) for case in problem.cases))
    drawn = random.Random(0)
    found: set[Case] = set()
    for case in problem.cases:
        for index, column in enumerate(columns):
            found.update(
                (*case[:index], value, *case[index + 1 :]) for value in drawn.sample(column, min(3, len(column)))
            )
    for _ in range(PROPOSED):
        found.add(tuple(drawn.choice(column) for column in columns))
    fitting = sorted((probe for probe in found - set(problem.cases) if cost(probe) <= largest), key=cost)
    yield from fitting[:: max(1, len(fitting) // COUNT)]


def _values(name: str, column: Sequence[int | float]) -> list[int | float]:
    if name == "seed":
        return sorted({*column, 1, 2, 3})
    if any(isinstance(value, float) for value in column):
        low, high = min(column), max(column)
        return sorted({*column, (low + high) / 2, (2 * low + high) / 3})
    step = divisor(column)
    return sorted({*column, *(step * times for times in (1, 2, 3, 5)), max(column) + step})
