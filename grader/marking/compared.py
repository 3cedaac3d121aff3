"""The values of each case, for pictures: what is due, what the answer gave, and which of them are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.marking.excerpt import arguments_text, same
from grader.marking.facts import Facts, Truth
from grader.marking.judge import ALONE, IMPRECISE, Array, Expected
from grader.marking.pictured import Compared, Drawable
from grader.marking.precision import hidden_by_rounding
from grader.marking.second_look import Look


def due_of(seen: Look, case: int, facts: Facts, truth: Truth) -> Expected:
    """What is expected of a case, with the tolerance by which its values are marked as wrong (see `excerpt.same`)."""
    due = truth.expected[case]
    if hidden_by_rounding(seen, case, facts):
        assert seen.exact is not None
        return Expected(due.values, seen.exact.allowed[case] / IMPRECISE)
    if seen.judged[case].ratio <= IMPRECISE:
        return Expected(due.values, due.tolerance * (ALONE / IMPRECISE))
    return due


def drawable(seen: Look, facts: Facts, truth: Truth, parts: Sequence[str] = ()) -> Drawable | None:
    """What pictures can be drawn of: all cases; None for a problem without pictures."""
    if not facts.pictures:
        return None
    cases = (_compared(seen, case, facts, truth, tuple(parts)) for case in range(len(seen.judged)))
    return Drawable(facts.pictures, tuple(cases))


def _compared(seen: Look, case: int, facts: Facts, truth: Truth, parts: tuple[str, ...]) -> Compared:
    alone, flat = expected_alone(case, facts, truth, parts), seen.judged[case].flat
    if flat is None or flat.size != truth.expected[case].size or flat.dtype.kind == "c":
        return alone
    nothing = np.zeros(flat.shape, np.bool_)
    due = truth.expected[case] if seen.judged[case].passed else due_of(seen, case, facts, truth)
    wrong = nothing if seen.judged[case].passed else ~same(flat, due)
    return replace(alone, due=_quiet(due.values, due), given=_quiet(flat, due), wrong=wrong)


def _quiet(values: Array, due: Expected) -> Array:
    """Values in which what rounding alone makes of zero is zero: else noise would fill the whole scale of a picture."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) <= due.tolerance, np.zeros_like(values), values)


def expected_alone(case: int, facts: Facts, truth: Truth, parts: tuple[str, ...] = ()) -> Compared:
    """A case without an answer."""
    due = truth.expected[case]
    shape = truth.shapes[case] or (due.size,)
    arguments = arguments_text(facts, case)
    return Compared(case, arguments, tuple(shape), facts.axes, _quiet(due.values, due), None, None, parts)
