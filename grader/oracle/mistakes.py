"""The values of mistakes: the reference with the knobs of one pitfall or of several turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.jaxpr.drawn import taking
from grader.jaxpr.interpret import Exact, replay
from grader.kit.problem import Case, Problem, ProblemError, pitfall_sets
from grader.marking.draws import exchanges
from grader.marking.facts import Mistake
from grader.marking.judge import Array, Expected, difference, excess
from grader.oracle.expect import SAMPLES_FOR_KEY, Traced, draws_of, expect_mistake, rough, trace_once
from grader.oracle.store import MistakeKey

MIN_DISTANCE = 64.0
"""Two outputs are different if some value differs by more than this many tolerances."""


def outputs(problem: Problem, size: int, case: int) -> Iterator[Mistake]:
    """Every set of `size` pitfalls that turn different knobs, on one case, with a rough tolerance: enough to rule it out.

    Size 0 stands for the exchanges of keys (see `grader.marking.draws.exchanges`).
    """
    if size == 0:
        for setting, cycle in enumerate(_exchanges(problem)):
            yield Mistake((), setting, rough(_exchanged(problem, problem.cases[case], cycle)))
        return
    for setting, (names, knobs) in enumerate(pitfall_sets(problem, size)):
        yield Mistake(names, setting, rough(trace_once(problem, problem.cases[case], knobs)))


def for_key(problem: Problem, size: int, cases: Sequence[int]) -> Iterator[tuple[MistakeKey, list[Expected]]]:
    """Every set of `size` pitfalls on some cases, for an answer key. Size 0 stands for the exchanges of keys."""
    if size == 0:
        for setting, cycle in enumerate(_exchanges(problem)):
            exchanged = (_exchanged(problem, problem.cases[case], cycle) for case in cases)
            yield ((), setting), [expect_mistake(one, SAMPLES_FOR_KEY) for one in exchanged]
        return
    for setting, (names, knobs) in enumerate(pitfall_sets(problem, size)):
        traced = (trace_once(problem, problem.cases[case], knobs) for case in cases)
        yield (names, setting), [expect_mistake(one, SAMPLES_FOR_KEY) for one in traced]


def _exchanges(problem: Problem) -> list[tuple[int, ...]]:
    return exchanges([draws_of(trace_once(problem, case, {})) for case in problem.cases])


def _exchanged(problem: Problem, case: Case, cycle: tuple[int, ...]) -> Traced:
    """The reference with the keys of some draws exchanged: each draw of `cycle` takes the key of the next one."""
    traced = trace_once(problem, case, {})
    keys = [draws_of(traced)[place].key for place in cycle]
    return replace(traced, on_eqn=taking(dict(zip(keys, [*keys[1:], keys[0]], strict=True))))


def confirm(problem: Problem, names: tuple[str, ...], setting: int) -> list[Expected]:
    """One mistake on all cases.

    Raises:
        ProblemError: if the reference has no such set. The saved oracle is older than the reference then.
    """
    if not names and setting < len(cycles := _exchanges(problem)):
        return [expect_mistake(_exchanged(problem, case, cycles[setting])) for case in problem.cases]
    for index, (found, knobs) in enumerate(pitfall_sets(problem, len(names)) if names else ()):
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
