"""What can be asked about a program as JAX traces it: its operations, its length and its largest value.

The process of an answer tells this of programs that cannot be sent, and of operations that are gone from those that can: a
call, a checkpoint, a kernel. `program/outline.py` sees the rest in what was sent, where nothing of the answer runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from jax.extend import core

from grader.jaxpr.compat import inner_programs, line_of, open_program
from grader.marking.program_requirements import FAMILIES, Outline


def outline(program: core.ClosedJaxpr | None, filename: str) -> Outline:
    """The outline of a program.

    Args:
        program: None where JAX computes nothing.
        filename: the name of the answer's own lines.
    """
    length, holds, largest, line = 0, dict[str, int](), (0,), 0
    for constant in () if program is None else program.consts:
        if math.prod(shape := _shape(constant)) > math.prod(largest):
            largest = shape
    for eqn in _operations(program):
        length += 1
        for family, one in FAMILIES.items():
            if eqn.primitive.name in one.primitives and family not in holds:
                holds[family] = line_of(eqn, filename)
        for out in eqn.outvars:
            if math.prod(shape := _shape(out.aval)) > math.prod(largest):
                largest, line = shape, line_of(eqn, filename)
    return Outline(length, holds, largest, line)


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(getattr(value, "shape", ()))


def _operations(program: Any) -> Iterator[Any]:
    """The equations of a program, each before those of the programs that it holds."""
    for eqn in () if program is None else open_program(program)[0].eqns:
        yield eqn
        for _, inner in inner_programs(eqn):
            yield from _operations(inner)
