"""The steps of a reference, for the search of a mistake's place: on every case, or on as many as a key may hold."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace

from grader.jaxpr.steps import steps
from grader.kit.problem import Problem
from grader.oracle.expect import trace_once
from grader.where.packed import Packed, packed
from grader.where.steps import Steps, size_of


def steps_of(problem: Problem, *, of_value: bool = False) -> list[Steps]:
    """The steps of the reference on each case, under its contract; with `of_value`, those of the value alone.

    Raises:
        ProblemError: where the program cannot be evaluated.
    """
    plain = replace(problem, contract="", wrt="") if of_value else problem
    file = inspect.unwrap(problem.reference).__code__.co_filename
    traced = (trace_once(plain, case, {}) for case in problem.cases)
    return [steps(one.program, file, one.on_eqn) for one in traced]


def packed_steps(steps: Sequence[Steps], most: int | None = None) -> Packed:
    """The steps of all cases as bytes; with `most`, those of the smallest cases that take at most so many bytes."""
    if most is None:
        return Packed(packed(steps), tuple(range(len(steps))))
    found = Packed(b"", ())
    for case in sorted(range(len(steps)), key=lambda case: size_of([steps[case]])):
        cases = tuple(sorted((*found.cases, case)))
        data = packed([steps[one] for one in cases])
        if len(data) > most:
            break
        found = Packed(data, cases)
    return found
