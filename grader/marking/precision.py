"""What is said about answers that float32 makes imprecise or wrong, or whose compiled values are not those of a call."""

from __future__ import annotations

import numpy as np

from grader.marking.comparison import Judged, differences
from grader.marking.evidence import Evidence
from grader.marking.excerpt import arguments_text
from grader.marking.verdict import HIDDEN, Insight, Named
from grader.values.message import NO_MESSAGE, Message, lines_field, message, sentences


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
        "At {case} the values alone could pass: float32 may round by as much. Computed in float64, this program is {error} "
        "off, and at most {tolerance} is allowed there.",
        case=arguments_text(evidence.facts, failing),
        error=f"{judged.error:.2g}",
        tolerance=f"{judged.tolerance:.1g}",
    )
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
