"""The programs of an answer, on its own side: traced, encoded, and packed as bytes that no other process needs to trust."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.jaxpr.encode import Encoder
from grader.marking.judge import Array
from grader.program.data import text_of
from grader.run import frames
from grader.run.tracing import CannotTrace, Trace, trace


def packed(traces: Sequence[Trace], filename: str) -> Array | None:
    """Traces as one array of bytes; None if a value comes from no trace, or a trace cannot be sent."""
    encoder = Encoder(filename)
    try:
        programs = [encoder.program(one.program) for one in traces if one.program is not None]
        if len(programs) != len(traces):
            return None
        text = np.frombuffer(text_of(programs), np.uint8)
        return np.frombuffer(frames.encode({}, [text, *encoder.arrays]), np.uint8)
    except Exception:  # an operation of a JAX that the encoder does not know may go wrong in any way: it is no program
        return None


def traced_again(function: Callable[..., Any], cases: Sequence[Sequence[int | float]]) -> list[Trace]:
    """The traces of an answer that ran as written; none if it does not trace."""
    try:
        return [trace(function, case) for case in cases]
    except CannotTrace:
        return []
