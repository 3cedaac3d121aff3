"""The file that holds fresh inputs and their truth, beside the saved oracle: a gradebook keeps one seed. Needs no JAX."""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.kit.decode import Malformed, decode, parse
from grader.kit.files import write_atomically
from grader.kit.origin import Origin
from grader.kit.state import read_or_set_aside
from grader.marking.facts import Facts, Fresh, Truth
from grader.oracle.npz import arrays_of
from grader.oracle.saved import DTYPES, group_of
from grader.oracle.store import ARRAYS, FORMAT, LARGEST, pack


@dataclass(frozen=True)
class Header:
    """What the file says of itself."""

    format: int
    cases: list[tuple[int | float, ...]]
    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    origin: Origin


def beside(oracle: Path, seed: int) -> Path:
    """The path of the file of one seed, beside a saved oracle. It is removed with that oracle."""
    return oracle.with_suffix(f".fresh-{seed}.npz")


def load(path: Path, facts: Facts) -> Fresh | None:
    """What `save` wrote. None if no file is there, or other software made it. A damaged file is set aside: None."""
    found = read_or_set_aside(path, LARGEST, lambda data: _checked(data, facts))
    return None if found is None or found[1].differences() else found[0]


def save(path: Path, fresh: Fresh, origin: Origin) -> None:
    """Write fresh inputs, their truth, and the software that computed it.

    Raises:
        OSError: if they cannot be written.
    """
    truth = fresh.truth
    header = {
        "format": FORMAT,
        "cases": fresh.cases,
        "shapes": truth.shapes,
        "dtypes": truth.dtypes,
        "origin": origin.to_json(),
    }
    arrays = {f"fresh_{index}": array for index, array in enumerate(pack(truth.expected))}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays)
    write_atomically(path, buffer.getvalue())


def _checked(data: bytes, facts: Facts) -> tuple[Fresh, Origin]:
    arrays = arrays_of(data, LARGEST)
    names = [f"fresh_{index}" for index in range(ARRAYS)]
    if arrays.keys() != {"header", *names}:
        raise Malformed("not the arrays of fresh inputs")
    header: Header = decode(Header, parse(arrays["header"].tobytes()))
    count = len(header.cases)
    expected = group_of([arrays[name] for name in names], count)
    fits = (
        header.format == FORMAT
        and len(header.shapes) == len(header.dtypes) == count
        and all(len(case) == len(facts.parameters) for case in header.cases)
        and all(math.prod(shape) == due.values.size for shape, due in zip(header.shapes, expected, strict=True))
        and DTYPES.issuperset(header.dtypes)
    )
    if not fits:
        raise Malformed("its parts do not fit together")
    truth = Truth(expected, header.shapes, header.dtypes, [{} for _ in header.cases])
    return Fresh(tuple(header.cases), truth), header.origin
