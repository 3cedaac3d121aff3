"""The values of mistakes: the worked answer with one pitfall or with several."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from grader.kit.mistakes import form_numbers, pitfall_sets
from grader.kit.problem import Case, Problem
from grader.kit.problem_error import ProblemError
from grader.marking.draws import exchanges
from grader.marking.facts import MistakeKey, MistakeSet
from grader.oracle.branches import Forms, in_order
from grader.oracle.expect import (
    SAMPLES_FOR_KEY,
    Raises,
    TracedReference,
    drawn,
    expect_mistake,
    rough,
    trace_once,
    trace_sets,
    unbounded,
    uncertain,
)
from grader.program.data import Equation
from grader.program.evaluate import Evaluate, draws
from grader.program.keys import of_key_data
from grader.values.arrays import NOISY_EVALUATIONS, Array, Expected, difference, excess, largest_magnitude

TOGETHER = 4.0
"""The tolerance of a set of pitfalls, in the largest tolerance of its members, relative to the scales of their values.

Of 4674 sets of this kit, 99 % need at most 2, and none needs more than 6.
"""
SENSITIVE = 1.0 / 64.0
"""A tolerance above this part of the largest value says little about sets: their own noise is computed."""

SETS_OF_SHARE = 16
"""The most sets of a share, which is traced at once: what a trace holds takes memory."""

MIN_DISTANCE = 64.0
"""Two outputs are different if some value differs by more than this many tolerances."""


def outputs(problem: Problem, size: int, case: int, part: int = 0, parts: int = 1) -> Iterator[MistakeSet]:
    """Every set of `size` pitfalls that can be made at once, on one case, with a rough tolerance: enough to rule it out.

    They come in the order in which they are traced.

    Of the shares in which sets are traced, only those whose number, divided by `parts`, leaves `part`.

    Size 0 stands for the exchanges of keys (see `grader.marking.draws.exchanges`).
    """
    if size == 0:
        for number, cycle in enumerate(_exchanges(problem)):
            yield MistakeSet((), (number,), rough(_exchanged(problem, problem.cases[case], cycle)))
        return
    together = _Together(problem, problem.cases[case])
    for (names, forms), traced in traced_sets(problem, list(pitfall_sets(problem.pitfalls, size)), case, part, parts):
        yield MistakeSet(names, form_numbers(problem.pitfalls, names, forms), together.expect(forms, traced))


def for_key(problem: Problem, size: int, cases: Sequence[int]) -> Iterator[tuple[MistakeKey, list[Expected]]]:
    """Every set of `size` pitfalls on some cases, for an answer key. Size 0 stands for the exchanges of keys."""
    if size == 0:
        for number, cycle in enumerate(_exchanges(problem)):
            exchanged = (_exchanged(problem, problem.cases[case], cycle) for case in cases)
            yield ((), (number,)), [expect_mistake(reference, SAMPLES_FOR_KEY) for reference in exchanged]
        return

    sets = list(pitfall_sets(problem.pitfalls, size))
    found: dict[MistakeKey, list[Expected]] = {}
    for share in _shares(problem, sets):
        for case in cases:
            for (names, forms), traced in _traced(problem, case, share):
                key = names, form_numbers(problem.pitfalls, names, forms)
                found.setdefault(key, []).append(expect_mistake(traced, SAMPLES_FOR_KEY))
    for names, forms in sets:
        key = names, form_numbers(problem.pitfalls, names, forms)
        if len(expected := found.get(key, [])) == len(cases):
            yield key, expected


Named = tuple[tuple[str, ...], Forms]
"""A set of pitfalls: their names, and the form of each."""


def traced_sets(
    problem: Problem, sets: Sequence[Named], case: int, part: int = 0, parts: int = 1
) -> Iterator[tuple[Named, TracedReference]]:
    """The reference on one case with each of these sets that gives values (for `part` and `parts`, see `outputs`)."""
    for share in itertools.islice(_shares(problem, sets), part, None, parts):
        yield from _traced(problem, case, share)


def _shares(problem: Problem, sets: Sequence[Named]) -> Iterator[list[Named]]:
    """Sets in shares of those whose texts begin alike."""
    assert problem.solution is not None
    alike = in_order(problem.solution, [forms for _, forms in sets])
    for start in range(0, len(alike), SETS_OF_SHARE):
        yield [sets[number] for number in alike[start : start + SETS_OF_SHARE]]


def _traced(problem: Problem, case: int, sets: Sequence[Named]) -> Iterator[tuple[Named, TracedReference]]:
    """The reference on a case with each of some sets of pitfalls.

    A set of several with which the reference raises is left out: an answer that makes them gives no values.
    """
    for named, traced in zip(sets, trace_sets(problem, problem.cases[case], [forms for _, forms in sets]), strict=True):
        if isinstance(traced, TracedReference):
            yield named, traced
        elif len(named[0]) < 2:
            raise traced


@contextlib.contextmanager
def _impossible_together(names: Sequence[str]) -> Generator[None]:
    """Leave out a set of several pitfalls with which the reference raises: an answer that makes them gives no values."""
    try:
        yield
    except Raises:
        if len(names) < 2:
            raise


class _Together:
    """Sets of pitfalls on one case. The tolerance of a set follows from those of its members, without noisy evaluations."""

    def __init__(self, problem: Problem, case: Case) -> None:
        self._problem, self._case = problem, case
        self._relative: dict[Forms, float] = {}

    def expect(self, forms: Forms, traced: TracedReference) -> Expected:
        """What a set gives, with a rough tolerance."""
        if len(forms) == 1:
            return rough(traced)
        largest = max(self._of(()), *(self._of((form,)) for form in forms))
        if largest > SENSITIVE:
            return rough(traced)
        values = traced.exact
        return Expected(values, TOGETHER * largest * max(largest_magnitude(values), self._scale))

    def _of(self, forms: Forms) -> float:
        """The tolerance of one member, as a part of its largest value; without a form, that of the truth."""
        if forms not in self._relative:
            expected = rough(trace_once(self._problem, self._case, forms))
            scale = largest_magnitude(expected.values)
            if not forms:
                self._scale = scale
            self._relative[forms] = expected.largest_tolerance / scale if scale else np.inf
        return self._relative[forms]


def _exchanges(problem: Problem) -> list[tuple[int, ...]]:
    return exchanges([drawn(trace_once(problem, case))[0] for case in problem.cases])


def _exchanged(problem: Problem, case: Case, cycle: tuple[int, ...]) -> TracedReference:
    """The reference with the keys of some draws exchanged: each draw of `cycle` takes the key of the next one."""
    traced = trace_once(problem, case)
    keys = [of_key_data(drawn(traced)[0][place].key) for place in cycle]
    others = dict(zip(keys, [*keys[1:], keys[0]], strict=True))

    def exchange(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
        if not draws(equation) or inputs[0].shape:
            return evaluate(equation, inputs)
        key = int(inputs[0])
        return evaluate(equation, [np.asarray(others.get(key, key), np.uint64), *inputs[1:]])

    return replace(traced, hook=exchange)


def on_case(problem: Problem, names: tuple[str, ...], numbers: tuple[int, ...], case: int) -> Expected:
    """One mistake on one case, with a rough tolerance: enough to rule it out.

    Raises:
        ProblemError: as `confirm`.
    """
    made = _made(problem, names, numbers)
    expected = _NOTHING
    with _impossible_together(names):
        traced = made(problem.cases[case])
        expected = unbounded(traced, rough(traced))
    return expected


def confirm(
    problem: Problem, names: tuple[str, ...], numbers: tuple[int, ...], samples: int = NOISY_EVALUATIONS
) -> list[Expected]:
    """One mistake on all cases, with tolerances from that many noisy evaluations.

    Raises:
        ProblemError: if the reference has no such set. The saved oracle is older than the reference then.
    """
    made = _made(problem, names, numbers)
    confirmed = [_NOTHING] * len(problem.cases)
    with _impossible_together(names):
        confirmed = [_confirmed(made(case), samples) for case in problem.cases]
    return confirmed


_NOTHING = Expected(np.zeros(0), 0.0)
"""What a set gives with which the reference raises."""


def _made(problem: Problem, names: tuple[str, ...], numbers: tuple[int, ...]) -> Callable[[Case], TracedReference]:
    """The reference with a set of mistakes made, for each case."""
    if not names and len(numbers) == 1 and numbers[0] < len(cycles := _exchanges(problem)):
        return lambda case: _exchanged(problem, case, cycles[numbers[0]])
    chosen = [pitfall for pitfall in problem.pitfalls if pitfall.name in names]
    for found, forms in pitfall_sets(chosen, len(names)) if names else ():
        if found == names and form_numbers(chosen, names, forms) == numbers:
            return partial(trace_once, problem, forms=forms)
    raise ProblemError(
        f"{problem.name} has no such set of forms {numbers} of {', '.join(names)}: remove its saved oracle"
    )


def _confirmed(traced: TracedReference, samples: int) -> Expected:
    expected = unbounded(traced, expect_mistake(traced, samples))
    return replace(expected, uncertain=float(uncertain(traced, samples).max(initial=0.0)))


def _different(values: Array, other: Array, due: Expected) -> bool:
    if values.size != other.size:
        return True
    if values.size != due.values.size:
        return difference(values, other) > MIN_DISTANCE * due.largest_tolerance
    return excess(values, other, due) > MIN_DISTANCE


def screening_case(problem: Problem, truth: Sequence[Expected]) -> int:
    """The first case on which the truth and the single pitfalls all give different outputs, or else the most.

    Mistakes are compared on that case first. Only mistakes that match there are compared on all cases. Settings that are
    tried alone only do not count: there may be dozens, and they would delay the first verdict.
    """
    singles = [(pitfall.name, (form,)) for pitfall in problem.pitfalls for form in pitfall.forms if not form.alone]
    known: list[list[Array]] = [[] for _ in problem.cases]

    def given(index: int, number: int) -> Array:
        if number == len(known[index]):  # a case that is left soon costs few
            more = [forms for _, forms in singles[number : 2 * number + 4]]
            for traced in trace_sets(problem, problem.cases[index], more):
                if isinstance(traced, Raises):
                    raise traced
                known[index].append(traced.exact)
        return known[index][number]

    def different(index: int, *, if_all: bool = False) -> int:
        """How many different outputs there are on a case. With `if_all`, 0 where two names have the same output."""
        seen = [("", truth[index].values)]
        for number, (name, _) in enumerate(singles):
            values = given(index, number)
            same = [other for other, output in seen if not _different(output, values, truth[index])]
            if not same:
                seen.append((name, values))
            elif if_all and same != [name]:
                return 0
        return len(seen)

    cases = range(len(problem.cases))
    # Mostly some case tells all names apart, and on a case before it, two that are the same are found soon.
    whole = next((index for index in cases if different(index, if_all=True)), None)
    return max(cases, key=different) if whole is None else whole
