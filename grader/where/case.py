"""What the search is asked: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.comparison import Array
from grader.program.data import Program
from grader.program.evaluate import Draws
from grader.where.steps import Steps


@dataclass(frozen=True)
class Case:
    """One case: the program of the answer, and what is right.

    Attributes:
        draws: the numbers that the reference draws (see `grader.program.evaluate`).
        due: the right values, of shape (n,).
        allowed: how far each value may be from them.
        steps: the steps of the reference on this case.
    """

    program: Program
    draws: Draws
    due: Array
    allowed: Array
    steps: Steps
