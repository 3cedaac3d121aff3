"""Names of the draws of random numbers: the same name stands for the same numbers."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class PackedDraws:
    """What draws give, case by case and by their names, in four arrays: there may be thousands of draws.

    Attributes:
        names: all names in UTF-8, one a line.
        counts: how many draws each case has, int64.
        sizes: how many numbers each draw gives, int64.
        numbers: all numbers, float32.
    """

    names: bytes
    counts: Array
    sizes: Array
    numbers: Array

    @staticmethod
    def of(numbers: Sequence[Mapping[str, Array]]) -> PackedDraws:
        """What draws give, by their names, for each case."""
        given = [one for case in numbers for one in case.values()]
        return PackedDraws(
            "\n".join(name for case in numbers for name in case).encode(),
            np.array([len(case) for case in numbers], np.int64),
            np.array([one.size for one in given], np.int64),
            np.concatenate([np.zeros(0, np.float32), *given]),
        )

    def parted(self) -> list[dict[str, Array]]:
        """The inverse of `of`.

        Raises:
            Malformed: if the arrays do not fit together.
        """
        arrays = self.counts, self.sizes, self.numbers
        if [f"{one.ndim}{one.dtype}" for one in arrays] != ["1int64", "1int64", "1float32"]:
            raise Malformed("not the arrays of draws")
        try:
            names = self.names.decode().split("\n") if self.names else []
        except UnicodeDecodeError as error:
            raise Malformed("the names of draws are no text") from error
        # Sum as Python integers: NumPy integers may overflow.
        counts, sizes = self.counts.tolist(), self.sizes.tolist()
        if sum(counts) != len(names) or len(names) != len(sizes) or sum(sizes) != self.numbers.size:
            raise Malformed("the names of draws and their numbers do not fit together")
        if min((*counts, *sizes), default=0) < 0:
            raise Malformed("a draw of fewer than no numbers")
        parts = (self.numbers[end - size : end] for size, end in zip(sizes, itertools.accumulate(sizes), strict=True))
        given = iter(zip(names, parts, strict=True))
        return [dict(itertools.islice(given, count)) for count in counts]
