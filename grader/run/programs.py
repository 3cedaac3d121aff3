"""The programs of an answer, on its own side: traced, encoded, and packed as bytes that no other process needs to trust."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

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


class Packing(threading.Thread):
    """Traces that are packed in a thread. To compile a program takes other threads, so this costs no time beside it."""

    def __init__(self, traces: Sequence[Trace], filename: str) -> None:
        super().__init__(daemon=True)
        self._asked, self._packed = (traces, filename), None
        self.start()

    def run(self) -> None:
        """Pack them."""
        with contextlib.suppress(MemoryError):  # the answer holds all of it: its programs are not known then
            self._packed = packed(*self._asked)

    def result(self) -> Array | None:
        """What `packed` gives, as soon as it is there."""
        self.join()
        return self._packed


def encoded(traces: Sequence[Trace], filename: str) -> list[Program] | None:
    """Traces as data, with arrays that all of them share; None if a value comes from no trace, or a trace is no program."""
    # An operation that the encoder does not know may go wrong in any way, and so may the import, where an answer has emptied
    # `sys.modules`. Then it is no program.
    try:
        from grader.jaxpr.encode import Encoder  # here and not above: the import takes a while, which `Packing` hides

        encoder = Encoder(filename)
        programs = [encoder.program(one.program) for one in traces if one.program is not None]
    except Exception:
        return None
    return programs if programs and len(programs) == len(traces) else None


def traced_again(function: Callable[..., Any], cases: Sequence[Sequence[int | float]]) -> list[Trace]:
    """The traces of an answer that ran as written; none if it does not trace."""
    try:
        return [trace(function, case) for case in cases]
    except CannotTrace:
        return []
