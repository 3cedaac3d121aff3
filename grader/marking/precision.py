"""What is said about answers that float32, or rounding to fewer bits or digits, makes imprecise or wrong. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM, Judged
from grader.marking.evidence import Evidence, Numbers
from grader.marking.excerpt import arguments_text
from grader.marking.facts import Truth
from grader.marking.program_comparison import compare
from grader.marking.verdict import HIDDEN, Insight, Named
from grader.values.arrays import Array, Expected, difference, differences
from grader.values.message import NO_MESSAGE, Message, lines_field, message, plural_message, sentences


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

    None if it changes no more of the values of the failing case that is shown than the programs may be off, or if the
    worked answer rounds to that dtype too.
    """
    exact, programs, case = evidence.judgement.exact, evidence.programs, evidence.failing
    if exact is None or programs is None or case is None or not exact.differs[case]:
        return None
    wide = programs.widened(case)
    if wide is None or _asked(wide.dtype, evidence.truth, case):
        return None
    found = compare(wide, evidence.truth)
    if found is None:
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


def _asked(dtype: str, truth: Truth, case: int) -> bool:
    """Whether the worked answer rounds numbers of this case to a dtype of 16 bits: then it has no bound there."""
    return truth.expected[case].values.dtype.kind == "f" and dtype not in truth.coarse[case]


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
            and bool(np.all(differences(flat, due.values) <= 0.5 * unit + MOST_TOLERANCES_WITH_PROGRAM * due.tolerance))
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


def imprecise(evidence: Evidence) -> tuple[Insight, ...]:
    """A remark on a right answer whose own rounding explains why it is further off than others."""
    cases = evidence.judged
    worst = max(range(len(cases)), key=lambda index: cases[index].ratio * cases[index].imprecise)
    judged = cases[worst]
    if not judged.imprecise or evidence.programs is None:
        return ()
    line = evidence.programs.worst_line(worst, judged.worst)
    said = message(
        "Right, but it loses precision: at {case} it is {error} off, {ratio} times what float32 explains in the reference.",
        case=arguments_text(evidence.facts, worst),
        error=f"{judged.error:.2g}",
        ratio=f"{judged.ratio:.1f}",
    )
    question = message("Could fewer steps, or smaller numbers on the way, keep more digits?")
    return (Insight("imprecise", sentences(said, _most_rounding(line), question), shows_expected=True),)


def lost(evidence: Evidence) -> Named:
    """The mistake of a formula that is right, and that float32 cannot compute."""
    failing, programs = evidence.failing, evidence.programs
    assert failing is not None
    assert programs is not None
    judged, due = evidence.judged[failing], evidence.truth.expected[failing].values
    assert judged.flat is not None
    infinite = bool(np.any(~np.isfinite(judged.flat) & np.isfinite(due)))
    line = 0 if infinite else programs.worst_line(failing, judged.worst)
    return _lost_in_float32(judged, infinite, line, arguments_text(evidence.facts, failing))


def hidden_by_rounding(evidence: Evidence, failing: int) -> tuple[Insight, ...]:
    """A remark on a program that is wrong in float64, while its float32 values alone could be right."""
    exact, judged = evidence.judgement.exact, evidence.judged[failing]
    if exact is None or not exact.overrules(failing, judged):
        return ()
    said = message(
        "At {case} the values alone could pass: in float32 the grader allows that much for rounding. Computed in float64, "
        "this program is {error} off, and at most {tolerance} is allowed there.",
        case=arguments_text(evidence.facts, failing),
    )
    shown = [(f"{judged.error:.{digits}g}", f"{judged.tolerance:.{digits}g}") for digits in range(2, 18)]
    error, tolerance = next((pair for pair in shown if float(pair[0]) > float(pair[1])), shown[-1])
    said = said.with_fields(error=error, tolerance=tolerance)
    return (Insight(HIDDEN, said, shows_expected=True),)


def as_called(evidence: Evidence) -> tuple[Insight, ...]:
    """A remark on an answer whose values, compiled with all cases, are others than those of a plain call."""
    judgement = evidence.judgement
    for index in judgement.called:
        before, call = evidence.returned[index].array, judgement.returned[index].array
        if before is None or call is None or before.shape != call.shape:
            continue
        gaps = differences(before.reshape(-1), call.reshape(-1))
        if not gaps.any():
            continue
        worst = int(np.argmax(gaps))
        said = message(
            "At {case} a call alone gives {called}. Compiled with the other cases, the same call gives {compiled}. The "
            "call alone counts.",
            case=arguments_text(evidence.facts, index),
            called=f"{call.reshape(-1)[worst]:.6g}",
            compiled=f"{before.reshape(-1)[worst]:.6g}",
        )
        return (Insight("as-called", said),)
    return ()


def _lost_in_float32(judged: Judged, infinite: bool, line: int, case: str) -> Named:
    """The mistake of a formula that is right in float64 and not in float32.

    Args:
        infinite: whether some value is infinite or NaN where a number is due.
        line: where most precision is lost; 0 if that is not known.
        case: the arguments of the call.
    """
    if infinite:
        return Named(
            "overflow",
            message(
                "In float64 its values are right. In float32 some are infinite or NaN at {case}: some step makes a number "
                "that float32 cannot hold.",
                case=case,
            ),
            message("Which step makes the largest or the smallest number, and what could be taken off before it?"),
        )
    why = message(
        "In float64 its values are right. In float32 they are {error} off at {case}, {ratio} times what rounding explains "
        "in the reference.",
        error=f"{judged.error:.2g}",
        case=case,
        ratio=f"{judged.ratio:.0f}",
    )
    return Named(
        "loses-precision",
        sentences(why, _most_rounding(line)),
        message("Where does a small result come from large numbers, or from many roundings in a row?"),
        shows_expected=True,
    )


def _most_rounding(line: int) -> Message:
    """The sentence on the line where most precision is lost; none if that is not known (0)."""
    if not line:
        return NO_MESSAGE
    return message("Rounding at {lines} moves the worst value most.", lines=lines_field([line]))
