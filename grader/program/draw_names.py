"""Names of the draws of random numbers: the same name stands for the same numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from grader.marking.judge import Array


def draw_name(sampler: str, key: int, size: int, bounds: Sequence[Array] = ()) -> str:
    """The name of a draw of numbers from one key: the same key gives other numbers to another sampler or other bounds."""
    digest = hashlib.sha256()
    for one in bounds:
        digest.update(np.ascontiguousarray(one, np.float32 if one.dtype.kind == "f" else np.int64).tobytes())
    return f"{sampler}:{key:016x}:{size}" + (f":{digest.hexdigest()[:24]}" if bounds else "")


def half_name(uniform: Array) -> str:
    """The name of a normal draw in two halves: the bytes of its first half, a uniform draw in float32."""
    return f"half:{hashlib.sha256(np.ascontiguousarray(uniform, np.float32).tobytes()).hexdigest()[:24]}"
