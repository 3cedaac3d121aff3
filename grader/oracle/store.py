"""An oracle as data, and the frame that holds it in a file. Needs no JAX."""

from __future__ import annotations

import contextlib
import errno
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np

from grader.kit.files import write_atomically
from grader.kit.software import SoftwareOrigin, installed_version
from grader.marking.facts import Facts, MistakeKey, MistakeSet, Truth
from grader.oracle.draws import Sample
from grader.program.keys import PackedDraws
from grader.values import frames
from grader.values.arrays import Array, Expected, SampledExpected
from grader.values.codec import to_frame
from grader.values.decode import LARGEST_INT, Malformed
from grader.values.outline import Draw
from grader.where.steps import Packed

FORMAT = 17

SAMPLED = 128
"""The most values that a key holds of one mistake on one case."""

MOST_CALLS = 1 << 18
"""The most calls whose values are packed together."""

LEVEL_OF_KEY = 9
"""How hard a key is compressed."""

WIDER = 4.0
"""The margin of a rough tolerance, in that of a close one. A mistake that is too far off by the rough one is not named."""

LARGEST_ORACLE = frames.BODY_CAP
"""The most bytes of a saved oracle, packed and unpacked."""


@dataclass(frozen=True)
class Mark:
    """What a key was made from: digests of the texts, the `fingerprint`, and a sample of the draws of the software."""

    statement: str
    reference: str
    fingerprint: str
    sample: Sample


@dataclass
class SavedOracle:
    """The expected values of a problem, and the values of its mistakes as far as they are computed.

    Attributes:
        screening_case: None as long as no answer was wrong.
        levels: the sets of pitfalls of each size on the screening case, with rough tolerances.
        confirmed: the values of a set on each case; None for a case that is not held.
        few: the cases on which a key holds the largest sets; all other sets are held on all cases.
        steps: the steps that a key holds: of the program, and (True) of the value alone. They are of no case if they cannot
            be computed. A key that tells no places has none. Other oracles have a file for them.
    """

    facts: Facts
    truth: Truth
    screening_case: int | None
    levels: dict[int, list[MistakeSet]] = field(default_factory=dict[int, list[MistakeSet]])
    confirmed: dict[MistakeKey, Sequence[Expected | None]] = field(
        default_factory=dict[MistakeKey, "Sequence[Expected | None]"]
    )
    origin: SoftwareOrigin = field(default_factory=SoftwareOrigin)
    few: tuple[int, ...] = ()
    steps: dict[bool, Packed] = field(default_factory=dict[bool, Packed])


def fingerprint(reference: Path, platform: str) -> str:
    """A name for what an oracle depends on: the texts of the worked answer, the versions of jax and grader, the platform.

    Python modules directly under `solutions/` may be shared by references, so their text counts too. The
    other packages that an oracle depends on are known only after the reference is imported: see `SavedOracle.origin`.
    """
    digest = hashlib.sha256()
    parts = [f"{FORMAT}", installed_version("jax"), installed_version("grader"), platform]
    texts = [reference, *sorted(reference.parent.glob("mistakes*.md")), *sorted(reference.parent.parent.glob("*.py"))]
    for part in [*(part.encode() for part in parts), *(path.read_bytes() for path in texts)]:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class PackedExpected:
    """The expected values of many calls in few arrays: thousands of arrays would have a long header, and take long to read.

    Attributes:
        values, lengths: all values, one call after the other, and how many each call has.
        tolerances, counts: all tolerances, and how many each call has: as many as values, or -1 for one number.
        integers: whether the values of a call are integers.
        wholes: how many values each call gave before some were sampled (see `sampled`).
        uncertain: as that of `Expected`.
    """

    values: Array
    lengths: Array
    tolerances: Array
    counts: Array
    integers: Array
    wholes: Array
    uncertain: Array

    @staticmethod
    def of(expected: Sequence[Expected]) -> PackedExpected:
        """The expected values of some calls, packed."""
        values = [np.asarray(item.values, np.float64) for item in expected]
        tolerances = [np.ravel(np.asarray(item.tolerance, np.float64)) for item in expected]
        counts = [tolerance.size if item.by_value else -1 for tolerance, item in zip(tolerances, expected, strict=True)]
        return PackedExpected(
            np.concatenate([np.zeros(0), *values]),
            np.array([value.size for value in values], np.int64),
            np.concatenate([np.zeros(0), *tolerances]),
            np.array(counts, np.int64),
            np.array([item.values.dtype.kind != "f" for item in expected], np.bool_),
            np.array([item.size for item in expected], np.int64),
            np.array([item.uncertain for item in expected], np.float64),
        )

    def narrow(self) -> PackedExpected:
        """The same in float32, as a key holds mistakes: each is compared within 16 tolerances, many roundings wide."""
        return PackedExpected(*(_narrow(getattr(self, attribute.name)) for attribute in fields(self)))

    def expected(self, due: int) -> list[Expected]:
        """The expected values of `due` calls.

        Raises:
            Malformed: if the arrays do not fit together.
        """
        arrays = [getattr(self, attribute.name) for attribute in fields(self)]
        kinds = "".join(array.dtype.kind for array in arrays)
        sizes = {array.size for array in (self.lengths, self.counts, self.integers, self.wholes, self.uncertain)}
        require(due <= MOST_CALLS and kinds == "fifibif" and sizes == {due}, "its arrays")
        require(all(array.ndim == 1 for array in arrays), "its arrays")
        # Sum the lengths as Python integers: NumPy integers may overflow.
        require(bool((self.lengths >= 0).all()), "the lengths of its arrays")
        require(sum(self.lengths.tolist()) == self.values.size, "the lengths of its arrays")
        require(bool(((self.counts == -1) | (self.counts == self.lengths)).all()), "its tolerances")
        require(sum(map(abs, self.counts.tolist())) == self.tolerances.size, "its tolerances")
        require(not (np.isnan(self.tolerances).any() or (self.tolerances < 0).any()), "its tolerances")
        require(bool(np.isfinite(self.uncertain).all() and (self.uncertain >= 0).all()), "its constants")
        for length, whole in zip(self.lengths.tolist(), self.wholes.tolist(), strict=True):
            fits = length == whole or (length < whole and sample(whole).size == length)
            require(fits, "the lengths of its samples")
        whole_numbers = self.values[np.repeat(self.integers, self.lengths)]
        require(bool((np.abs(whole_numbers) < LARGEST_INT).all()), "its integers")
        return self._unpacked() if due else []

    def _unpacked(self) -> list[Expected]:
        pieces = np.split(self.values, np.cumsum(self.lengths)[:-1])
        bounds = np.split(self.tolerances, np.cumsum(np.abs(self.counts))[:-1])
        tolerances = [float(bound[0]) if size < 0 else bound for bound, size in zip(bounds, self.counts, strict=True)]
        wholes, moved = self.wholes.tolist(), self.uncertain.tolist()
        return [_expected(*row) for row in zip(pieces, tolerances, self.integers, wholes, moved, strict=True)]


@dataclass(frozen=True)
class PackedTruth:
    """A truth (see `marking.facts.Truth`); of what is uncertain, the values of all cases are joined."""

    expected: PackedExpected
    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    coarse: list[dict[str, float]]
    draws: list[list[Draw]]
    uncertain: Array
    numbers: PackedDraws

    @staticmethod
    def of(truth: Truth) -> PackedTruth:
        """A truth of all cases, packed."""
        return PackedTruth(
            PackedExpected.of(truth.expected),
            list(truth.shapes),
            list(truth.dtypes),
            [dict(bounds) for bounds in truth.coarse],
            [list(drawn) for drawn in truth.draws],
            np.concatenate([np.zeros(0), *truth.uncertain]),
            PackedDraws.of(truth.numbers),
        )


@dataclass(frozen=True)
class PackedLevel:
    """The sets of pitfalls of one size on the screening case (see `SavedOracle`)."""

    size: int
    keys: tuple[MistakeKey, ...]
    expected: PackedExpected


@dataclass(frozen=True)
class Saved:
    """An oracle as its file holds it (see `SavedOracle`), or a key, which has a mark.

    Attributes:
        expected: what the sets of `confirmed` give, case by case.
        steps, steps_of_value: those of the program, and those of the value alone; None if it holds none.
    """

    format: int
    key: Mark | None
    facts: Facts
    truth: PackedTruth
    screening_case: int | None
    levels: tuple[PackedLevel, ...]
    confirmed: tuple[MistakeKey, ...]
    expected: PackedExpected
    few: tuple[int, ...]
    steps: Packed | None
    steps_of_value: Packed | None
    origin: SoftwareOrigin


def require(fits: bool, part: str) -> None:
    """Check a part of what is saved.

    Raises:
        Malformed: if it does not fit. The message names the part.
    """
    if not fits:
        raise Malformed(f"{part} do not fit together" if part.endswith("s") else f"{part} does not fit")


def _expected(values: Array, tolerance: float | Array, integer: bool, whole: int, uncertain: float) -> Expected:
    values = values.astype(np.int64 if integer else np.float64)
    if values.size == whole:
        return Expected(values, tolerance, uncertain=uncertain)
    return SampledExpected(values, tolerance, sample(whole), whole, uncertain=uncertain)


def sample(size: int) -> Array:
    """The indices of the values that a key holds: all if there are few, else some, spread over rows and columns evenly."""
    if size <= SAMPLED:
        return np.arange(size)
    golden = (np.sqrt(5.0) - 1) / 2
    return np.unique(np.floor(np.mod(np.arange(1, SAMPLED + 1) * golden, 1.0) * size).astype(np.int64))


def sampled(expected: Expected) -> Expected:
    """The part of a mistake's values on one case that a key holds."""
    places = sample(expected.size)
    if places.size == expected.size:
        return expected
    tolerance = expected.tolerance[places] if isinstance(expected.tolerance, np.ndarray) else expected.tolerance
    return SampledExpected(expected.values[places], tolerance, places, expected.size)


def on_cases(values: Iterator[Expected], cases: Iterable[int], count: int) -> list[Expected | None]:
    """The next values, one for each of these cases, as a list for all `count` cases: None for every other case."""
    held = dict(zip(cases, values, strict=False))
    return [held.get(case) for case in range(count)]


def roughly(expected: Expected) -> Expected:
    """What a key holds of a mistake on one case, with a tolerance at least as wide as a rough one (`expect.rough`)."""
    return replace(expected, tolerance=WIDER * expected.tolerance)


def to_bytes(oracle: SavedOracle, mark: Mark | None = None) -> bytes:
    """The bytes of an oracle's file. With a mark, the bytes of a key: these are compressed, and partly in float32.

    A key has no levels: they follow from what it holds on the screening case.

    Raises:
        FrameError: if it is too large for a frame.
    """
    levels = oracle.levels if mark is None else {}
    confirmed = PackedExpected.of(
        [item for outputs in oracle.confirmed.values() for item in outputs if item is not None]
    )
    saved = Saved(
        format=FORMAT,
        key=mark,
        facts=oracle.facts,
        truth=PackedTruth.of(oracle.truth),
        screening_case=oracle.screening_case,
        levels=tuple(
            PackedLevel(size, tuple(m.key for m in level), PackedExpected.of([m.expected for m in level]))
            for size, level in levels.items()
        ),
        confirmed=tuple(oracle.confirmed),
        expected=confirmed if mark is None else confirmed.narrow(),
        few=oracle.few,
        steps=oracle.steps.get(False),
        steps_of_value=oracle.steps.get(True),
        origin=oracle.origin,
    )
    return frames.pack(*to_frame(saved), level=0 if mark is None else LEVEL_OF_KEY)


def _narrow(array: Array) -> Array:
    """An array of numbers in float32, if that is wide enough for them."""
    if array.dtype.kind != "f":
        return array
    with np.errstate(over="ignore"):
        narrow = array.astype(np.float32)
    return narrow if np.array_equal(np.isfinite(narrow), np.isfinite(array)) else array


def save(path: Path, oracle: SavedOracle) -> None:
    """Write an oracle in one step: a reader sees the old file or the new one.

    Raises:
        OSError: if it cannot be written, or is too large to be read again.
    """
    try:
        data = to_bytes(oracle)
    except frames.FrameError as error:
        raise OSError(errno.EFBIG, "it is too large", str(path)) from error
    write(path, data)


def write(path: Path, data: bytes) -> None:
    """Write the bytes of a file beside an oracle's, or of that itself.

    Raises:
        OSError: if it cannot be written, or is too large to be read again.
    """
    if len(data) > LARGEST_ORACLE:
        raise OSError(errno.EFBIG, "it is too large", str(path))
    write_atomically(path, data)


def remove_stale(path: Path) -> None:
    """Remove the files of this problem's oracles of other versions, so that the folder does not grow."""
    stem = path.name.partition(".")[0]
    for other in path.parent.glob(f"{stem.rpartition('-')[0]}-*"):
        if ".damaged" not in other.name and other.name.partition(".")[0] != stem:
            # Another grader may have removed it already, and a file that stays does no harm.
            with contextlib.suppress(OSError):
                other.unlink()
