"""The error that a fault of the kit ends in."""

from __future__ import annotations


class ProblemError(Exception):
    """A fault of the kit, never of the learner. The message names the file, the fault and how to fix it.

    Args:
        line: the line at fault, counted from 1; None if it is not known.
        file: the name of the file at fault, beside the worked answer; empty for the worked answer itself.
        case: the place in `cases` of the case at fault.
    """

    def __init__(self, message: str, *, line: int | None = None, file: str = "", case: int | None = None) -> None:
        super().__init__(message)
        self.line, self.file, self.case = line, file, case
