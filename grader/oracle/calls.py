"""What the process of a reference is called for. Each function takes the problem, and returns a JSON document and arrays."""

from __future__ import annotations

import functools
import itertools
import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import jax
import numpy as np

from grader.jaxpr.compat import choose
from grader.jaxpr.lower import lower
from grader.jaxpr.outline import acting
from grader.kit.arguments import Whole
from grader.kit.mistakes import MistakeWords, Pitfall
from grader.kit.problem import Case, Problem, arguments_of, as_pictures, asked_of, fault_of, pictured
from grader.kit.problem_error import ProblemError
from grader.kit.software import SoftwareOrigin
from grader.marking.facts import Facts, ProgramRequirements, Truth
from grader.marking.verdict import Named
from grader.oracle import mistakes, store
from grader.oracle.documents import FreshReply, MistakesReply, ScreenedReply, StepsReply, TruthReply
from grader.oracle.expect import TracedReference, expect, trace, trace_once, truth_of, unstable
from grader.oracle.steps import packed_steps, steps_of
from grader.oracle.store import PackedExpected, PackedTruth
from grader.values import frames
from grader.values.arrays import NOISY_EVALUATIONS, Expected, excess
from grader.values.message import Message
from grader.where.steps import Packed

CALLS_DRAWN = 3
"""Calls to draw."""

MOST_CALLS_TRIED = 60
"""Legal calls to try before giving up: some make no sense, some are unstable (a tie, a floor at a border)."""

MOST_FRESH_DRAWS = 10_000
"""Draws of arguments, legal together or not, before giving up."""


def fresh_calls(problem: Problem, seed: int) -> list[tuple[Case, TracedReference, Expected]]:
    """`CALLS_DRAWN` calls that are not cases, drawn with `seed`, each with its program and its expected values.

    Raises:
        ProblemError: where `MOST_CALLS_TRIED` draws do not give enough of them.
    """
    drawn: dict[Case, tuple[TracedReference, Expected]] = {}
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
    for _ in range(MOST_FRESH_DRAWS):
        each = zip(arguments_of(problem).values(), columns, strict=True)
        sizes = (
            source.choice(problem.cases)[1:]
            if of_a_case
            else (argument.draw(source, column) for argument, column in each)
        )
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


def facts(problem: Problem) -> Facts:
    """What a problem declares, without its code."""
    return Facts(
        problem.name,
        problem.parameters,
        tuple(problem.cases),
        tuple(problem.axes),
        tuple(
            Named(pitfall.name, _said(pitfall, lambda words: words.why), _said(pitfall, lambda words: words.hint))
            for pitfall in problem.pitfalls
        ),
        problem.contract,
        problem.wrt,
        _asked(problem),
        tuple(pictured(picture) for picture in as_pictures(problem.picture)),
        tuple(
            tuple(_said(pitfall, lambda words, label=form.label: words.notes.get(label, "")) for form in pitfall.forms)
            for pitfall in problem.pitfalls
        ),
        any(isinstance(argument, Whole) and argument.repeats for argument in problem.arguments.values()),
    )


def _asked(problem: Problem) -> ProgramRequirements:
    """What is asked of programs, and where an operation that is needed does nothing in the reference's own."""
    asked = asked_of(problem)
    if not asked.needs:
        return asked
    acts = [acting(trace_once(problem, case).jaxpr) for case in problem.cases]
    idle = {family: tuple(case for case, held in enumerate(acts) if family not in held) for family in asked.needs}
    return replace(asked, idle={family: cases for family, cases in idle.items() if 0 < len(cases) < len(acts)})


def _said(pitfall: Pitfall, text: Callable[[MistakeWords], str]) -> Message:
    """A text among the words of a mistake, in every language that has it."""
    translations = {language: text(words) for language, words in pitfall.translations.items() if text(words)}
    return Message(text(pitfall.words), translations=translations)


def truth(problem: Problem, device: str = "") -> TruthReply:
    """The truth. With a device, the compiled reference has to be right there."""
    found = _truth(problem)
    if device:
        check_reference(problem, found.expected, device)
    return TruthReply(PackedTruth.of(found), _origin())


_COMPUTED: list[tuple[Problem, Truth]] = []
"""The last problem whose truth was computed, and the truth."""


def _truth(problem: Problem) -> Truth:
    if not _COMPUTED or _COMPUTED[0][0] is not problem:
        _COMPUTED[:] = [(problem, truth_of(problem)[1])]
    return _COMPUTED[0][1]


def screened(problem: Problem) -> ScreenedReply:
    """The screening case, and every single pitfall on it: what is asked first of a wrong answer."""
    case = mistakes.screening_case(problem, _truth(problem).expected)
    found = level(problem, 1, case)
    return ScreenedReply(found.keys, found.expected, found.origin, case)


def check_reference(problem: Problem, expected: Sequence[Expected], device: str) -> None:
    """Compare the reference as JAX runs it, compiled and in float32 on a device, with its own expected values.

    Raises:
        ProblemError: if a difference exceeds the tolerance. That is a fault of the kit on this device, not of the learner.
    """
    with jax.default_device(choose(device)), jax.enable_x64(False), jax.default_matmul_precision("highest"):
        # Traced again, for this device: under other settings, its draws would not be those of JAX, and would be compiled.
        outputs = lower([trace(problem, case).jaxpr for case in problem.cases]).outputs()
    for case, output, due in zip(problem.cases, outputs, expected, strict=True):
        ratio = excess(np.asarray(output), due.values, due)
        if ratio > 1.0:
            raise ProblemError(
                f"the reference of {problem.name}{case}, compiled on {device}, is {ratio:.3g} tolerances off its own "
                f"expected values: this kit cannot grade {problem.name} on this device"
            )


def level(problem: Problem, size: int, case: int, part: int = 0, parts: int = 1) -> MistakesReply:
    """Every set of `size` pitfalls on one case, as `mistakes.outputs` has them."""
    found = list(mistakes.outputs(problem, size, case, part, parts))
    keys = tuple(mistake.key for mistake in found)
    return MistakesReply(keys, PackedExpected.of([mistake.expected for mistake in found]), _origin())


def on_case(problem: Problem, sets: Sequence[tuple[Sequence[str], Sequence[int]]], case: int) -> MistakesReply:
    """Sets of pitfalls on one case, with rough tolerances."""
    keys = tuple((tuple(names), tuple(forms)) for names, forms in sets)
    return MistakesReply(keys, PackedExpected.of([mistakes.on_case(problem, *key, case) for key in keys]), _origin())


def confirmed(
    problem: Problem, names: Sequence[str], forms: Sequence[int], samples: int = NOISY_EVALUATIONS
) -> MistakesReply:
    """One set of pitfalls on all cases."""
    key = tuple(names), tuple(forms)
    return MistakesReply((key,), PackedExpected.of(mistakes.confirm(problem, *key, samples)), _origin())


def sets(problem: Problem, size: int, cases: Sequence[int]) -> MistakesReply:
    """For an answer key: every set of `size` pitfalls on these cases, and a sample of its values on each of them."""
    found = list(mistakes.for_key(problem, size, cases))
    values = [store.sampled(expected) for _, given in found for expected in given]
    return MistakesReply(tuple(key for key, _ in found), PackedExpected.of(values), _origin())


def fresh(problem: Problem, seed: int) -> FreshReply:
    """Calls beyond the cases, drawn with a seed, and their expected values."""
    drawn = fresh_calls(problem, seed)
    return FreshReply(
        cases=tuple(case for case, _, _ in drawn),
        shapes=[traced.shape for _, traced, _ in drawn],
        dtypes=[traced.dtype for _, traced, _ in drawn],
        expected=PackedExpected.of([due for _, _, due in drawn]),
        origin=_origin(),
    )


def steps(problem: Problem, of_value: bool, most: int | None = None) -> StepsReply:
    """The steps of the reference, or those of the value alone: of all cases, or of as many as `most` bytes hold.

    There are none if nobody can compute them, or if they are too many: they only show places, and the reference can be
    graded all the same.
    """
    try:
        found = packed_steps(steps_of(problem, of_value=of_value), most)
    except (ProblemError, frames.FrameError):
        found = Packed(b"", ())
    return StepsReply(found, _origin())


def _origin() -> SoftwareOrigin:
    return _origin_of(len(sys.modules))


@functools.cache
def _origin_of(modules: int) -> SoftwareOrigin:
    """The software that this process has imported, cached by the number of modules: a reference may import more later."""
    return SoftwareOrigin.of_this_process()
