"""What can be asked about a program as it is evaluated: its operations, its length and its largest value.

Of a program that is right, nobody can lie about this. `jaxpr/outline.py` sees more, and an answer can change what that says.
"""

from __future__ import annotations

import math

from grader.marking.program_requirements import EVALUATED, Outline
from grader.program.data import Program


def outline(program: Program) -> Outline:
    """The outline of a program. Of all families, it can hold those of `EVALUATED`."""
    length, holds, largest, at = 0, dict[str, int](), (0,), 0
    for index in {index for block in program.block.blocks() for _, index in block.constants}:
        if program.arrays[index].size > math.prod(largest):
            largest = program.arrays[index].shape
    for equation in program.block.nested():
        length += 1
        line = program.line(equation)
        if equation.operation in EVALUATED:
            holds.setdefault(equation.operation, line)
        for form in equation.forms:
            if math.prod(form.shape) > math.prod(largest):
                largest, at = form.shape, line
    return Outline(length, holds, largest, at)
