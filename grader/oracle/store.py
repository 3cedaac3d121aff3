"""An oracle as data: kept in one `.npz` file (arrays and a JSON header, no pickle). NumPy only."""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from grader.diagnose import Mutant, Truth
from grader.files import write_atomically
from grader.judge import Array, Expected
from grader.verdict import Named

FORMAT = 2

DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    TypeError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)
"""What NumPy and zipfile raise over bytes that are not, or no longer, a file of this format."""

MutantKey = tuple[tuple[str, ...], int]


@dataclass(frozen=True)
class Facts:
    """What the declaration of a problem says, without its code."""

    name: str
    parameters: tuple[str, ...]
    cases: tuple[tuple[int | float, ...], ...]
    axes: tuple[str, ...]
    pitfalls: tuple[Named, ...]

    def arguments(self, case: int) -> dict[str, int | float]:
        """The arguments of a case by name."""
        return dict(zip(self.parameters, self.cases[case], strict=True))


@dataclass
class Oracle:
    """All that is known so far of a problem's expected values and of what its mistakes give."""

    facts: Facts
    truth: Truth
    telling: int
    levels: dict[int, list[Mutant]] = field(default_factory=dict[int, list[Mutant]])
    confirmed: dict[MutantKey, list[Expected]] = field(default_factory=dict[MutantKey, list[Expected]])


def fingerprint(reference: Path, platform: str) -> str:
    """A name for what an oracle depends on: the reference's text, the versions of jax and grader, and the platform.

    Python modules directly under `solutions/` may be shared by references, so their text counts too.
    """
    digest = hashlib.sha256()
    parts = [f"{FORMAT}", version("jax"), version("grader"), platform]
    texts = [reference, *sorted(reference.parent.parent.glob("*.py"))]
    for part in [*(part.encode() for part in parts), *(path.read_bytes() for path in texts)]:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]


def pack(expected: Sequence[Expected]) -> list[Array]:
    """Many expected values as five arrays: all values in a row, lengths, tolerances, which are integers, tolerances of
    each value (empty where they have none)."""
    values = [np.asarray(item.values, np.float64) for item in expected]
    return [
        np.concatenate([np.zeros(0), *values]),
        np.array([value.size for value in values], np.int64),
        np.array([item.tolerance for item in expected], np.float64),
        np.array([item.values.dtype.kind != "f" for item in expected], np.bool_),
        np.concatenate([np.zeros(0), *(item.each for item in expected if item.each is not None)]),
    ]


def unpack(arrays: Sequence[Array]) -> list[Expected]:
    """The inverse of `pack`."""
    values, lengths, tolerances, integers, each = arrays
    if not lengths.size:
        return []
    cuts = np.cumsum(lengths)[:-1]
    pieces = np.split(values, cuts)
    bounds = np.split(each, cuts) if each.size else [None] * len(pieces)
    return [
        Expected(piece.astype(np.int64) if integer else piece, float(tolerance), bound)
        for piece, tolerance, integer, bound in zip(pieces, tolerances, integers, bounds, strict=True)
    ]


def facts_to_json(facts: Facts) -> dict[str, Any]:
    return asdict(facts)


def facts_from_json(data: dict[str, Any]) -> Facts:
    return Facts(
        name=data["name"],
        parameters=tuple(data["parameters"]),
        cases=tuple(tuple(case) for case in data["cases"]),
        axes=tuple(data["axes"]),
        pitfalls=tuple(Named(**pitfall) for pitfall in data["pitfalls"]),
    )


def truth_from(header: dict[str, Any], arrays: Sequence[Array]) -> Truth:
    """The truth out of a header with `shapes`, `dtypes` and `coarse`, and the packed arrays."""
    return Truth(unpack(arrays), [tuple(shape) for shape in header["shapes"]], header["dtypes"], header["coarse"])


def save(path: Path, oracle: Oracle) -> None:
    """Write an oracle in one step: whoever reads sees the old file or the new one."""
    header = {
        "format": FORMAT,
        "facts": facts_to_json(oracle.facts),
        "shapes": oracle.truth.shapes,
        "dtypes": oracle.truth.dtypes,
        "coarse": oracle.truth.coarse,
        "telling": oracle.telling,
        "levels": {size: [[m.names, m.setting] for m in level] for size, level in oracle.levels.items()},
        "confirmed": list(oracle.confirmed),
    }
    groups = {"truth": pack(oracle.truth.expected)}
    for size, level in oracle.levels.items():
        groups[f"level{size}"] = pack([mutant.expected for mutant in level])
    groups["confirmed"] = pack([item for outputs in oracle.confirmed.values() for item in outputs])
    arrays = {f"{group}_{index}": array for group, packed in groups.items() for index, array in enumerate(packed)}
    buffer = io.BytesIO()
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(buffer, allow_pickle=False, **arrays)
    write_atomically(path, buffer.getvalue())


def load(path: Path) -> Oracle | None:
    """A saved oracle, or None where there is none or the file is damaged (it is computed again then)."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays: dict[str, Array] = {name: stored[name] for name in stored.files}
        header: dict[str, Any] = json.loads(arrays["header"].tobytes())
        return _oracle(header, arrays)
    except DAMAGE:
        return None


def _oracle(header: dict[str, Any], arrays: dict[str, Array]) -> Oracle:
    if header["format"] != FORMAT:
        raise ValueError(f"format {header['format']}")

    def group(name: str) -> list[Expected]:
        return unpack([arrays[f"{name}_{index}"] for index in range(5)])

    facts = facts_from_json(header["facts"])
    oracle = Oracle(facts, truth_from(header, [arrays[f"truth_{index}"] for index in range(5)]), header["telling"])
    for size, keys in header["levels"].items():
        oracle.levels[int(size)] = [
            Mutant(tuple(names), setting, expected)
            for (names, setting), expected in zip(keys, group(f"level{size}"), strict=True)
        ]
    outputs = group("confirmed")
    count = len(facts.cases)
    for index, (names, setting) in enumerate(header["confirmed"]):
        oracle.confirmed[tuple(names), setting] = outputs[index * count : (index + 1) * count]
    return oracle


def remove_stale(folder: Path, name: str, keep: Path) -> None:
    """Drop this problem's oracles of other versions, so that the folder does not grow."""
    platform = keep.name.rsplit("-", 2)[1]
    for path in folder.glob(f"{name}-{platform}-*.npz"):
        if path != keep:
            os.unlink(path)
