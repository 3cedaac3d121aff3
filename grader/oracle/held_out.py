"""Inputs beyond a problem's cases, drawn anew for a run: who has remembered the cases' outputs has not remembered these."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import numpy as np

from grader.jaxpr.interpret import Exact, replay
from grader.kit.problem import Case, Problem, ProblemError
from grader.marking.judge import Expected
from grader.oracle.expect import Traced, expect, trace
from grader.oracle.stability import unstable

COUNT = 3
ATTEMPTS = 60
"""Calls that are drawn before it is given up: some make no sense, some are unstable (a tie, a floor at a border)."""


def fresh(problem: Problem, seed: int) -> list[tuple[Case, Traced, Expected]]:
    """`COUNT` calls that are no cases, as `seed` draws them, with what is expected of them.

    Raises:
        ProblemError: where none can be had.
    """
    drawn: dict[Case, tuple[Traced, Expected]] = {}
    for case in _calls(problem, random.Random(seed)):
        if case in problem.cases or case in drawn:
            continue
        try:
            traced = trace(problem, case)
        except ProblemError:
            continue  # sizes that make no sense together are the reference's to refuse
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
    draw = problem.fresh or (_other_seed(problem) if _heeds_seed(problem) else _other_sizes(problem))
    for _ in range(ATTEMPTS):
        yield tuple(draw(source))


def _heeds_seed(problem: Problem) -> bool:
    """Whether anything is drawn from the seed."""
    _, *sizes = problem.cases[-1]
    outputs = [replay(trace(problem, (seed, *sizes)).program, Exact())[0] for seed in (101, 202)]
    return not np.array_equal(*outputs, equal_nan=outputs[0].dtype.kind == "f")


def _other_seed(problem: Problem) -> Callable[[random.Random], Case]:
    """Another seed with the sizes of some case, which are known to make sense together."""
    return lambda source: (source.randrange(1000, 2**31), *source.choice(problem.cases)[1:])


def _other_sizes(problem: Problem) -> Callable[[random.Random], Case]:
    """Other sizes between those of the cases; each keeps the divisor that it has in all of them."""
    columns = list(zip(*problem.cases, strict=True))[1:]
    largest = max(_size(case) for case in problem.cases)

    def draw(source: random.Random) -> Case:
        while True:
            case = (source.randrange(1000, 2**31), *(_between(source, column) for column in columns))
            if _size(case) <= largest:
                return case

    return draw


def _size(case: Case) -> float:
    """What a call may cost: an answer that is fast enough for every case should be so for this one too."""
    return math.prod(max(1.0, abs(value)) for value in case[1:])


def _between(source: random.Random, column: Case) -> int | float:
    low, high = min(column), max(column)
    if any(isinstance(value, float) for value in column):
        return round(source.uniform(low, high), 3)
    step = math.gcd(*(int(value) for value in column)) or 1
    low, high = math.ceil(low / step), int(high) // step
    # Small sizes are as likely as large ones: they are where cases lie, and where combinations fit.
    return step * (source.randint(low, min(high, low + 30)) if source.random() < 0.7 else source.randint(low, high))
