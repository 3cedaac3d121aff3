"""Inputs beyond a problem's cases, drawn for one run: an answer that only remembers the cases' outputs is wrong on them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from grader.kit.problem import Case, Problem, ProblemError
from grader.marking.judge import Expected
from grader.oracle.expect import Traced, expect, trace
from grader.oracle.stability import unstable

COUNT = 3
"""Calls to draw."""

ATTEMPTS = 60
"""Calls to draw before giving up: some make no sense, some are unstable (a tie, a floor at a border)."""


def fresh(problem: Problem, seed: int) -> list[tuple[Case, Traced, Expected]]:
    """`COUNT` calls that are not cases, drawn with `seed`, each with its program and its expected values.

    Raises:
        ProblemError: where `ATTEMPTS` draws do not give enough of them.
    """
    drawn: dict[Case, tuple[Traced, Expected]] = {}
    for case in _calls(problem, random.Random(seed)):
        if case in problem.cases or case in drawn:
            continue
        try:
            traced = trace(problem, case)
        except ProblemError:
            continue  # the reference refuses sizes that make no sense together
        due = expect(traced, by_row=problem.by_row)
        if np.isnan(due.values).any() or unstable(traced, due.values) is not None:
            continue
        drawn[case] = (traced, due)
        if len(drawn) == COUNT:
            return [(case, *rest) for case, rest in drawn.items()]
    raise ProblemError(
        f"no fresh inputs of {problem.name} could be drawn: say how, "
        "as in Problem(fresh=lambda random: (random.randrange(99), 5))"
    )


def _calls(problem: Problem, source: random.Random) -> Iterator[Case]:
    draw = problem.fresh or (_other_seed(problem) if uses_seed(problem) else _other_sizes(problem))
    for _ in range(ATTEMPTS):
        yield tuple(draw(source))


def uses_seed(problem: Problem) -> bool:
    """Whether the values depend on the seed."""
    _, *sizes = problem.cases[-1]
    outputs = [trace(problem, (seed, *sizes)).exact for seed in (101, 202)]
    return not np.array_equal(*outputs, equal_nan=outputs[0].dtype.kind == "f")


def _other_seed(problem: Problem) -> Callable[[random.Random], Case]:
    """Another seed with the sizes of one of the cases, because these make sense together."""
    return lambda source: (source.randrange(1000, 2**31), *source.choice(problem.cases)[1:])


def _other_sizes(problem: Problem) -> Callable[[random.Random], Case]:
    """Other sizes between those of the cases; each size keeps its common divisor."""
    columns = list(zip(*problem.cases, strict=True))[1:]
    largest = max(cost(case) for case in problem.cases)

    def draw(source: random.Random) -> Case:
        while True:
            case = (source.randrange(1000, 2**31), *(_between(source, column) for column in columns))
            if cost(case) <= largest:
                return case

    return draw


def cost(case: Case) -> float:
    """About how long a call takes, in no unit: the product of its sizes."""
    return math.prod(max(1.0, abs(value)) for value in case[1:])


def divisor(column: Sequence[int | float]) -> int:
    """The greatest common divisor of the values of one parameter, all of them ints; 1 if all are 0."""
    return math.gcd(*(int(value) for value in column)) or 1


def _between(source: random.Random, column: Case) -> int | float:
    low, high = min(column), max(column)
    if any(isinstance(value, float) for value in column):
        return round(source.uniform(low, high), 3)
    step = divisor(column)
    low, high = math.ceil(low / step), int(high) // step
    # Prefer small sizes: most cases are small, and small sizes fit together more often.
    return step * (source.randint(low, min(high, low + 30)) if source.random() < 0.7 else source.randint(low, high))
