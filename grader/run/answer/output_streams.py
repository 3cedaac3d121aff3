"""What an answer prints: the streams of its process, marks that say which call printed what, warnings with a line."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import sys
import warnings
from collections.abc import Generator
from traceback import walk_stack

from grader.marking.attempt import OUTSIDE
from grader.marking.verdict import LINE_OF_A_WARNING

_MARK = re.compile(rb"\x1e(-?\d{1,9})\x1e")


def open_streams() -> None:
    """Give Python the descriptors 0, 1 and 2 as they are now. Text that is no UTF-8 stops nothing."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115


def mark(case: int) -> None:
    """In the answer's process: what it prints from now on belongs to the call with this case."""
    settle()
    with contextlib.suppress(OSError):  # the answer may have closed it
        os.write(2, b"\x1e%d\x1e" % case)
    with warnings.catch_warnings():
        pass  # this has Python forget which warnings it has shown: each call shows its own


def by_case(output: bytes, cases: int) -> tuple[bytes, dict[int, bytes]]:
    """What an answer printed: all of it without marks, and by the index of the case what a call printed.

    Of a case that was called more than once, the last call counts: before it ran as written, it may have been traced.

    Args:
        cases: how many there are. A mark with another number is OUTSIDE: the answer wrote it.
    """
    first, *marked = _MARK.split(output)
    texts, outside, parts = [first, *marked[1::2]], [first], dict[int, bytes]()
    for case, text in zip(map(int, marked[::2]), marked[1::2], strict=True):
        if 0 <= case < cases:
            parts[case] = text
        else:
            outside.append(text)
    return b"".join(texts), {OUTSIDE: b"".join(outside), **parts}


def settle() -> None:
    """In the answer's process: have all that it printed reach the descriptors, from JAX's callbacks and Python's buffers."""
    # JAX is not imported here: the judging process reads this module.
    for wait in (
        lambda: sys.modules["jax"].effects_barrier(),
        lambda: sys.stdout.flush(),
        lambda: sys.stderr.flush(),
    ):
        with contextlib.suppress(BaseException):  # the answer may have closed or replaced the streams
            wait()


@contextlib.contextmanager
def muted() -> Generator[None]:
    """Drop what the answer prints in a second call: it printed the same in the first call."""
    settle()
    held: list[int] = []
    with contextlib.suppress(OSError):  # of an answer that holds all descriptors it may have, nothing is dropped
        for descriptor in (1, 2):
            held.append(os.dup(descriptor))
        held.append(os.open(os.devnull, os.O_WRONLY))
        for descriptor in (1, 2):
            os.dup2(held[-1], descriptor)
    try:
        yield
    finally:
        settle()
        for descriptor, saved in zip((1, 2), held, strict=False):
            os.dup2(saved, descriptor)
        for descriptor in held:
            os.close(descriptor)


def show_lines_of(filename: str) -> None:
    """From now on, print each warning of this process after a mark of the line of this file that it is about, with no path.

    Deprecations that concern the answer are shown, as Python shows them for a script that is run directly.

    Args:
        filename: the answer's file, as its code names it. Its module is called `answer`.
    """

    def formatted(
        message: Warning | str, category: type[Warning], file: str, number: int, line: str | None = None
    ) -> str:
        own = number if file == filename else _innermost(filename)
        told = f"{category.__name__}: {message}\n"
        return LINE_OF_A_WARNING.format(line=own) + told if own else told

    warnings.formatwarning = formatted
    warnings.filterwarnings("default", category=DeprecationWarning, module=r"answer\Z")


def _innermost(filename: str) -> int:
    """The line of this file that is being run, innermost; 0 if it is not on the stack."""
    stack = walk_stack(inspect.currentframe())
    return next((number for frame, number in stack if frame.f_code.co_filename == filename), 0)
