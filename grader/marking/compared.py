"""The values of each case, for pictures: what is due, what the answer gave, and which of them are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.marking.excerpt import arguments_text, same
from grader.marking.facts import Facts, Truth
from grader.marking.judge import ALONE, IMPRECISE, Expected
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
    of = expected_alone(case, facts, truth, parts)
    flat = seen.judged[case].flat
    assert of.due is not None
    if flat is None or flat.size != of.due.size or flat.dtype.kind == "c":
        return of
    nothing = np.zeros(flat.shape, np.bool_)
    wrong = nothing if seen.judged[case].passed else ~same(flat, due_of(seen, case, facts, truth))
    return replace(of, given=flat, wrong=wrong)


def expected_alone(case: int, facts: Facts, truth: Truth, parts: tuple[str, ...] = ()) -> Compared:
    """A case without an answer."""
    due = truth.expected[case].values
    shape = truth.shapes[case] or (due.size,)
    return Compared(case, arguments_text(facts, case), tuple(shape), facts.axes, due, None, None, parts)
