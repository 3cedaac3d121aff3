"""What an answer prints: the streams of its process, and warnings with the line of its file (`line 4: UserWarning: ...`)."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import warnings
from collections.abc import Generator
from traceback import walk_stack


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


def show_lines_of(filename: str) -> None:
    """From now on, print each warning of this process with the line of this file that it is about, and with no path.

    Deprecations that concern the answer are shown, as Python shows them for a script that is run directly.

    Args:
        filename: the answer's file, as its code names it. Its module is called `answer`.
    """

    def formatted(
        message: Warning | str, category: type[Warning], file: str, number: int, line: str | None = None
    ) -> str:
        own = number if file == filename else _innermost(filename)
        return f"line {own}: {category.__name__}: {message}\n" if own else f"{category.__name__}: {message}\n"

    warnings.formatwarning = formatted
    warnings.filterwarnings("default", category=DeprecationWarning, module=r"answer\Z")


def _innermost(filename: str) -> int:
    """The line of this file that is being run, innermost; 0 if it is not on the stack."""
    stack = walk_stack(inspect.currentframe())
    return next((number for frame, number in stack if frame.f_code.co_filename == filename), 0)
