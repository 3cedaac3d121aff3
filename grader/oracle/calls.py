"""What the process of a reference is called for. Each function takes the problem, and returns a JSON document and arrays."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import jax
import numpy as np

from grader.jaxpr.lower import lower
from grader.kit import frames
from grader.kit.mistakes import Pitfall, Words
from grader.kit.picture import as_pictures, pictured
from grader.kit.problem import Problem, ProblemError, asked_of
from grader.kit.software import Origin
from grader.marking.comparison import Array, Expected, excess
from grader.marking.facts import Facts
from grader.marking.program_comparison import SAMPLES
from grader.marking.verdict import Named
from grader.oracle import held_out, mistakes, store
from grader.oracle.expect import trace_once, truth_of
from grader.oracle.steps import packed_steps, steps_of
from grader.run.devices import choose
from grader.values.message import Message
from grader.where.packed_steps import Packed

Given = tuple[dict[str, Any], Sequence[Array]]


def declared(problem: Problem) -> Given:
    """What a problem declares (see `facts`)."""
    return asdict(facts(problem)), ()


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


def truth(problem: Problem, device: str = "") -> Given:
    """The truth, and the screening case. With a device, the compiled reference has to be right there."""
    found = truth_of(problem)[1]
    if device:
        check_reference(problem, found.expected, device)
    document, arrays = store.truth_document(found)
    case = mistakes.screening_case(problem, found.expected)
    return {"truth": document, "screening_case": case, "origin": _origin()}, arrays


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


def level(problem: Problem, size: int, case: int, part: int = 0, parts: int = 1) -> Given:
    """Every set of `size` pitfalls on one case, as `mistakes.outputs` has them."""
    found = list(mistakes.outputs(problem, size, case, part, parts))
    keys = [(mistake.names, mistake.forms) for mistake in found]
    return {"keys": keys, "origin": _origin()}, store.pack([mistake.expected for mistake in found])


def confirmed(problem: Problem, names: Sequence[str], forms: Sequence[int], samples: int = SAMPLES) -> Given:
    """One set of pitfalls on all cases."""
    found = mistakes.confirm(problem, tuple(names), tuple(forms), samples)
    return {"keys": [(names, forms)], "origin": _origin()}, store.pack(found)


def sets(problem: Problem, size: int, cases: Sequence[int]) -> Given:
    """For an answer key: every set of `size` pitfalls on these cases, and a sample of its values on each of them."""
    found = list(mistakes.for_key(problem, size, cases))
    values = [store.sampled(one) for _, given in found for one in given]
    return {"keys": [key for key, _ in found], "origin": _origin()}, store.pack(values)


def fresh(problem: Problem, seed: int) -> Given:
    """Calls beyond the cases, drawn with a seed, and their expected values."""
    drawn = held_out.fresh(problem, seed)
    document = {
        "cases": [case for case, _, _ in drawn],
        "shapes": [one.shape for _, one, _ in drawn],
        "dtypes": [one.dtype for _, one, _ in drawn],
        "origin": _origin(),
    }
    return document, store.pack([due for _, _, due in drawn])


def steps(problem: Problem, of_value: bool, most: int | None = None) -> Given:
    """The steps of the reference, or those of the value alone: of all cases, or of as many as `most` bytes hold.

    There are none if nobody can compute them, or if they are too many: they only show places, and the reference can be
    graded all the same.
    """
    try:
        found = packed_steps(steps_of(problem, of_value=of_value), most)
    except (ProblemError, frames.FrameError):
        found = Packed(b"", ())
    return {"cases": found.cases, "origin": _origin()}, [np.frombuffer(found.data, np.uint8)]


def _origin() -> dict[str, Any]:
    return _origin_of(len(sys.modules)).to_json()


@functools.cache
def _origin_of(modules: int) -> Origin:
    """The software that this process has imported, cached by the number of modules: a reference may import more later."""
    return Origin.of_this_process()
