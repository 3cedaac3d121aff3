"""The file that holds the steps of a reference, beside the saved oracle. Only wrong answers need it. Needs no JAX."""

from __future__ import annotations

import hashlib
from pathlib import Path

from grader.kit.decode import Malformed
from grader.kit.files import write_atomically
from grader.kit.state import read_or_set_aside
from grader.where.packed import LARGEST

DIGEST = 16
"""The bytes of the digest at the beginning of the file."""


def beside(oracle: Path, *, of_value: bool) -> Path:
    """The path of the file beside a saved oracle: of the steps of its program, or of those of the value alone."""
    return oracle.with_suffix(".value.steps" if of_value else ".steps")


def load(path: Path) -> bytes | None:
    """What `save` wrote; None if there is no file, or if it is damaged (then it is set aside)."""
    return read_or_set_aside(path, LARGEST, _checked)


def save(path: Path, data: bytes) -> None:
    """Write packed steps in one step (see `grader.where.packed`). No bytes say that there are no steps.

    Raises:
        OSError: if they cannot be written.
    """
    write_atomically(path, _digest(data) + data)


def _checked(data: bytes) -> bytes:
    if data[:DIGEST] != _digest(data[DIGEST:]):
        raise Malformed("other bytes than were written")
    return data[DIGEST:]


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST).digest()
