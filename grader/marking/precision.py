"""What is said about answers that float32 makes imprecise or wrong, or whose compiled values are not those of a call."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.marking.excerpt import arguments_text
from grader.marking.facts import Facts, Truth
from grader.marking.judge import Answered, Judged, differences
from grader.marking.second_look import Inquiry, Look
from grader.marking.verdict import HIDDEN, Insight, Named


def imprecise(seen: Look, facts: Facts, inquiry: Inquiry) -> tuple[Insight, ...]:
    """A remark on a right answer whose own rounding explains why it is further off than others."""
    worst = max(range(len(seen.judged)), key=lambda index: seen.judged[index].ratio * seen.judged[index].imprecise)
    judged = seen.judged[worst]
    if not judged.imprecise or inquiry.replayed is None:
        return ()
    line = inquiry.replayed.worst_line(worst, judged.worst)
    where = f" Most of it is lost at line {line}." if line else ""
    return (
        Insight(
            "imprecise",
            f"Right, but it loses precision: at {arguments_text(facts, worst)} it is {judged.error:.2g} off, "
            f"{judged.ratio:.1f} times what float32 explains in the reference.{where} Could fewer steps, or smaller numbers "
            "on the way, keep more digits?",
            shows_expected=True,
        ),
    )


def lost(seen: Look, failing: int, facts: Facts, truth: Truth, inquiry: Inquiry) -> Named:
    """The mistake of a formula that is right, and that float32 cannot compute."""
    judged, due = seen.judged[failing], truth.expected[failing].values
    assert judged.flat is not None
    assert inquiry.replayed is not None
    infinite = bool(np.any(~np.isfinite(judged.flat) & np.isfinite(due)))
    line = 0 if infinite else inquiry.replayed.worst_line(failing, judged.worst)
    return _lost_in_float32(judged, infinite, line, arguments_text(facts, failing))


def hidden_by_rounding(seen: Look, failing: int, facts: Facts) -> tuple[Insight, ...]:
    """A remark on a program that is wrong in float64, while its float32 values alone could be right."""
    judged = seen.judged[failing]
    if seen.exact is None or not seen.exact.overrules(failing, judged):
        return ()
    return (
        Insight(
            HIDDEN,
            f"At {arguments_text(facts, failing)} the values are as close as those of a right answer in float32 can be. "
            f"In float64 this program is {judged.error:.2g} off, and up to {judged.tolerance:.1g} would pass there.",
            shows_expected=True,
        ),
    )


def as_called(answered: Sequence[Answered], seen: Look, facts: Facts) -> tuple[Insight, ...]:
    """A remark on an answer whose values, compiled with all cases, are others than those of a plain call."""
    for index in seen.called:
        before, call = answered[index].array, seen.answered[index].array
        if before is None or call is None or before.shape != call.shape:
            continue
        gaps = differences(before.reshape(-1), call.reshape(-1))
        if not gaps.any():
            continue
        worst = int(np.argmax(gaps))
        return (
            Insight(
                "as-called",
                f"At {arguments_text(facts, index)} a call gives {call.reshape(-1)[worst]:.6g}. Compiled with the other "
                f"cases, the same call gives {before.reshape(-1)[worst]:.6g}. The call counts.",
            ),
        )
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
            f"In float64 its values are right. In float32 some are infinite or NaN at {case}: some step makes a number that "
            "float32 cannot hold.",
            "Which step makes the largest or the smallest number, and what could be taken off before it?",
        )
    where = f" Most of it is lost at line {line}." if line else ""
    return Named(
        "loses-precision",
        f"In float64 its values are right. In float32 they are {judged.error:.2g} off at {case}, {judged.ratio:.0f} times "
        f"what rounding explains in the reference.{where}",
        "Where does a small result come from large numbers, or from many roundings in a row?",
        shows_expected=True,
    )
