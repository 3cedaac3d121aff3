"""Inputs beyond a problem's cases, drawn for one run: an answer that only remembers the cases' outputs is wrong on them."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator

import numpy as np

from grader.kit.problem import Case, Problem, arguments_of, fault_of
from grader.kit.problem_error import ProblemError
from grader.marking.comparison import Expected
from grader.oracle.expect import Traced, expect, trace, unstable

CALLS_DRAWN = 3
"""Calls to draw."""

MOST_CALLS_TRIED = 60
"""Legal calls to try before giving up: some make no sense, some are unstable (a tie, a floor at a border)."""

MOST_DRAWS = 10_000
"""Draws of arguments, legal together or not, before giving up."""


def fresh(problem: Problem, seed: int) -> list[tuple[Case, Traced, Expected]]:
    """`CALLS_DRAWN` calls that are not cases, drawn with `seed`, each with its program and its expected values.

    Raises:
        ProblemError: where `MOST_CALLS_TRIED` draws do not give enough of them.
    """
    drawn: dict[Case, tuple[Traced, Expected]] = {}
    for case in itertools.islice(_calls(problem, random.Random(seed)), MOST_CALLS_TRIED):
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
        if len(drawn) == CALLS_DRAWN:
            return [(case, *rest) for case, rest in drawn.items()]
    raise ProblemError(
        f"no fresh inputs of {problem.name} could be drawn: say in `arguments` and `legal` which arguments a call may have"
    )


def _calls(problem: Problem, source: random.Random) -> Iterator[Case]:
    """Legal calls that cost no more than some case."""
    # Where nothing is declared, only the sizes of a case are known to make sense together.
    of_a_case = not problem.arguments and uses_seed(problem)
    columns = list(zip(*problem.cases, strict=True))[1:]
    largest = max(cost(case) for case in problem.cases)
    for _ in range(MOST_DRAWS):
        each = zip(arguments_of(problem).values(), columns, strict=True)
        sizes = source.choice(problem.cases)[1:] if of_a_case else (one.draw(source, column) for one, column in each)
        case = (source.randrange(1000, 2**31), *sizes)
        if cost(case) <= largest and not fault_of(problem, case):
            yield case


def uses_seed(problem: Problem) -> bool:
    """Whether the values depend on the seed."""
    _, *sizes = problem.cases[-1]
    outputs = [trace(problem, (seed, *sizes)).exact for seed in (101, 202)]
    return not np.array_equal(*outputs, equal_nan=outputs[0].dtype.kind == "f")


def cost(case: Case) -> float:
    """About how long a call takes, in no unit: the product of its sizes."""
    return math.prod(max(1.0, abs(value)) for value in case[1:])
