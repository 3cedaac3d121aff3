"""Recognises values that were rounded, at the end or on the way: to 16 bits, or to a few decimals. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.marking.comparison import IMPRECISE, Array, Expected, difference, differences
from grader.marking.evidence import Evidence, Numbers
from grader.marking.facts import Truth
from grader.marking.program_comparison import compare
from grader.marking.verdict import Named
from grader.values.message import Message, lines_field, message, plural_message


def low_precision(numbers: Numbers) -> Named | None:
    """The mistake of right values in a shorter dtype, or rounded to a few decimals."""
    flats, truth = numbers.values, numbers.truth
    if any(
        flat.size != due.size or due.values.dtype.kind != "f" or flat.dtype.kind not in "fi"
        for flat, due in numbers.cases
    ):
        return None
    if not any(flat.any() for flat in flats):
        return None  # zeros are right to one decimal where all that is expected is small
    why = _low_dtype(flats, truth) or _few_decimals(flats, truth.expected)
    if why is None:
        return None
    hint = message("Where are digits lost: a cast to a shorter dtype, or a call that rounds?")
    return Named("low-precision", why, hint)


_BITS = {"float16": 11, "bfloat16": 8}
"""Significant bits of each dtype of 16 bits; float32 has 24."""


def without_rounding(evidence: Evidence) -> Numbers | None:
    """The numbers of programs that round to 16 bits on the way, without this mistake.

    None if it changes no more of the values of the failing case that is shown than the programs may be off.
    """
    exact, programs, case = evidence.judgement.exact, evidence.programs, evidence.failing
    if exact is None or programs is None or case is None or not exact.differs[case]:
        return None
    wide = programs.widened(case)
    found = None if wide is None else compare(wide, evidence.truth)
    if wide is None or found is None:
        return None
    if not np.any(differences(exact.values[case], found.values[case]) > exact.allowed[case]):
        return None
    if wide.line:
        why = message("{lines} rounds numbers to {dtype}, which has {bits} significant bits where float32 has 24.")
    else:
        why = message("Some step rounds numbers to {dtype}, which has {bits} significant bits where float32 has 24.")
    named = Named(
        "low-precision",
        why.with_fields(lines=lines_field([wide.line]), dtype=wide.dtype, bits=_BITS[wide.dtype]),
        message("Which array has a shorter dtype, and why?"),
        located=wide.line > 0,
    )
    return Numbers(evidence, found, (named,))


def _low_dtype(flats: Sequence[Array], truth: Truth) -> Message | None:
    for name, through in {"float16": _through_float16, "bfloat16": _through_bfloat16}.items():
        exact = all(bool(np.array_equal(through(flat), flat, equal_nan=True)) for flat in flats)
        if name == "float16" and exact and _too_far_for_float16(flats, truth.expected):
            continue
        near = all(
            difference(flat, due.values) <= bounds.get(name, 0.0)
            for flat, due, bounds in zip(flats, truth.expected, truth.coarse, strict=True)
        )
        if exact and near:
            return message("The values are right, but only to the precision of {dtype}.", dtype=name)
    return None


def _too_far_for_float16(flats: Sequence[Array], expected: Sequence[Expected]) -> bool:
    """Whether all values fit both formats, and some error is larger than rounding to float16 can make it."""
    if not all(bool(np.array_equal(_through_bfloat16(flat), flat, equal_nan=True)) for flat in flats):
        return False
    pairs = list(zip(flats, expected, strict=True))
    return any(difference(flat, due.values) > 2.0**-10 * largest(due.values) for flat, due in pairs)


def _through_float16(flat: Array) -> Array:
    with np.errstate(over="ignore"):
        return flat.astype(np.float16).astype(np.float64)


def _through_bfloat16(flat: Array) -> Array:
    upper = flat.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    return upper.view(np.float32).astype(np.float64)


def _few_decimals(flats: Sequence[Array], expected: Sequence[Expected]) -> Message | None:
    for decimals in range(1, 7):
        unit = 10.0**-decimals
        rounded = all(
            difference(flat, np.round(flat, decimals)) <= 2.0**-23 * max(1.0, largest(flat))
            and bool(np.all(differences(flat, due.values) <= 0.5 * unit + IMPRECISE * due.tolerance))
            for flat, due in zip(flats, expected, strict=True)
        )
        if rounded:
            return plural_message(
                "The values are right, but only to {count} decimal.",
                "The values are right, but only to {count} decimals.",
                decimals,
            )
    return None


def largest(values: Array) -> float:
    """The largest finite absolute value."""
    return float(np.abs(values).max(initial=0.0, where=np.isfinite(values)))
