"""The process that evaluates the programs of an answer: it reads data, and uses NumPy. No code of the answer runs in it."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Sequence
from typing import Any

from grader.program.data import NotAProgram, read
from grader.run.evaluator_calls import CALLS, Opened, Programs, Sent, exactly, kinds_of, opened
from grader.run.judge.cores import EVALUATOR_MEMORY
from grader.sandbox.limits import LINUX
from grader.values import codec, frames
from grader.values.arrays import Array

SECONDS_OF_PROCESSOR = 20
"""Seconds of processor time that it may take."""


def main() -> None:
    """Serve on descriptors 0 and 1, within limits of memory and time."""
    _limit()
    serve(0, 1)


def serve(requests: int, results: int) -> None:
    """Make calls until the first descriptor ends. The first frame holds the programs (see `Sent`)."""
    sent = codec.read(Sent, requests)
    if sent is None:
        return
    try:
        programs = _evaluated(sent)
        reply = opened(programs, sent.sizes)
    except (NotAProgram, ValueError) as error:
        frames.write(results, codec.encode({"reply": Opened(why=str(error)[:500])}))
        return
    frames.write(results, codec.encode({"reply": reply}))
    with contextlib.suppress(NotAProgram):  # noise may change how long its loops are
        while (request := frames.read(requests)) is not None:
            frames.write(results, _reply(programs, *request))


def _evaluated(sent: Sent) -> Programs:
    """The programs, evaluated.

    Raises:
        NotAProgram, FrameError: if they cannot be read or evaluated.
    """
    numbers = sent.numbers.parted()
    _, (text, *arrays) = frames.decode(sent.programs)
    programs = read(text.tobytes(), arrays)
    if len(programs) != len(numbers):
        raise NotAProgram("a program for each case is due")
    return [exactly(program, drawn) for program, drawn in zip(programs, numbers, strict=True)]


def _reply(programs: Programs, header: dict[str, Any], arrays: Sequence[Array]) -> bytes:
    call = CALLS[header["call"]]
    return codec.encode({"reply": call(programs, *codec.from_frame(kinds_of(call)[0], header["arguments"], arrays))})


def _limit() -> None:
    """Bound the time of this process, and its memory where that can be known (Linux)."""
    # With two equal limits of time the kernel would send SIGKILL, as what kills a process from outside does.
    limits = {resource.RLIMIT_CPU: (SECONDS_OF_PROCESSOR, SECONDS_OF_PROCESSOR + 1), resource.RLIMIT_CORE: (0, 0)}
    if LINUX:
        with open("/proc/self/statm") as file:
            most = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + EVALUATOR_MEMORY
        limits[resource.RLIMIT_AS] = (most, most)
    for name, limit in limits.items():
        with contextlib.suppress(ValueError):  # a limit that is lower already stays
            resource.setrlimit(name, limit)
