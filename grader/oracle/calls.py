"""What the process of a reference is called for. Each function takes the problem, and returns a value of a declared type."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence

import jax
import numpy as np

from grader.jaxpr.lower import lower
from grader.kit import frames
from grader.kit.mistakes import Pitfall, Words
from grader.kit.picture import as_pictures, pictured
from grader.kit.problem import Problem, asked_of
from grader.kit.problem_error import ProblemError
from grader.kit.software import Origin
from grader.marking.comparison import Expected, excess
from grader.marking.facts import Facts
from grader.marking.program_comparison import SAMPLES
from grader.marking.verdict import Named
from grader.oracle import held_out, mistakes, store
from grader.oracle.documents import FreshReply, MistakesReply, StepsReply, TruthReply
from grader.oracle.expect import trace_once, truth_of
from grader.oracle.steps import packed_steps, steps_of
from grader.oracle.store import PackedExpected, PackedTruth
from grader.run.devices import choose
from grader.values.message import Message
from grader.where.packed_steps import Packed


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
        asked_of(problem),
        tuple(pictured(one) for one in as_pictures(problem.picture)),
        tuple(
            tuple(_said(pitfall, lambda words, label=form.label: words.notes.get(label, "")) for form in pitfall.forms)
            for pitfall in problem.pitfalls
        ),
    )


def _said(pitfall: Pitfall, text: Callable[[Words], str]) -> Message:
    """A text among the words of a mistake, in every language that has it."""
    translations = {language: text(words) for language, words in pitfall.translations.items() if text(words)}
    return Message(text(pitfall.words), translations=translations)


def truth(problem: Problem, device: str = "") -> TruthReply:
    """The truth, and the screening case. With a device, the compiled reference has to be right there."""
    found = truth_of(problem)[1]
    if device:
        check_reference(problem, found.expected, device)
    return TruthReply(PackedTruth.of(found), mistakes.screening_case(problem, found.expected), _origin())


def check_reference(problem: Problem, expected: Sequence[Expected], device: str) -> None:
    """Compare the reference as JAX runs it, compiled and in float32 on a device, with its own expected values.

    Raises:
        ProblemError: if a difference exceeds the tolerance. That is a fault of the kit on this device, not of the learner.
    """
    with jax.default_device(choose(device)), jax.default_matmul_precision("highest"):
        outputs = lower([trace_once(problem, case).jaxpr for case in problem.cases]).compile()()
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
    keys = tuple((mistake.names, mistake.forms) for mistake in found)
    return MistakesReply(keys, PackedExpected.of([mistake.expected for mistake in found]), _origin())


def confirmed(problem: Problem, names: Sequence[str], forms: Sequence[int], samples: int = SAMPLES) -> MistakesReply:
    """One set of pitfalls on all cases."""
    key = tuple(names), tuple(forms)
    return MistakesReply((key,), PackedExpected.of(mistakes.confirm(problem, *key, samples)), _origin())


def sets(problem: Problem, size: int, cases: Sequence[int]) -> MistakesReply:
    """For an answer key: every set of `size` pitfalls on these cases, and a sample of its values on each of them."""
    found = list(mistakes.for_key(problem, size, cases))
    values = [store.sampled(one) for _, given in found for one in given]
    return MistakesReply(tuple(key for key, _ in found), PackedExpected.of(values), _origin())


def fresh(problem: Problem, seed: int) -> FreshReply:
    """Calls beyond the cases, drawn with a seed, and their expected values."""
    drawn = held_out.fresh(problem, seed)
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


def _origin() -> Origin:
    return _origin_of(len(sys.modules))


@functools.cache
def _origin_of(modules: int) -> Origin:
    """The software that this process has imported, cached by the number of modules: a reference may import more later."""
    return Origin.of_this_process()
