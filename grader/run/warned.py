"""Warnings of an answer, printed with the learner's own line: `line 4: UserWarning: ...`."""

from __future__ import annotations

import inspect
import warnings
from traceback import walk_stack


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
