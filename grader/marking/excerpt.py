"""The numbers of a verdict: the few that show a mistake, and all of them for pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES, MOST_TOLERANCES_WITH_PROGRAM, Judged
from grader.marking.evidence import Evidence
from grader.marking.facts import Facts, Truth
from grader.marking.verdict import ComparedCase, Drawable, Excerpt
from grader.values.arrays import Array, Expected
from grader.values.message import Message, in_a_row, message_in_context, verbatim

COLUMNS_SHOWN = 6
"""Columns shown: as many as fit in 80 characters."""

AXES = (
    message_in_context("axis of an array", "at"),
    message_in_context("axis of an array", "base"),
    message_in_context("axis of an array", "call"),
    message_in_context("axis of an array", "channel"),
    message_in_context("axis of an array", "column"),
    message_in_context("axis of an array", "dim"),
    message_in_context("axis of an array", "entry"),
    message_in_context("axis of an array", "example"),
    message_in_context("axis of an array", "feature"),
    message_in_context("axis of an array", "first"),
    message_in_context("axis of an array", "forecast"),
    message_in_context("axis of an array", "half"),
    message_in_context("axis of an array", "head"),
    message_in_context("axis of an array", "key"),
    message_in_context("axis of an array", "loss"),
    message_in_context("axis of an array", "mode"),
    message_in_context("axis of an array", "moment"),
    message_in_context("axis of an array", "number"),
    message_in_context("axis of an array", "pair"),
    message_in_context("axis of an array", "patch"),
    message_in_context("axis of an array", "place"),
    message_in_context("axis of an array", "position"),
    message_in_context("axis of an array", "prediction"),
    message_in_context("axis of an array", "query"),
    message_in_context("axis of an array", "result"),
    message_in_context("axis of an array", "row"),
    message_in_context("axis of an array", "sample"),
    message_in_context("axis of an array", "second"),
    message_in_context("axis of an array", "sequence"),
    message_in_context("axis of an array", "step"),
    message_in_context("axis of an array", "table"),
    message_in_context("axis of an array", "term"),
    message_in_context("axis of an array", "time"),
    message_in_context("axis of an array", "token"),
    message_in_context("axis of an array", "walker"),
    message_in_context("axis of an array", "wave"),
    message_in_context("axis of an array", "weight"),
    message_in_context("axis of an array", "with"),
    message_in_context("axis of an array", "word"),
)
"""The names of axes that the problems of this kit use, which are translated."""

_WORDS = {word.text: word for word in AXES}


def axis_word(name: str) -> Message:
    """The name of an axis as a learner reads it."""
    return _WORDS.get(name) or verbatim(name)


def arguments_text(facts: Facts, case: int) -> str:
    """The arguments of a case as messages show them: T=3, d_model=4. The seed is left out if all cases have the same."""
    arguments = facts.arguments(case)
    if len({values[0] for values in facts.cases}) == 1 and len(arguments) > 1:
        arguments.pop("seed", None)
    return ", ".join(f"{name}={value}" for name, value in arguments.items())


@np.errstate(all="ignore")
def equal_values(flat: Array, due: Expected) -> Array:
    """Whether each of some values is the one that is due. Equal infinities are the same, and so are two NaN."""
    expected = due.values
    near = np.abs(flat - expected) <= MOST_TOLERANCES_WITH_PROGRAM * due.tolerance
    return near | (flat == expected) | (np.isnan(flat) & np.isnan(expected))


# Numbers from an answer key may overflow or divide by zero: they are then infinitely far off, or not comparable.
@np.errstate(all="ignore")
def excerpt(
    judged: Judged, due: Expected, shape: tuple[int, ...], axes: Sequence[str], parts: Sequence[Message] = ()
) -> Excerpt | None:
    """One row of the expected array beside the answer's row; None if no value differs or if values cannot be compared.

    Args:
        parts: names of the arrays that are stacked on the first axis, such as the values and their derivative; empty if
            nothing is stacked.
    """
    flat, expected = judged.flat, due.values
    if flat is None or flat.size != expected.size or flat.dtype.kind == "c":
        return None
    right = equal_values(flat, due)
    if right.all():
        return None
    shape = shape or (expected.size,)
    first = int(np.argmin(right))
    *row, column = (int(index) for index in np.unravel_index(first, shape))
    length = shape[-1]
    start = 0 if column < COLUMNS_SHOWN else min(column - 1, max(0, length - COLUMNS_SHOWN))
    columns = range(start, min(start + COLUMNS_SHOWN, length))
    offset = first - column
    part = [parts[row.pop(0)]] if parts else []
    count = len(row) + 1
    if axes:
        names = [*map(axis_word, axes), *[message_in_context("of an array", "axis")] * count][:count]
    else:
        row_name, column_name = message_in_context("of an array", "row"), message_in_context("of an array", "column")
        names = [row_name, column_name, message_in_context("of an array", "index")][-count:]
    return Excerpt(
        place=in_a_row(*part, *(_at(name, index) for name, index in zip(names, row, strict=False))),
        columns=tuple(_at(names[-1], index) for index in columns),
        expected=tuple(float(expected[offset + index]) for index in columns),
        yours=tuple(float(flat[offset + index]) for index in columns),
        wrong=tuple(not bool(right[offset + index]) for index in columns),
        whole=flat.dtype.kind in "iu" and expected.dtype.kind in "iu",
    )


def _at(axis: Message, index: int) -> Message:
    return Message("{axis} {index}", {"axis": axis, "index": index})


def due_of(evidence: Evidence, case: int) -> Expected:
    """What is expected of a case, with the tolerance by which its values are marked as wrong (`equal_values`)."""
    due, exact, judged = evidence.truth.expected[case], evidence.judgement.exact, evidence.judged[case]
    if exact is not None and exact.overrules(case, judged):
        return Expected(due.values, exact.allowed[case] / MOST_TOLERANCES_WITH_PROGRAM)
    return Expected(due.values, due.tolerance * (MOST_TOLERANCES_OF_VALUES / MOST_TOLERANCES_WITH_PROGRAM))


def drawable(evidence: Evidence) -> Drawable | None:
    """What pictures can be drawn of: all cases; None for a problem without pictures."""
    if not evidence.facts.pictures:
        return None
    cases = (_compared(evidence, case) for case in range(len(evidence.judged)))
    return Drawable(evidence.facts.pictures, tuple(cases))


def _compared(evidence: Evidence, case: int) -> ComparedCase:
    alone, judged = expected_alone(case, evidence.facts, evidence.truth, evidence.parts), evidence.judged[case]
    flat = judged.flat
    if flat is None or flat.size != evidence.truth.expected[case].size or flat.dtype.kind == "c":
        return alone
    nothing = np.zeros(flat.shape, np.bool_)
    due = evidence.truth.expected[case] if judged.passed else due_of(evidence, case)
    wrong = nothing if judged.passed else ~equal_values(flat, due)
    return replace(alone, due=_quiet(due.values, due), given=_quiet(flat, due), wrong=wrong)


def _quiet(values: Array, due: Expected) -> Array:
    """Values in which what rounding alone makes of zero is zero: else noise would fill the whole scale of a picture."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) <= due.tolerance, np.zeros_like(values), values)


def expected_alone(case: int, facts: Facts, truth: Truth, parts: tuple[Message, ...] = ()) -> ComparedCase:
    """A case without an answer."""
    due = truth.expected[case]
    shape = truth.shapes[case] or (due.size,)
    arguments = arguments_text(facts, case)
    return ComparedCase(case, arguments, tuple(shape), facts.axes, _quiet(due.values, due), None, None, parts)
