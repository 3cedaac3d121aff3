"""The programs of an answer, on its own side: traced, encoded, and packed as bytes that no other process needs to trust."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.jaxpr.encode import Encoder
from grader.marking.judge import Array
from grader.program.data import Program, text_of
from grader.run import frames
from grader.run.tracing import CannotTrace, Trace, trace


def packed(traces: Sequence[Trace], filename: str) -> Array | None:
    """Traces as one array of bytes; None if a value comes from no trace, or a trace cannot be sent."""
    programs = encoded(traces, filename)
    try:
        if programs is None:
            return None
        text = np.frombuffer(text_of(programs), np.uint8)
        return np.frombuffer(frames.encode({}, [text, *programs[0].arrays]), np.uint8)
    except frames.FrameError:  # an array that no frame holds
        return None


def encoded(traces: Sequence[Trace], filename: str) -> list[Program] | None:
    """Traces as data, with arrays that all of them share; None if a value comes from no trace, or a trace is no program."""
    encoder = Encoder(filename)
    try:
        programs = [encoder.program(one.program) for one in traces if one.program is not None]
    except Exception:  # an operation of a JAX that the encoder does not know may go wrong in any way: it is no program
        return None
    return programs if programs and len(programs) == len(traces) else None


def traced_again(function: Callable[..., Any], cases: Sequence[Sequence[int | float]]) -> list[Trace]:
    """The traces of an answer that ran as written; none if it does not trace."""
    try:
        return [trace(function, case) for case in cases]
    except CannotTrace:
        return []
