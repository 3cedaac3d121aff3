"""A wrong answer -> the smallest set of mistakes that gives its numbers. NumPy only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.marking import common_mistakes
from grader.marking.facts import Oracle, Truth
from grader.marking.judge import IMPRECISE, Answered, Array, Expected, Judged, differences
from grader.marking.verdict import Diagnosis, Named

LARGEST_SET = 3
ROUNDING = 2.0**-21
"""Eight units of roundoff, the least tolerance of the truth in its own scale (see `oracle.expect`)."""
MIN_COMPARABLE = 0.5
"""Skip a mistake unless this fraction of its values is comparable after rounding."""


@dataclass(frozen=True)
class _Reading:
    """One way to read the answer's arrays: mistakes of layout undone, so that the values can be compared."""

    undone: tuple[Named, ...]
    flats: tuple[Array, ...]


@np.errstate(
    all="ignore"
)  # numbers out of a key may overflow or divide by zero: infinitely far off, or nothing to compare
def diagnose(
    answered: Sequence[Answered],
    judged: Sequence[Judged],
    truth: Truth,
    pitfalls: Mapping[str, Named],
    oracle: Oracle,
) -> Diagnosis:
    """The smallest explanation of a wrong answer: mistakes of form seen in it, of layout undone, and pitfalls.

    Sets of pitfalls are tried from small to large; mistakes of value that any problem can have (a constant factor, low
    precision) weigh as much as one pitfall. Nothing is named that was neither seen nor reproduces every case.
    """
    seen = common_mistakes.seen_in_form(answered, judged, truth.expected, truth.dtypes)
    flats = [case.flat for case in judged]
    if any(flat is None for flat in flats):
        return Diagnosis(seen, (), explained=bool(seen))
    whole = tuple(flat for flat in flats if flat is not None)
    readings = list(_readings(whole, truth.shapes))
    for size in range(LARGEST_SET + 2):
        found: list[tuple[float, tuple[Named, ...]]] = []
        for reading in readings:
            pitfalls_left = size - len(reading.undone)
            if 0 <= pitfalls_left <= LARGEST_SET:
                found += _explanations(reading, pitfalls_left, truth, pitfalls, oracle)
        if size == 1 and not found:
            found = [(0.0, (named,)) for named in common_mistakes.seen_in_values(whole, truth)]
        if found:
            return _choose(found, seen)
    last = common_mistakes.seen_at_last(whole, truth.expected)
    # Where the length is wrong there are no values to explain: that is the mistake.
    return Diagnosis((*seen, *last), (), explained=any(mistake.name == "wrong-length" for mistake in seen))


def _choose(found: list[tuple[float, tuple[Named, ...]]], seen: tuple[Named, ...]) -> Diagnosis:
    """The closest explanations of one size: the first in declared order, the others as alternatives.

    A mistake that the problem itself knows says more than one of layout, where both give the same numbers.
    """
    if any(closeness <= 1.0 for closeness, _ in found):
        found = [item for item in found if item[0] <= 1.0]
    own = [item for item in found if not any(mistake.name in common_mistakes.NAMES for mistake in item[1])]
    found = own or found
    sets: list[tuple[Named, ...]] = []
    for _, named in found:
        if named not in sets:
            sets.append(named)
    first, *others = sets
    return Diagnosis(
        (*first, *seen), tuple(tuple(mistake.name for mistake in (*named, *seen)) for named in others), explained=True
    )


def _explanations(
    reading: _Reading,
    size: int,
    truth: Truth,
    pitfalls: Mapping[str, Named],
    oracle: Oracle,
) -> Iterator[tuple[float, tuple[Named, ...]]]:
    if size == 0:
        closeness = _closeness_over(reading.flats, truth.expected, truth.expected)
        if closeness <= IMPRECISE:
            yield closeness, reading.undone
        return
    case = oracle.screening_case
    due = truth.expected[case]
    for mistake in oracle.level(size):
        if (
            _comparable(mistake.expected, due).mean() < MIN_COMPARABLE
            or _closeness(reading.flats[case], mistake.expected, due) > IMPRECISE
        ):
            continue
        outputs = oracle.confirm(mistake)
        if not any(np.isfinite(claimed.values).any() for claimed in outputs):
            continue  # nothing but NaN: any answer that divides by zero would fit
        closeness = _closeness_over(reading.flats, outputs, truth.expected)
        if closeness <= IMPRECISE and _accounts_for_a_failure(reading.flats, outputs, truth.expected):
            yield closeness, (*(pitfalls[name] for name in mistake.names), *reading.undone)


def _closeness_over(flats: Sequence[Array], mistake: Sequence[Expected], truth: Sequence[Expected]) -> float:
    """The largest distance over all cases, in tolerances."""
    return max(_closeness(flat, claimed, due) for flat, claimed, due in zip(flats, mistake, truth, strict=True))


def _accounts_for_a_failure(flats: Sequence[Array], mistake: Sequence[Expected], truth: Sequence[Expected]) -> bool:
    """Whether some wrong value of the answer is comparable under this mistake."""
    for flat, claimed, due in zip(flats, mistake, truth, strict=True):
        if flat.size != due.values.size:
            return True
        failed = differences(flat, due.values) > IMPRECISE * due.tolerance
        if claimed.size != flat.size or bool(np.any(_comparable(claimed, due) & claimed.pick(failed))):
            return True
    return False


def _least(mistake: Expected, due: Expected) -> float | Array:
    """The rounding error at the scale of the truth: where a mistake cancels, its own scale says nothing of that error."""
    least = ROUNDING * _scale(due)
    if not isinstance(due.tolerance, np.ndarray) or due.size != mistake.size:
        return least
    return np.minimum(least, mistake.pick(due.tolerance))


def _scale(expected: Expected) -> float:
    return float(np.max(np.abs(expected.values), initial=0.0, where=np.isfinite(expected.values)))


def _comparable(expected: Expected, due: Expected) -> Array:
    """Which values can be compared: a mistake can make a value so sensitive to rounding that any number would fit."""
    if not isinstance(expected.tolerance, np.ndarray):
        return np.ones(expected.values.shape, np.bool_)
    # Nothing but small numbers says much where large ones are due.
    scale = max(_scale(expected), _scale(due))
    return IMPRECISE * expected.tolerance <= max(0.25 * scale, 1e-6)


def _closeness(flat: Array, mistake: Expected, due: Expected) -> float:
    """How far an answer is from a mistake, in the mistake's tolerances; inf where the lengths differ."""
    if flat.size != mistake.size:
        return math.inf
    gaps = differences(mistake.pick(flat), mistake.values)
    tolerances = np.maximum(np.broadcast_to(mistake.tolerance, gaps.shape), _least(mistake, due))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(gaps == 0, 0.0, gaps / tolerances)
    return float(ratios[_comparable(mistake, due)].max(initial=0.0))


def _readings(flats: tuple[Array, ...], shapes: Sequence[tuple[int, ...]]) -> Iterator[_Reading]:
    """The answer as it stands, then with every exchange of the axes of the array undone."""
    yield _Reading((), flats)
    ranks = {len(shape) for shape in shapes}
    if len(ranks) != 1 or ranks == {1}:
        return
    if any(flat.size != math.prod(shape) for flat, shape in zip(flats, shapes, strict=True)):
        return
    (rank,) = ranks
    for order in itertools.permutations(range(rank)):
        if order == tuple(range(rank)):
            continue
        undone = tuple(_undo(flat, shape, order) for flat, shape in zip(flats, shapes, strict=True))
        if any(not np.array_equal(new, old, equal_nan=True) for new, old in zip(undone, flats, strict=True)):
            yield _Reading((common_mistakes.transposed(rank),), undone)


def _undo(flat: Array, shape: tuple[int, ...], order: tuple[int, ...]) -> Array:
    moved = tuple(shape[axis] for axis in order)
    return flat.reshape(moved).transpose(np.argsort(order)).reshape(-1)
