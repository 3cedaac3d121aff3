"""Names of the draws of random numbers: the same name stands for the same numbers."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from grader.kit.decode import Malformed
from grader.marking.comparison import Array


def draw_name(sampler: str, key: int, size: int, bounds: Sequence[Array] = ()) -> str:
    """The name of a draw of numbers from one key: the same key gives other numbers to another sampler or other bounds."""
    digest = hashlib.sha256()
    for one in bounds:
        digest.update(np.ascontiguousarray(one, np.float32 if one.dtype.kind == "f" else np.int64).tobytes())
    return f"{sampler}:{key:016x}:{size}" + (f":{digest.hexdigest()[:24]}" if bounds else "")


def half_name(uniform: Array) -> str:
    """The name of a normal draw in two halves: the bytes of its first half, a uniform draw in float32."""
    return f"half:{hashlib.sha256(np.ascontiguousarray(uniform, np.float32).tobytes()).hexdigest()[:24]}"


def joined(numbers: Sequence[Mapping[str, Array]]) -> list[Array]:
    """What draws give, case by case and by their names, as four arrays: there may be thousands of draws.

    They are all names as text, how many draws each case has, how many numbers each draw gives, and all numbers.
    """
    names = "\n".join(name for case in numbers for name in case)
    given = [one for case in numbers for one in case.values()]
    return [
        np.frombuffer(names.encode(), np.uint8),
        np.array([len(case) for case in numbers], np.int64),
        np.array([one.size for one in given], np.int64),
        np.concatenate([np.zeros(0, np.float32), *given]),
    ]


def parted(arrays: Sequence[Array]) -> list[dict[str, Array]]:
    """The inverse of `joined`.

    Raises:
        Malformed: if they are no such arrays.
    """
    if [f"{one.ndim}{one.dtype}" for one in arrays] != ["1uint8", "1int64", "1int64", "1float32"]:
        raise Malformed("not the arrays of draws")
    text, counts, sizes, numbers = arrays
    try:
        names = text.tobytes().decode().split("\n") if text.size else []
    except UnicodeDecodeError as error:
        raise Malformed("the names of draws are no text") from error
    # Sum as Python integers: NumPy integers may overflow.
    fit = sum(counts.tolist()) == len(names) == sizes.size and sum(sizes.tolist()) == numbers.size
    if not fit or min((*counts.tolist(), *sizes.tolist()), default=0) < 0:
        raise Malformed("the names of draws and their numbers do not fit together")
    ends = np.cumsum(sizes).tolist()
    parts = (numbers[end - size : end] for size, end in zip(sizes.tolist(), ends, strict=True))
    given = iter(zip(names, parts, strict=True))
    return [dict(itertools.islice(given, count)) for count in counts.tolist()]
