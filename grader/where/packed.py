"""The steps of a reference as bytes: for a file, for a key, and for the process that searches."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.where.steps import Steps

LARGEST = 1 << 27
"""The most bytes of the steps of all cases, unpacked."""
LEVEL = 6
"""How hard zlib tries. Most bytes are those of float64, which no level makes much smaller."""

_DTYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
    | {"float16", "float32", "float64", "complex64", "complex128"}
)


@dataclass(frozen=True)
class Packed:
    """The steps of some cases as bytes. `cases` are the indices of these cases."""

    data: bytes
    cases: tuple[int, ...]


def packed(steps: Sequence[Steps]) -> bytes:
    """The steps of some cases as compressed bytes: a line of JSON with names, dtypes and shapes, then the arrays."""
    listed = [[[name, rows.dtype.name, rows.shape] for name, rows in one.items()] for one in steps]
    arrays = [np.ascontiguousarray(rows).tobytes() for one in steps for rows in one.values()]
    return zlib.compress(b"".join([json.dumps(listed, separators=(",", ":")).encode(), b"\n", *arrays]), LEVEL)


def unpacked(data: bytes) -> list[Steps]:
    """The inverse of `packed`.

    Raises:
        ValueError: if the bytes are not those of steps, or hold too many of them.
    """
    try:
        whole = zlib.decompressobj()
        text = whole.decompress(data, LARGEST)
        if not whole.eof or whole.unused_data:
            raise ValueError("they are cut short, or too large")
        start = text.index(b"\n") + 1
        found: list[Steps] = []
        for one in json.loads(text[:start]):
            steps: dict[str, Any] = {}
            for name, dtype, shape in one:
                if dtype not in _DTYPES or not isinstance(name, str) or not shape or min(shape[:1]) < 1:
                    raise ValueError(f"no step is like {name}")
                count = math.prod(shape)
                steps[name] = np.frombuffer(text, dtype, count, start).reshape(shape)
                start += count * np.dtype(dtype).itemsize
            found.append(steps)
    except (zlib.error, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise ValueError(f"no steps ({error})") from error
    if start != len(text):
        raise ValueError("there is more after the steps")
    return found
