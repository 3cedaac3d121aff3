"""Where an answer was when its process ended without a result."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.verdict import Frame

STEPS = ("load", "call", "check", "compile", "run")
"""What an answer's process may be at: its file runs, a case is called, a case is called under the contract, JAX compiles all
cases as one program, that program runs."""


@dataclass(frozen=True)
class Whereabouts:
    """Where an answer was when its process ended or was ended. Its process said so, and it may lie.

    `step` is one of STEPS, or empty; `case` is the index of a call, or -1; `frame` is a line of the answer's file.
    """

    step: str = ""
    case: int = -1
    frame: Frame | None = None
