"""What the operations of a reference give, for the comparison with a learner's own program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.interpret import Evaluate, OnEqn, replay
from grader.jaxpr.plan import literal_value
from grader.jaxpr.prng import is_key
from grader.marking.judge import Array
from grader.program.arithmetic import Exact
from grader.program.rules import promoted

LARGEST = 1 << 15
"""The most elements of one value."""
LARGEST_CASE = 1 << 19
"""The most elements of all values of one case."""
LONGEST = 4096
"""The most evaluations of one operation."""

_UNCHANGED = frozenset(("copy", "stop_gradient", "convert_element_type"))


def steps(program: core.ClosedJaxpr, file: str, on_eqn: OnEqn | None = None) -> dict[str, Array]:
    """The values of every equation of a program without inputs, float32 as float64 (see `grader.where.steps.Steps`).

    Values that are too large are left out, and so are those with which the values of the case would be too large together.

    Args:
        file: the file whose lines name the steps.
        on_eqn: a hook of the program itself (see `grader.jaxpr.interpret`).

    Raises:
        ProblemError: where the program cannot be evaluated.
    """
    collector = _Collector(file, on_eqn)
    replay(program, Exact(), on_eqn=collector)
    return collector.stacked()


class _Collector:
    """A hook of the interpreter that keeps what each equation gives."""

    def __init__(self, file: str, on_eqn: OnEqn | None) -> None:
        self._file, self._on_eqn = file, on_eqn
        self._callers: list[tuple[int, int]] = [(0, 0)]
        self._rows: dict[str, list[Array]] = {}
        self._forms: dict[str, list[tuple[int, ...]]] = {}
        self._elements = 0

    def __call__(self, eqn: Any, arguments: list[Any], evaluate: Evaluate) -> Sequence[Any]:
        position = compat.position_of(eqn, self._file)
        at = self._callers[-1] if position is None else position[:2]
        self._callers.append(at)
        try:
            outputs = evaluate(eqn, arguments) if self._on_eqn is None else self._on_eqn(eqn, arguments, evaluate)
        finally:
            self._callers.pop()
        name = compat.sampler(eqn) or eqn.primitive.name
        if not (compat.is_call(eqn) and not compat.sampler(eqn)):
            self._literals(eqn, f"{at[0]}:{at[1]}:{name}")
            for index, (variable, output) in enumerate(zip(eqn.outvars, outputs, strict=True)):
                if not is_key(variable.aval) and name not in _UNCHANGED:
                    self._add(f"{at[0]}:{at[1]}:{name}:{index}", np.asarray(output, promoted(variable.aval.dtype)))
        return outputs

    def _literals(self, eqn: Any, name: str) -> None:
        for index, atom in enumerate(eqn.invars):
            if isinstance(atom, core.Literal) and not np.shape(atom.val):
                value = np.asarray(literal_value(atom))
                if value.dtype.kind in "fiu":
                    self._add(f"{name}:literal{index}", value)

    def _add(self, name: str, value: Array) -> None:
        if value.size > LARGEST or self._elements + value.size > LARGEST_CASE or value.dtype.kind not in "fiubc":
            return
        shapes = self._forms.setdefault(name, [])
        if value.shape not in shapes:
            shapes.append(value.shape)
        rows = self._rows.setdefault(f"{name}:{shapes.index(value.shape)}", [])
        if len(rows) < LONGEST:
            self._elements += max(value.size, 1)
            rows.append(value)

    def stacked(self) -> dict[str, Array]:
        return {name: np.stack(rows) for name, rows in self._rows.items()}
