"""Every way to explain a wrong answer, in the order in which they are tried, and the diagnosis that they give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from grader.marking import common_mistakes, pitfall_sets
from grader.marking.evidence import Evidence, Numbers
from grader.marking.low_precision import low_precision, without_rounding
from grader.marking.pitfall_sets import LARGEST_SET, smallest_set
from grader.marking.precision import lost
from grader.marking.verdict import Diagnosis, Named
from grader.values.message import message, sentences


@dataclass(frozen=True)
class Detector:
    """One way to explain the numbers of a wrong answer.

    Attributes:
        names: the mistakes that it can name, beside the pitfalls of a problem.
        find: explains the numbers; None if it cannot.
        explains_length: whether what it finds explains how many values there are. Their number is no mistake then.
        finite: whether it explains the cases alone whose values are finite.
        remarks: whether the remark on values that are not finite is told as well.
    """

    names: tuple[str, ...]
    find: Callable[[Numbers], Diagnosis | None]
    explains_length: bool = False
    finite: bool = False
    remarks: bool = False


def _one(name: str, find: Callable[[Numbers], Named | None]) -> Detector:
    def explained(numbers: Numbers) -> Diagnosis | None:
        named = find(numbers)
        return None if named is None else Diagnosis((named,), explained=True)

    return Detector((name,), explained)


def _sets(size: int) -> Detector:
    return Detector((common_mistakes.TRANSPOSED,), partial(smallest_set, size=size), explains_length=True)


def _form_alone(numbers: Numbers) -> Diagnosis | None:
    """Nothing more, if the numbers are right but for their form, or but for what was taken out of them."""
    if not numbers.undone and not any(case.faults for case in numbers.evidence.judged):
        return None
    right = common_mistakes.cut_to_integers(numbers) or smallest_set(numbers, 0) is not None
    return Diagnosis(explained=True) if right else None


def _length_alone(numbers: Numbers) -> Diagnosis | None:
    """Nothing more, if there are more or fewer numbers than are due: they cannot be compared."""
    wrong = any("wrong-length" in case.faults for case in numbers.evidence.judged)
    return Diagnosis(explained=True) if wrong else None


DETECTORS = (
    Detector((), _form_alone),
    _sets(1),
    _one("constant-factor", common_mistakes.constant_factor),
    _one("constant-offset", common_mistakes.constant_offset),
    _one("low-precision", low_precision),
    _one("all-zeros", common_mistakes.all_zeros),
    _sets(2),
    _one("same-along-axis", common_mistakes.same_along_axis),
    _sets(LARGEST_SET),
    _sets(LARGEST_SET + 1),
    _one("all-equal", common_mistakes.all_equal),
    Detector((), _length_alone, remarks=True),
    Detector((), pitfall_sets.of_finite_cases, finite=True, remarks=True),
    Detector(("other-inputs",), pitfall_sets.other_inputs, remarks=True),
)
"""The first that explains the numbers counts. What any problem can have counts as much as one pitfall. Many sets of three
give values that do not change along an axis, and none can be told from the others: what is seen is named there."""

NAMES = frozenset(
    (
        *common_mistakes.FORMS,
        *(name for detector in DETECTORS for name in detector.names),
        *("not-finite", "loses-precision", "overflow", "not-deterministic", "only-the-cases"),
    )
)
"""The mistakes that any problem can have."""


# Numbers from an answer key may overflow or divide by zero: they are then infinitely far off, or not comparable.
@np.errstate(all="ignore")
def diagnose(evidence: Evidence) -> Diagnosis:
    """The smallest explanation of a wrong answer, with the mistakes of its form."""
    if evidence.judgement.lost:
        return Diagnosis((lost(evidence),), explained=True)
    forms = common_mistakes.of_form(evidence)
    if not evidence.comparable:
        return Diagnosis(forms, explained=bool(forms))
    wider = without_rounding(evidence)
    without = None if wider is None else _explained(wider, (*wider.undone, *forms))
    if without is not None and without.explained:
        return without
    found = _explained(evidence.numbers, forms)
    return found if found.explained or without is None else without


def _explained(numbers: Numbers, seen: tuple[Named, ...]) -> Diagnosis:
    """What explains numbers, with the mistakes that were seen before."""
    length = any(one.name == "wrong-length" for one in seen)
    for detector in DETECTORS:
        found = detector.find(numbers)
        if found is not None:
            told = (one for one in seen if one.name not in ("wrong-length", "not-flattened"))
            seen = tuple(told) if length and detector.explains_length else seen
            after = _remark(numbers, beside_others=detector.finite) if detector.remarks else ()
            names = tuple(one.name for one in (*seen, *after))
            others = tuple((*one, *names) for one in found.alternatives)
            return Diagnosis((*found.named, *seen, *after), others, explained=True)
    return Diagnosis((*seen, *_remark(numbers)))


def _remark(numbers: Numbers, *, beside_others: bool = False) -> tuple[Named, ...]:
    """The remark on values that are not finite, if there are some.

    Args:
        beside_others: whether the other cases show a mistake, which is named before.
    """
    remark = common_mistakes.not_finite(numbers)
    if remark is None:
        return ()
    if beside_others:
        remark = replace(remark, why=sentences(remark.why, message("The other cases show what is named before.")))
    return (remark,)
