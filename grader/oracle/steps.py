"""The steps of a reference, for the search of a mistake's place: on every case, or on as many as a key may hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.kit.problem import Problem
from grader.oracle.expect import TracedReference, outputs_of, trace_once
from grader.program.arithmetic import Exact
from grader.program.data import DRAWS, Equation, Literal, holding
from grader.program.evaluate import Evaluate
from grader.values.arrays import Array
from grader.where.steps import WITHOUT_DERIVATIVES, Packed, Steps, packed, size_of, spoiled

LARGEST_VALUE = 1 << 15
"""The most elements of one value."""
LARGEST_CASE = 1 << 19
"""The most elements of all values of one case."""
MOST_EVALUATIONS = 4096
"""The most evaluations of one operation."""

_UNCHANGED = frozenset(("copy", "stop_gradient", "reshard", "convert_element_type"))


def steps_of(problem: Problem, *, of_value: bool = False) -> list[Steps]:
    """The steps of the reference on each case, under its contract; with `of_value`, those of the value alone.

    Raises:
        ProblemError: where the program cannot be evaluated.
    """
    plain = replace(problem, contract="", wrt="") if of_value else problem
    return [steps(trace_once(plain, case)) for case in problem.cases]


def steps(traced: TracedReference) -> dict[str, Array]:
    """The values of every equation of a reference, float32 as float64 (see `grader.where.steps.Steps`).

    Values that are too large are left out, and so are those with which the values of the case would be too large together.

    Raises:
        ProblemError: where the program cannot be evaluated.
    """
    collector = _Collector(traced)
    outputs_of(replace(traced.evaluation.again(Exact()), hook=collector))
    found = collector.stacked()
    if any(equation.backward for equation in traced.program.block.nested()):
        (result,) = outputs_of(replace(traced.evaluation.again(Exact()), hook=_without_derivatives))
        found[WITHOUT_DERIVATIVES] = ~np.isnan(result).reshape(1, -1)
    return found


def _without_derivatives(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
    """A hook of the evaluation that makes NaN of every number of a backward pass."""
    outputs = evaluate(equation, inputs)
    return spoiled(outputs) if equation.backward else outputs


class _Collector:
    """A hook of the evaluation that keeps what each equation gives."""

    def __init__(self, traced: TracedReference) -> None:
        self._places = traced.program.places
        self._callers: list[tuple[int, int]] = [(0, 0)]
        self._rows: dict[str, list[Array]] = {}
        self._forms: dict[str, list[tuple[int, ...]]] = {}
        self._elements = 0

    def __call__(self, equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
        place = self._places[equation.place] if equation.place >= 0 else None
        at = self._callers[-1] if place is None else (place.line, place.column)
        self._callers.append(at)
        try:
            outputs = evaluate(equation, inputs)
        finally:
            self._callers.pop()
        name = str(equation.parameters["sampler"]) if equation.operation in DRAWS else equation.operation
        for index, atom in enumerate(equation.inputs):
            if isinstance(atom, Literal):
                value = np.asarray(atom.value, holding(atom.dtype, wide=True))
                if value.dtype.kind in "fiu":
                    self._add(f"{at[0]}:{at[1]}:{name}:literal{index}", value)
        for index, (form, output) in enumerate(zip(equation.forms, outputs, strict=True)):
            if form.dtype != "key" and name not in _UNCHANGED:
                self._add(f"{at[0]}:{at[1]}:{name}:{index}", np.asarray(output, holding(form.dtype, wide=True)))
        return outputs

    def _add(self, name: str, value: Array) -> None:
        if value.size > LARGEST_VALUE or self._elements + value.size > LARGEST_CASE or value.dtype.kind not in "fiubc":
            return
        shapes = self._forms.setdefault(name, [])
        if value.shape not in shapes:
            shapes.append(value.shape)
        rows = self._rows.setdefault(f"{name}:{shapes.index(value.shape)}", [])
        if len(rows) < MOST_EVALUATIONS:
            self._elements += max(value.size, 1)
            rows.append(value)

    def stacked(self) -> dict[str, Array]:
        return {name: np.stack(rows) for name, rows in self._rows.items()}


def packed_steps(steps: Sequence[Steps], most: int | None = None) -> Packed:
    """The steps of all cases as bytes; with `most`, those of the smallest cases that take at most so many bytes."""
    if most is None:
        return Packed(packed(steps), tuple(range(len(steps))))
    found = Packed(b"", ())
    for case in sorted(range(len(steps)), key=lambda case: size_of([steps[case]])):
        cases = tuple(sorted((*found.cases, case)))
        data = packed([steps[index] for index in cases])
        if len(data) > most:
            break
        found = Packed(data, cases)
    return found
