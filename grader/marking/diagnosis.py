"""Every way to explain a wrong answer, in the order in which they are tried, and the diagnosis that they give."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from grader.marking import common_mistakes
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.draws import exchanged_keys, exchanges, same_draws
from grader.marking.draws import other_inputs as of_other_keys
from grader.marking.evidence import Evidence, Numbers
from grader.marking.excerpt import arguments_text
from grader.marking.facts import ExpectedValues, MistakeSet, Truth
from grader.marking.precision import lost, low_precision, without_rounding
from grader.marking.verdict import Diagnosis, Named
from grader.values.arrays import Array, Expected, differences, excess, largest_magnitude
from grader.values.message import at_case, message, sentences

LARGEST_SET = 3

ROUNDING = 2.0**-21
"""Eight units of roundoff: the smallest tolerance of the truth, relative to its scale (see `oracle.expect`)."""

MIN_COMPARABLE = 0.5
"""Skip a mistake unless this fraction of its values is comparable after rounding."""

MOST_CASES_TO_RULE_OUT = 3
"""The most cases, beside the screening case, that are looked at before a mistake is confirmed on all."""

VALUES_SCREENED = 64
"""About how many values of each mistake are compared with all mistakes at once."""


@dataclass(frozen=True)
class _Reading:
    """One way to read the answer's arrays: with some mistakes of layout undone, so that values can be compared."""

    undone: tuple[Named, ...]
    flats: tuple[Array, ...]


def smallest_set(numbers: Numbers, size: int) -> Diagnosis | None:
    """The set of so many mistakes that gives the numbers, with the others of this size that do; an exchange of axes is one.

    With 0 mistakes, the numbers are right as they are. A mistake is named only if its set gives the numbers on every case
    that the oracle has for it: all of them, or two for a set of three in an answer key.
    """
    found: list[tuple[float, tuple[Named, ...]]] = []
    for reading in _readings(numbers.values, numbers.truth.shapes):
        left = size - len(reading.undone)
        if 0 <= left <= LARGEST_SET:
            found += _explanations(reading, left, numbers)
    return _closest(found) if found else None


def of_finite_cases(numbers: Numbers) -> Diagnosis | None:
    """The smallest set of pitfalls that gives the numbers of the cases that are finite, where others are not.

    A step without a finite result in some cases hides a mistake that the others show.
    """
    remark = common_mistakes.not_finite(numbers)
    kept = [
        index
        for index, (flat, due) in enumerate(numbers.cases)
        if flat.size != due.size or not np.any(~np.isfinite(flat) & np.isfinite(due.values))
    ]
    if remark is None or numbers.mistakes.screening_case not in kept:
        return None
    for size in range(1, LARGEST_SET + 1):
        matches = _matches(numbers.values, numbers.mistakes.level(size), numbers.truth, numbers.mistakes, kept)
        if best := min(matches, key=lambda match: match[0], default=None):
            return Diagnosis(numbers.evidence.facts.named(best[1]), explained=True)
    return None


def other_inputs_of(numbers: Numbers) -> Diagnosis | None:
    """The mistake of inputs that are not those of the problem: another key, one key twice, or keys exchanged."""
    evidence, truth, oracle = numbers.evidence, numbers.truth, numbers.mistakes
    case = oracle.screening_case
    due = truth.draws[case] if truth.draws else ()
    if not due or evidence.judged[case].passed:
        return None
    drawn = evidence.draws(case)
    if not drawn:
        return None
    if not same_draws(drawn, due):
        # How many arrays a line draws may depend on the sizes: the case that is shown is told, or another one is named.
        for told in dict.fromkeys((case if evidence.failing is None else evidence.failing, case)):
            if named := of_other_keys(evidence.draws(told), truth.draws[told]):
                at = "" if told == evidence.failing else arguments_text(evidence.facts, told)
                return Diagnosis((replace(named, why=at_case(at, named.why)),), explained=True)
        if {draw.key for draw in drawn} != {draw.key for draw in due}:
            return None
    # The keys are right. Whether they are exchanged shows in the values alone.
    for _, mistake in _matches(numbers.values, oracle.level(0), truth, oracle):
        cycle = exchanges(truth.draws)[mistake.forms[0]]
        named = exchanged_keys(drawn, [due[place].key for place in cycle])
        return Diagnosis((named,), explained=True)
    return None


def _closest(found: list[tuple[float, tuple[Named, ...]]]) -> Diagnosis:
    """The closest explanations of one size: the first in declared order is named, the others are alternatives.

    If pitfalls of the problem and a mistake of layout give the same numbers, the pitfalls are named: they are more specific.
    """
    if any(closeness <= 1.0 for closeness, _ in found):
        found = [item for item in found if item[0] <= 1.0]
    own = [item for item in found if not any(mistake.name == common_mistakes.TRANSPOSED for mistake in item[1])]
    # Two forms of one mistake may give the same numbers, and have notes of their own.
    by_names: dict[tuple[str, ...], tuple[Named, ...]] = {}
    for _, named in own or found:
        by_names.setdefault(tuple(mistake.name for mistake in named), named)
    first, *others = by_names
    return Diagnosis(by_names[first], tuple(others), explained=True)


def _explanations(reading: _Reading, size: int, numbers: Numbers) -> Iterator[tuple[float, tuple[Named, ...]]]:
    truth, oracle = numbers.truth, numbers.mistakes
    if size == 0:
        closeness = _closeness_over(zip(reading.flats, truth.expected, truth.expected, strict=True))
        if closeness <= MOST_TOLERANCES_WITH_PROGRAM:
            yield closeness, reading.undone
        return
    if size > 1 and not any(np.isfinite(flat).any() for flat in reading.flats):
        return  # any set with one mistake that gives no numbers would give these
    for closeness, mistake in _matches(reading.flats, oracle.level(size), truth, oracle):
        yield closeness, (*numbers.evidence.facts.named(mistake), *reading.undone)


def _matches(
    flats: Sequence[Array],
    mistakes: Sequence[MistakeSet],
    truth: Truth,
    oracle: ExpectedValues,
    kept: Sequence[int] | None = None,
) -> Iterator[tuple[float, MistakeSet]]:
    """The mistakes that give these values on every case that the oracle has for them, each with its closeness.

    Args:
        kept: the indices of the cases that count; None for all.
    """
    case = oracle.screening_case
    due = truth.expected[case]
    screened = [
        mistake
        for mistake in _possible(flats[case], mistakes, due)
        if _comparable(mistake.expected, due).mean() >= MIN_COMPARABLE
        and _closeness(flats[case], mistake.expected, due) <= MOST_TOLERANCES_WITH_PROGRAM
    ]
    for mistake in _left(flats, screened, truth, oracle, range(len(flats)) if kept is None else kept):
        outputs = list(zip(flats, oracle.confirm(mistake), truth.expected, strict=True))
        chosen = outputs if kept is None else [outputs[index] for index in kept]
        cases = [(flat, claimed, due) for flat, claimed, due in chosen if claimed is not None]
        if not any(np.isfinite(claimed.values).any() for _, claimed, _ in cases):
            continue  # no value is finite: any answer that divides by zero would fit
        closeness = _closeness_over(cases)
        if closeness <= MOST_TOLERANCES_WITH_PROGRAM and _accounts_for_a_failure(cases):
            yield closeness, mistake


def _left(
    flats: Sequence[Array], mistakes: list[MistakeSet], truth: Truth, oracle: ExpectedValues, kept: Sequence[int]
) -> list[MistakeSet]:
    """The mistakes that the other cases on which the answer is farthest off do not rule out.

    Where an answer is nearly right on the screening case, so are many mistakes, and to confirm one takes long.
    """

    def off(case: int) -> float:
        flat, due = flats[case], truth.expected[case]
        return excess(flat, due.values, due) if flat.size == due.values.size else math.inf

    for case in sorted(set(kept) - {oracle.screening_case}, key=off, reverse=True)[:MOST_CASES_TO_RULE_OUT]:
        if len(mistakes) < 2:
            break
        claims = zip(mistakes, oracle.on_case(mistakes, case), strict=True)
        mistakes = [
            mistake
            for mistake, claimed in claims
            if claimed is None or _closeness(flats[case], claimed, truth.expected[case]) <= MOST_TOLERANCES_WITH_PROGRAM
        ]
    return mistakes


def _possible(flat: Array, mistakes: Sequence[MistakeSet], due: Expected) -> list[MistakeSet]:
    """The mistakes that a look at some of their values does not rule out.

    There are hundreds of mistakes, nearly all are ruled out, and one comparison of all of them is much faster than one of
    each. Where `_closeness` allows a difference, this allows the same or a larger one.
    """
    fitting = [mistake for mistake in mistakes if mistake.expected.size == flat.size]
    if not fitting:
        return []
    here = fitting[0].expected.pick(flat)  # the values that are known of a mistake depend on its size alone
    places = slice(None, None, max(1, here.size // VALUES_SCREENED))
    values = np.stack([mistake.expected.values[places] for mistake in fitting])
    tolerances = np.stack(
        [np.broadcast_to(mistake.expected.tolerance, mistake.expected.values.shape)[places] for mistake in fitting]
    )
    scale = np.max(np.abs(values), axis=1, initial=largest_magnitude(due.values), where=np.isfinite(values))[:, None]
    comparable = MOST_TOLERANCES_WITH_PROGRAM * tolerances <= np.maximum(0.25 * scale, 1e-6)
    allowed = 1.001 * MOST_TOLERANCES_WITH_PROGRAM * np.maximum(tolerances, ROUNDING * largest_magnitude(due.values))
    ruled_out = np.any(comparable & (differences(here[places], values) > allowed), axis=1)
    return [mistake for mistake, out in zip(fitting, ruled_out, strict=True) if not out]


_Case = tuple[Array, Expected, Expected]
"""One case: the answer's values, those of a mistake, and those of the truth."""


def _closeness_over(cases: Iterable[_Case]) -> float:
    """The largest distance over all cases, in tolerances."""
    return max(_closeness(*case) for case in cases)


def _accounts_for_a_failure(cases: Sequence[_Case]) -> bool:
    """Whether some wrong value of the answer is comparable under this mistake."""
    for flat, claimed, due in cases:
        if flat.size != due.values.size:
            return True
        failed = differences(flat, due.values) > MOST_TOLERANCES_WITH_PROGRAM * due.tolerance
        if claimed.size != flat.size or bool(np.any(_comparable(claimed, due) & claimed.pick(failed))):
            return True
    return False


def _smallest_tolerance(mistake: Expected, due: Expected) -> float | Array:
    """The rounding error at the scale of the truth: where terms of a mistake cancel, its own tolerance is too small.

    Exact programs have tolerances below any rounding of float32. Then a mistake's own one counts alone.
    """
    smallest = ROUNDING * largest_magnitude(due.values)
    if due.largest_tolerance < smallest:
        return 0.0
    if not isinstance(due.tolerance, np.ndarray) or due.size != mistake.size:
        return smallest
    return np.minimum(smallest, mistake.pick(due.tolerance))


def _comparable(expected: Expected, due: Expected) -> Array:
    """Which values can be compared: a mistake can make a value so sensitive to rounding that any number would fit."""
    if not isinstance(expected.tolerance, np.ndarray):
        return np.ones(expected.values.shape, np.bool_)
    # Small numbers in place of large ones are distinctive even with wide tolerances, so the scale of the truth counts too.
    scale = max(largest_magnitude(expected.values), largest_magnitude(due.values))
    return MOST_TOLERANCES_WITH_PROGRAM * expected.tolerance <= max(0.25 * scale, 1e-6)


def _closeness(flat: Array, mistake: Expected, due: Expected) -> float:
    """How far an answer is from a mistake, in the mistake's tolerances; inf where the lengths differ."""
    if flat.size != mistake.size:
        return math.inf
    gaps = differences(mistake.pick(flat), mistake.values)
    tolerances = np.maximum(np.broadcast_to(mistake.tolerance, gaps.shape), _smallest_tolerance(mistake, due))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(gaps == 0, 0.0, gaps / tolerances)
    return float(ratios[_comparable(mistake, due)].max(initial=0.0))


MOST_AXES_EXCHANGED = 5
"""The most axes whose exchanges are tried: with one more, six times as many."""


def _readings(flats: tuple[Array, ...], shapes: Sequence[tuple[int, ...]]) -> Iterator[_Reading]:
    """The answer as it is, then the answer with each possible exchange of axes undone."""
    yield _Reading((), flats)
    ranks = {len(shape) for shape in shapes}
    if len(ranks) != 1 or ranks == {1}:
        return
    if any(flat.size != math.prod(shape) for flat, shape in zip(flats, shapes, strict=True)):
        return
    (rank,) = ranks
    if rank > MOST_AXES_EXCHANGED:
        return
    for order in itertools.permutations(range(rank)):
        if order == tuple(range(rank)):
            continue
        undone = tuple(_undo(flat, shape, order) for flat, shape in zip(flats, shapes, strict=True))
        if any(not np.array_equal(new, old, equal_nan=True) for new, old in zip(undone, flats, strict=True)):
            yield _Reading((common_mistakes.transposed(rank),), undone)


def _undo(flat: Array, shape: tuple[int, ...], order: tuple[int, ...]) -> Array:
    moved = tuple(shape[axis] for axis in order)
    return flat.reshape(moved).transpose(np.argsort(order)).reshape(-1)


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
    Detector((), of_finite_cases, finite=True, remarks=True),
    Detector(("other-inputs",), other_inputs_of, remarks=True),
)
"""The first that explains the numbers counts. What any problem can have counts as much as one pitfall. Many sets of three
give values that do not change along an axis, and none can be told from the others: what is seen is named there."""

DETECTED_MISTAKES = frozenset(
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
    length = any(mistake.name == "wrong-length" for mistake in seen)
    for detector in DETECTORS:
        found = detector.find(numbers)
        if found is not None:
            remaining = (mistake for mistake in seen if mistake.name not in ("wrong-length", "not-flattened"))
            seen = tuple(remaining) if length and detector.explains_length else seen
            after = _remark(numbers, beside_others=detector.finite) if detector.remarks else ()
            names = tuple(mistake.name for mistake in (*seen, *after))
            others = tuple((*alternative, *names) for alternative in found.alternatives)
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
