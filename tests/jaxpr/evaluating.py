"""A jaxpr evaluated as a reference is: as a trusted program, which may have inputs here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.jaxpr import native
from grader.jaxpr.encode import Encoder
from grader.oracle.expect import TracedReference
from grader.program.arithmetic import Arithmetic
from grader.program.evaluate import Evaluation, Hook
from grader.program.operations import Unmetered


def as_reference(closed: Any, file: str = "") -> TracedReference:
    """A jaxpr without inputs as a traced reference; its shape and dtype do not matter."""
    return TracedReference(closed, (), "float32", file)


def evaluated(
    closed: Any, arithmetic: Arithmetic, inputs: Sequence[Any] = (), hook: Hook | None = None
) -> list[np.ndarray]:
    """The outputs of a jaxpr; the inputs are promoted already."""
    program = Encoder("", trusted=True).program(closed)
    given = dict(zip(program.block.inputs, map(np.asarray, inputs), strict=True))
    return Evaluation(program, arithmetic, hook=hook, given=given, meter=Unmetered(), native=native).outputs()
