"""The values of each case, for pictures: what is due, what the answer gave, and which of them are wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grader.marking.comparison import ALONE, IMPRECISE, Array, Expected
from grader.marking.evidence import Evidence
from grader.marking.excerpt import arguments_text, same
from grader.marking.facts import Facts, Truth
from grader.marking.picture_data import Compared, Drawable
from grader.values.message import Message


def due_of(evidence: Evidence, case: int) -> Expected:
    """What is expected of a case, with the tolerance by which its values are marked as wrong (see `excerpt.same`)."""
    due, exact, judged = evidence.truth.expected[case], evidence.judgement.exact, evidence.judged[case]
    if exact is not None and exact.overrules(case, judged):
        return Expected(due.values, exact.allowed[case] / IMPRECISE)
    return Expected(due.values, due.tolerance * (ALONE / IMPRECISE))


def drawable(evidence: Evidence) -> Drawable | None:
    """What pictures can be drawn of: all cases; None for a problem without pictures."""
    if not evidence.facts.pictures:
        return None
    cases = (_compared(evidence, case) for case in range(len(evidence.judged)))
    return Drawable(evidence.facts.pictures, tuple(cases))


def _compared(evidence: Evidence, case: int) -> Compared:
    alone, judged = expected_alone(case, evidence.facts, evidence.truth, evidence.parts), evidence.judged[case]
    flat = judged.flat
    if flat is None or flat.size != evidence.truth.expected[case].size or flat.dtype.kind == "c":
        return alone
    nothing = np.zeros(flat.shape, np.bool_)
    due = evidence.truth.expected[case] if judged.passed else due_of(evidence, case)
    wrong = nothing if judged.passed else ~same(flat, due)
    return replace(alone, due=_quiet(due.values, due), given=_quiet(flat, due), wrong=wrong)


def _quiet(values: Array, due: Expected) -> Array:
    """Values in which what rounding alone makes of zero is zero: else noise would fill the whole scale of a picture."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) <= due.tolerance, np.zeros_like(values), values)


def expected_alone(case: int, facts: Facts, truth: Truth, parts: tuple[Message, ...] = ()) -> Compared:
    """A case without an answer."""
    due = truth.expected[case]
    shape = truth.shapes[case] or (due.size,)
    arguments = arguments_text(facts, case)
    return Compared(case, arguments, tuple(shape), facts.axes, _quiet(due.values, due), None, None, parts)
