"""Some values of a wrong answer that nothing explains, kept so that it can be compared with others later. NumPy only."""

from __future__ import annotations

import base64
import json
import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM, Judged
from grader.marking.evidence import Evidence
from grader.values.arrays import TOO_LONG, Array, Expected, differences

PLACES, WHOLE = 64, 512
"""How many values of a case are kept, and of the smallest failing case: all of most cases."""

LARGEST_SAMPLE = 1 << 18
"""The most characters of a sample. One of eight cases has 1000 to 5000."""

DTYPES = {"f": "<f4", "i": "<f8", "c": "<c8"}
"""How values of each kind are kept. An int64 that float64 cannot hold is kept as the nearest one that it can."""

ROUNDING = 8 * 2.0**-24
"""No two float32 numbers that go different ways need be nearer than this part of them: it is in every tolerance."""


@dataclass(frozen=True)
class OfCase:
    """Some values of one case.

    Attributes:
        size: how many values the answer gave; -1 if it gave none that can be compared.
        kind: "f", "i" or "c" for floats, integers and complex numbers; empty for none.
        off: the largest difference of all values from those expected, in tolerances; None if it is not finite.
        places: the indices of the values that are kept.
        values: how far each is from what is expected. Of a wrong length, these are the values themselves.
        tolerances: of each of these values, float64.
    """

    size: int
    kind: str
    off: float | None
    places: Array
    values: Array
    tolerances: Array


@dataclass(frozen=True)
class _Packed:
    """One case as it is written: base64 of `values`, and of one tolerance for all or one for each."""

    size: int
    kind: str
    off: float | None
    values: str
    tolerances: str


def sample_of(evidence: Evidence) -> str:
    """The sample of a wrong answer: of the smallest failing case all values, of every other case some.

    The seed of the evidence chooses which. Samples under one seed hold values at the same places.

    Returns:
        JSON, which `read` reads.
    """
    failing, seed = evidence.failing, evidence.seed
    cases = [
        _packed(case, _due(evidence, index), WHOLE if index == failing else PLACES, seed, index)
        for index, case in enumerate(evidence.judged)
    ]
    return json.dumps({"seed": seed, "cases": [asdict(case) for case in cases]}, separators=(",", ":"))


def _due(evidence: Evidence, case: int) -> Expected:
    """What is expected of a case, with the tolerance that it was judged by: the one of float64 if only that shows it."""
    due, exact = evidence.truth.expected[case], evidence.judgement.exact
    if exact is None or not exact.overrules(case, evidence.judged[case]):
        return due
    return Expected(due.values, exact.allowed[case] / MOST_TOLERANCES_WITH_PROGRAM)


# What an answer gives may overflow, and a tolerance may be zero.
@np.errstate(all="ignore")
def _packed(case: Judged, due: Expected, most: int, seed: int, index: int) -> _Packed:
    flat = case.flat
    if flat is None or flat.dtype.kind not in DTYPES or flat.size > TOO_LONG:
        return _Packed(-1, "", None, "", "")
    if flat.size == due.values.size:
        gaps, tolerances = _gaps(flat, due.values), np.asarray(due.tolerance)
    else:
        gaps, tolerances = flat, np.asarray(due.largest_tolerance)
    ratios = np.where(gaps == 0, 0.0, np.abs(gaps) / tolerances)
    off = float(np.max(ratios, initial=0.0))
    at = places(flat.size, min(flat.size, most), seed, index)
    return _Packed(
        flat.size,
        flat.dtype.kind,
        off if math.isfinite(off) else None,
        _encoded(gaps[at], DTYPES[flat.dtype.kind]),
        _encoded(np.nan_to_num(tolerances[at] if tolerances.ndim else tolerances[np.newaxis]), "<f4"),
    )


def _gaps(values: Array, expected: Array) -> Array:
    """How far values are from what is expected. Equal infinities and two NaN differ by 0."""
    gaps = np.subtract(values, expected, dtype=np.result_type(values, expected, np.float64))
    return np.where(differences(values, expected) == 0, 0.0, gaps)


def _encoded(array: Array, dtype: str) -> str:
    return base64.b64encode(array.astype(dtype).tobytes()).decode()


@lru_cache(maxsize=4096)
def places(size: int, count: int, seed: int, case: int) -> Array:
    """The indices of `count` of `size` values of a case, in order; all of them if they are as many."""
    if count == size:
        return np.arange(size)
    return np.array(sorted(random.Random(f"{seed} {case}").sample(range(size), count)))


def read_sample(text: str) -> list[OfCase]:
    """The inverse of `kept`, which believes nothing: it may come from another machine.

    Raises:
        ValueError: if it is no sample. The message says in a few words what is wrong.
    """
    if len(text) > LARGEST_SAMPLE:
        raise ValueError("a sample that is too long")
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("a sample that is not JSON") from None
    match parsed:
        case {"seed": int(seed), "cases": list() as rows} if len(parsed) == 2:
            listed: list[Any] = rows
            return [_of_case(row, seed, index) for index, row in enumerate(listed)]
        case _:
            raise ValueError("a sample without the names that it should have")


def _of_case(row: Any, seed: int, index: int) -> OfCase:
    match row:
        case {
            "size": int(size),
            "kind": str(kind),
            "off": None | float() as off,
            "values": str(values),
            "tolerances": str(tolerances),
        } if len(row) == 5:
            pass
        case _:
            raise ValueError(f"case {index} of a sample without the names that it should have")
    if (kind, size, values, tolerances) == ("", -1, "", ""):
        return OfCase(size, kind, None, np.empty(0, np.int64), np.empty(0), np.empty(0))
    if kind not in DTYPES or isinstance(size, bool) or not 0 <= size <= TOO_LONG:
        raise ValueError(f"case {index} of a sample with a kind or a size that it cannot have")
    if off is not None and not 0.0 <= off < math.inf:
        raise ValueError(f"case {index} of a sample with an impossible difference")
    array, allowed = _decoded(values, DTYPES[kind]), _decoded(tolerances, "<f4").astype(np.float64)
    if array.size not in (min(size, PLACES), min(size, WHOLE)) or allowed.size not in (1, array.size):
        raise ValueError(f"case {index} of a sample with more or fewer values than are kept")
    if not np.all(np.isfinite(allowed) & (allowed >= 0)):
        raise ValueError(f"case {index} of a sample with an impossible tolerance")
    wide = array.astype(np.complex128 if kind == "c" else np.float64)
    at = places(size, array.size, seed, index)
    return OfCase(size, kind, off, at, wide, np.broadcast_to(allowed, array.shape))


def _decoded(text: str, dtype: str) -> Array:
    try:
        return np.frombuffer(base64.b64decode(text, validate=True), dtype)
    except ValueError:  # not base64, or a part of a number at the end
        raise ValueError("a sample whose numbers are damaged") from None


@np.errstate(all="ignore")
def sample_distance(first: Sequence[OfCase], second: Sequence[OfCase], most: float) -> float:
    """How far two samples are apart: the largest difference of two values at the same place, in its tolerance.

    Args:
        most: whatever is further apart counts as infinitely far.

    Returns:
        infinity if they cannot be compared.
    """
    if len(first) != len(second):
        return math.inf
    largest = 0.0
    for mine, theirs in zip(first, second, strict=True):
        largest = max(largest, _apart(mine, theirs))
        if not largest <= most:
            return math.inf
    return largest


def _apart(of_case: OfCase, other: OfCase) -> float:
    if (of_case.size, of_case.kind) != (other.size, other.kind):
        return math.inf
    if not of_case.kind:
        return 0.0
    if of_case.places is other.places:
        mine, theirs, allowed = of_case.values, other.values, np.maximum(of_case.tolerances, other.tolerances)
    else:  # one of them is whole, or the seeds differ
        _, at, there = np.intersect1d(of_case.places, other.places, assume_unique=True, return_indices=True)
        if of_case.size and not at.size:
            return math.inf
        mine, theirs = of_case.values[at], other.values[there]
        allowed = np.maximum(of_case.tolerances[at], other.tolerances[there])
    if of_case.kind != "i":
        # What is larger is rounded by more.
        sizes = np.maximum(np.abs(mine), np.abs(theirs))
        allowed = np.maximum(allowed, ROUNDING * np.where(np.isfinite(sizes), sizes, 0.0))
    gaps = differences(mine, theirs)
    ratios = np.where(gaps == 0, 0.0, gaps / allowed)
    return max(float(ratios.max(initial=0.0)), _unlike(of_case.off, other.off))


def _unlike(first: float | None, second: float | None) -> float:
    """How far the largest differences of all values are apart, in tolerances."""
    if first is None or second is None:
        return 0.0 if first is second else math.inf
    return abs(first - second) / max(1.0, ROUNDING * max(first, second))
