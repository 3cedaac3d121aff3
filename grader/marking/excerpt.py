"""The few numbers that show a mistake: one row of the smallest failing case, around its first wrong value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.locale.language import pgettext
from grader.marking.comparison import IMPRECISE, Array, Expected, Judged
from grader.marking.facts import Facts
from grader.marking.verdict import Excerpt

WIDTH = 6
"""Columns shown: as many as fit in 80 characters."""


def axis_word(name: str) -> str:
    """The name of an axis as a learner reads it: the names that the problems of this kit use are translated."""
    return {
        "at": pgettext("axis of an array", "at"),
        "base": pgettext("axis of an array", "base"),
        "call": pgettext("axis of an array", "call"),
        "channel": pgettext("axis of an array", "channel"),
        "column": pgettext("axis of an array", "column"),
        "dim": pgettext("axis of an array", "dim"),
        "entry": pgettext("axis of an array", "entry"),
        "example": pgettext("axis of an array", "example"),
        "feature": pgettext("axis of an array", "feature"),
        "first": pgettext("axis of an array", "first"),
        "forecast": pgettext("axis of an array", "forecast"),
        "half": pgettext("axis of an array", "half"),
        "head": pgettext("axis of an array", "head"),
        "key": pgettext("axis of an array", "key"),
        "loss": pgettext("axis of an array", "loss"),
        "mode": pgettext("axis of an array", "mode"),
        "moment": pgettext("axis of an array", "moment"),
        "number": pgettext("axis of an array", "number"),
        "pair": pgettext("axis of an array", "pair"),
        "patch": pgettext("axis of an array", "patch"),
        "place": pgettext("axis of an array", "place"),
        "position": pgettext("axis of an array", "position"),
        "prediction": pgettext("axis of an array", "prediction"),
        "query": pgettext("axis of an array", "query"),
        "result": pgettext("axis of an array", "result"),
        "row": pgettext("axis of an array", "row"),
        "sample": pgettext("axis of an array", "sample"),
        "second": pgettext("axis of an array", "second"),
        "sequence": pgettext("axis of an array", "sequence"),
        "step": pgettext("axis of an array", "step"),
        "table": pgettext("axis of an array", "table"),
        "term": pgettext("axis of an array", "term"),
        "time": pgettext("axis of an array", "time"),
        "token": pgettext("axis of an array", "token"),
        "walker": pgettext("axis of an array", "walker"),
        "wave": pgettext("axis of an array", "wave"),
        "weight": pgettext("axis of an array", "weight"),
        "with": pgettext("axis of an array", "with"),
        "word": pgettext("axis of an array", "word"),
    }.get(name, name)


def arguments_text(facts: Facts, case: int) -> str:
    """The arguments of a case as messages show them: T=3, d_model=4. The seed is left out if all cases have the same."""
    arguments = facts.arguments(case)
    if len({one[0] for one in facts.cases}) == 1 and len(arguments) > 1:
        arguments.pop("seed", None)
    return ", ".join(f"{name}={value}" for name, value in arguments.items())


@np.errstate(all="ignore")
def same(flat: Array, due: Expected) -> Array:
    """Whether each of some values is the one that is due. Equal infinities are the same, and so are two NaN."""
    expected = due.values
    near = np.abs(flat - expected) <= IMPRECISE * due.tolerance
    return near | (flat == expected) | (np.isnan(flat) & np.isnan(expected))


# Numbers from an answer key may overflow or divide by zero: they are then infinitely far off, or not comparable.
@np.errstate(all="ignore")
def excerpt(
    judged: Judged, due: Expected, shape: tuple[int, ...], axes: Sequence[str], parts: Sequence[str] = ()
) -> Excerpt | None:
    """One row of the expected array beside the answer's row; None if no value differs or if values cannot be compared.

    Args:
        parts: names of the arrays that are stacked on the first axis, such as the values and their derivative; empty if
            nothing is stacked.
    """
    flat, expected = judged.flat, due.values
    if flat is None or flat.size != expected.size or flat.dtype.kind == "c":
        return None
    right = same(flat, due)
    if right.all():
        return None
    shape = shape or (expected.size,)
    first = int(np.argmin(right))
    *row, column = (int(index) for index in np.unravel_index(first, shape))
    length = shape[-1]
    start = 0 if column < WIDTH else min(column - 1, max(0, length - WIDTH))
    columns = range(start, min(start + WIDTH, length))
    offset = first - column
    part = [parts[row.pop(0)]] if parts else []
    count = len(row) + 1
    if axes:
        names = [*map(axis_word, axes), *[pgettext("of an array", "axis")] * count][:count]
    else:
        row_name, column_name = pgettext("of an array", "row"), pgettext("of an array", "column")
        names = [row_name, column_name, pgettext("of an array", "index")][-count:]
    return Excerpt(
        place=", ".join([*part, *(f"{name} {index}" for name, index in zip(names, row, strict=False))]),
        columns=tuple(f"{names[-1]} {index}" for index in columns),
        expected=tuple(float(expected[offset + index]) for index in columns),
        yours=tuple(float(flat[offset + index]) for index in columns),
        wrong=tuple(not bool(right[offset + index]) for index in columns),
        whole=flat.dtype.kind in "iu" and expected.dtype.kind in "iu",
    )
