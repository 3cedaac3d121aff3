"""The programs of an answer, on its own side: traced, encoded, and packed as bytes that no other process needs to trust."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.kit import frames
from grader.program.data import NotAProgram, Program, text_of
from grader.run.progress_notes import note
from grader.run.tracing import CannotTrace, Trace, trace


def packed(traces: Sequence[Trace], filename: str) -> bytes | None:
    """Traces as bytes; None if a value comes from no trace, or a trace cannot be sent."""
    programs = encoded(traces, filename)
    try:
        if programs is None:
            return None
        text = np.frombuffer(text_of(programs), np.uint8)
        return frames.encode({}, [text, *programs[0].arrays])
    except (NotAProgram, frames.FrameError):  # a text or an array that is too large
        return None
    except MemoryError:  # the answer holds all of it: its programs are not known then
        return None


def encoded(traces: Sequence[Trace], filename: str) -> list[Program] | None:
    """Traces as data, with arrays that all of them share; None if a value comes from no trace, or a trace is no program."""
    # An operation that the encoder does not know may go wrong in any way, and so may the import, where an answer has emptied
    # `sys.modules`. Then it is no program.
    try:
        from grader.jaxpr.encode import Encoder  # here and not above: the import takes a while

        encoder = Encoder(filename)
        programs = [encoder.program(one.program) for one in traces if one.program is not None]
    except Exception:
        return None
    return programs if programs and len(programs) == len(traces) else None


def traced(
    function: Callable[..., Any], cases: Sequence[Sequence[int | float]], known: Sequence[Trace] = ()
) -> list[Trace]:
    """The traces of an answer that runs as written; none if it does not trace.

    Args:
        known: those of the first cases, where they were made already.
    """
    traces = [*known[: len(cases)]]
    try:
        for index in range(len(traces), len(cases)):
            note("call", index)
            traces.append(trace(function, cases[index]))
    except CannotTrace:
        return []
    return traces
