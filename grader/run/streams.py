"""The standard streams of an answer's process."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator


def open_streams() -> None:
    """Give Python the descriptors 0, 1 and 2 as they are now. Text that is no UTF-8 stops nothing."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115


@contextlib.contextmanager
def muted() -> Generator[None]:
    """Drop what the answer prints in a second call: it printed the same in the first call."""
    saved = [os.dup(1), os.dup(2)]
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(saved[0], 1)
        os.dup2(saved[1], 2)
        for descriptor in (*saved, nothing):
            os.close(descriptor)
