"""The steps of a reference as bytes: for a file, for a key, and for the process that searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.kit import frames
from grader.kit.codec import from_frame, to_frame
from grader.kit.decode import Malformed
from grader.marking.comparison import Array
from grader.where.steps import Steps

LARGEST_STEPS = 1 << 27
"""The most bytes of the steps of all cases, unpacked."""
LEVEL = 6
"""How hard zlib tries. Most bytes are those of float64, which no level makes much smaller."""


@dataclass(frozen=True)
class Packed:
    """The steps of some cases as bytes. `cases` are the indices of these cases."""

    data: bytes
    cases: tuple[int, ...]


def packed(steps: Sequence[Steps]) -> bytes:
    """The steps of some cases as compressed bytes.

    Raises:
        Malformed: if they are too many for a frame.
    """
    return frames.pack(*to_frame({"steps": list(steps)}), level=LEVEL)


def unpacked(data: bytes) -> list[Steps]:
    """The inverse of `packed`.

    Raises:
        Malformed: if the bytes are not those of steps, or hold too many of them.
    """
    header, arrays = frames.unpack(data, LARGEST_STEPS)
    steps: list[Steps] = [*from_frame(list[dict[str, Array]], header.get("steps"), arrays)]
    if not all(len(rows.shape) and len(rows) for rows in arrays):
        raise Malformed("its arrays are not those of steps")
    return steps
