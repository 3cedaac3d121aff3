"""The values of mistakes: the reference with the knobs of one pitfall or of several turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.jaxpr.interpret import Exact, replay
from grader.kit.problem import Problem, ProblemError
from grader.marking.facts import Mistake
from grader.marking.judge import Array, Expected, difference, excess
from grader.oracle.expect import SAMPLES_FOR_KEY, expect_mistake, rough, trace_once
from grader.oracle.store import MistakeKey

MIN_DISTANCE = 64.0
"""Two outputs are different if some value differs by more than this many tolerances."""


def outputs(problem: Problem, size: int, case: int) -> Iterator[Mistake]:
    """Every set of `size` pitfalls that turn different knobs, on one case, with a rough tolerance: enough to rule it out."""
    for setting, (names, knobs) in enumerate(problem.sets(size)):
        yield Mistake(names, setting, rough(trace_once(problem, problem.cases[case], knobs)))


def for_key(problem: Problem, size: int, cases: Sequence[int]) -> Iterator[tuple[MistakeKey, list[Expected]]]:
    """Every set of `size` pitfalls on some cases, for an answer key."""
    for setting, (names, knobs) in enumerate(problem.sets(size)):
        traced = (trace_once(problem, problem.cases[case], knobs) for case in cases)
        yield (names, setting), [expect_mistake(one, SAMPLES_FOR_KEY) for one in traced]


def confirm(problem: Problem, names: tuple[str, ...], setting: int) -> list[Expected]:
    """One mistake on all cases.

    Raises:
        ProblemError: if the reference has no such set. The saved oracle is older than the reference then.
    """
    for index, (found, knobs) in enumerate(problem.sets(len(names))):
        if index == setting and found == names:
            return [expect_mistake(trace_once(problem, case, knobs)) for case in problem.cases]
    raise ProblemError(f"{problem.name} has no set {setting} of pitfalls {', '.join(names)}: remove its saved oracle")


def _apart(values: Array, other: Array, due: Expected) -> bool:
    if values.size != due.values.size:
        return difference(values, other) > MIN_DISTANCE * due.largest_tolerance
    return excess(values, other, due) > MIN_DISTANCE


def screening_case(problem: Problem, truth: Sequence[Expected]) -> int:
    """The first of the cases on which the truth and the single pitfalls give the most different outputs.

    Mistakes are compared on that case first. Only mistakes that match there are compared on all cases. Settings that are
    tried alone only do not count: there may be dozens, and they would delay the first verdict.
    """
    best, most = 0, -1
    singles = [knobs for pitfall in problem.pitfalls for knobs in pitfall.settings(combined=True)]
    for index, (case, due) in enumerate(zip(problem.cases, truth, strict=True)):
        seen = [due.values]
        for knobs in singles:
            values = replay(trace_once(problem, case, knobs).program, Exact())[0]
            if all(values.size != other.size or _apart(values, other, due) for other in seen):
                seen.append(values)
        if len(seen) > most:
            best, most = index, len(seen)
        if len(seen) > len(singles):
            break
    return best
