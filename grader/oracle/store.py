"""An oracle as data, and the frame that holds it in a file. Needs no JAX."""

from __future__ import annotations

import contextlib
import errno
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from grader.kit import frames
from grader.kit.files import write_atomically
from grader.kit.software import Origin
from grader.kit.versions import installed
from grader.marking.comparison import Array, Expected, SampledExpected
from grader.marking.facts import Facts, Mistake, Truth
from grader.oracle.draws import Sample
from grader.program import draw_names
from grader.where.packed_steps import Packed

FORMAT = 15
ARRAYS = 7
"""The number of arrays that hold a group of expected values (see `pack`)."""

SAMPLED = 128
"""The most values that a key holds of one mistake on one case."""

STEPS = {False: "steps", True: "steps_of_value"}
"""The names of what a key holds of packed steps: those of the program, and those of the value alone."""

LEVEL_OF_KEY = 9
"""How hard a key is compressed."""

WIDER = 4.0
"""The margin of a rough tolerance, in that of a close one. A mistake that is too far off by the rough one is not named."""

LARGEST_ORACLE = frames.BODY_CAP
"""The most bytes of a saved oracle, packed and unpacked."""

MistakeKey = tuple[tuple[str, ...], tuple[int, ...]]
"""The names and the forms of a set (see `grader.marking.facts.Mistake`)."""


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
        levels: the sets of pitfalls of each size on the screening case, with rough tolerances.
        confirmed: the values of a set on each case; None for a case that is not held.
        few: the cases on which a key holds the largest sets; all other sets are held on all cases.
        steps: the steps that a key holds: of the program, and (True) of the value alone. They are of no case if they cannot
            be computed. A key that tells no places has none. Other oracles have a file for them.
    """

    facts: Facts
    truth: Truth
    screening_case: int
    levels: dict[int, list[Mistake]] = field(default_factory=dict[int, list[Mistake]])
    confirmed: dict[MistakeKey, Sequence[Expected | None]] = field(
        default_factory=dict[MistakeKey, "Sequence[Expected | None]"]
    )
    origin: Origin = field(default_factory=Origin)
    few: tuple[int, ...] = ()
    steps: dict[bool, Packed] = field(default_factory=dict[bool, Packed])


def fingerprint(reference: Path, platform: str) -> str:
    """A name for what an oracle depends on: the texts of the worked answer, the versions of jax and grader, the platform.

    Python modules directly under `solutions/` may be shared by references, so their text counts too. The
    other packages that an oracle depends on are known only after the reference is imported: see `SavedOracle.origin`.
    """
    digest = hashlib.sha256()
    parts = [f"{FORMAT}", installed("jax"), installed("grader"), platform]
    texts = [reference, *sorted(reference.parent.glob("mistakes*.md")), *sorted(reference.parent.parent.glob("*.py"))]
    for part in [*(part.encode() for part in parts), *(path.read_bytes() for path in texts)]:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]


def truth_document(truth: Truth) -> tuple[dict[str, Any], list[Array]]:
    """A truth as a JSON document and arrays: what is expected (see `pack`), what is uncertain of it, and its draws."""
    document = {
        "shapes": truth.shapes,
        "dtypes": truth.dtypes,
        "coarse": [dict(bounds) for bounds in truth.coarse],
        "draws": [[asdict(one) for one in drawn] for drawn in truth.draws],
    }
    uncertain = np.concatenate([np.zeros(0), *truth.uncertain])
    return document, [*pack(truth.expected), uncertain, *draw_names.joined(truth.numbers)]


def pack(expected: Sequence[Expected]) -> list[Array]:
    """Many expected values as seven arrays: the joined values, their lengths, the joined tolerances, their lengths (-1 for
    a number), whether the values are integers, the lengths before sampling, and what is uncertain."""
    values = [np.asarray(item.values, np.float64) for item in expected]
    tolerances = [np.ravel(np.asarray(item.tolerance, np.float64)) for item in expected]
    sizes = [tolerance.size if item.by_value else -1 for tolerance, item in zip(tolerances, expected, strict=True)]
    return [
        np.concatenate([np.zeros(0), *values]),
        np.array([value.size for value in values], np.int64),
        np.concatenate([np.zeros(0), *tolerances]),
        np.array(sizes, np.int64),
        np.array([item.values.dtype.kind != "f" for item in expected], np.bool_),
        np.array([item.size for item in expected], np.int64),
        np.array([item.uncertain for item in expected], np.float64),
    ]


def unpack(arrays: Sequence[Array]) -> list[Expected]:
    """The inverse of `pack`."""
    values, lengths, tolerances, tolerance_lengths, integers, wholes, moved = arrays
    if not lengths.size:
        return []
    pieces = np.split(values, np.cumsum(lengths)[:-1])
    bounds = np.split(tolerances, np.cumsum(np.abs(tolerance_lengths))[:-1])
    tolerances = [float(one[0]) if size < 0 else one for one, size in zip(bounds, tolerance_lengths, strict=True)]
    rows = zip(pieces, tolerances, integers, wholes.tolist(), moved.tolist(), strict=True)
    return [_expected(*row) for row in rows]


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
    truth, arrays = truth_document(oracle.truth)
    header = {
        "format": FORMAT,
        "key": None if mark is None else asdict(mark),
        "facts": asdict(oracle.facts),
        "truth": truth,
        "screening_case": oracle.screening_case,
        "levels": {size: [[m.names, m.forms] for m in level] for size, level in levels.items()},
        "confirmed": list(oracle.confirmed),
        "few": oracle.few,
        "steps": {STEPS[of_value]: one.cases for of_value, one in oracle.steps.items()},
        "origin": oracle.origin.to_json(),
    }
    mistakes = [array for level in levels.values() for array in pack([mistake.expected for mistake in level])]
    mistakes += pack([item for outputs in oracle.confirmed.values() for item in outputs if item is not None])
    if mark is not None:
        mistakes = [_narrow(array) for array in mistakes]
    steps = [np.frombuffer(one.data, np.uint8) for one in oracle.steps.values()]
    return frames.pack(header, [*arrays, *mistakes, *steps], level=0 if mark is None else LEVEL_OF_KEY)


def _narrow(array: Array) -> Array:
    """An array of a key. A mistake is compared within 16 tolerances, each many roundings wide: float32 is enough."""
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
