"""What the search is asked, and what it finds: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.judge import Array
from grader.program.data import Place, Program
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


@dataclass(frozen=True)
class Found:
    """An expression of the answer that is wrong: with another value there, or a small change, all cases come out right.

    Attributes:
        kind: "value" for a value of the reference, "whole" if that is the result, "through" if it comes again, or "repair".
        place: where the expression stands in the learner's file.
        operation: the operation of the expression that makes the value.
        case: the index of the case that `yours` and `needed` belong to.
        rounds: how often the operation is evaluated there. `yours` and `needed` have an axis for several, or `evaluation`.
        step: the step of the reference that gives the value needed; empty for a repair that takes nothing from it.
        yours, needed: the value of the expression, and the one with which the cases come out right.
        changed: what a repair changes, in words that do not tell the answer; empty for a value.
        evaluation: the number of the evaluation that the values belong to, from 1; 0 if they are those of all.
        alone: whether this is the only evaluation that changes.
        inner: whether the value is read only inside its own expression: it is not the value of the expression then.
    """

    kind: str
    place: Place
    operation: str
    case: int
    rounds: int
    step: str
    yours: Array
    needed: Array
    changed: str = ""
    evaluation: int = 0
    alone: bool = False
    inner: bool = False
