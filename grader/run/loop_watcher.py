"""In an answer's process: sees that the answer is in a loop that only an error could end, long before its time is over."""

from __future__ import annotations

import resource
import sys
import threading
import time
from collections.abc import Sequence
from types import FrameType

from grader.run import progress_notes

SECONDS_BETWEEN_LOOKS = 0.25
"""Seconds between two looks."""
SECONDS_IN_A_LOOP = 0.1
"""Seconds of processor time after which a call that is still at the same loop has been in it."""
MOST_BYTES_GROWN = 8 << 20
"""Bytes. An answer that takes more memory between two looks may reach its limit of memory first, and is left to that."""


def watch(loops: Sequence[Sequence[int]], filename: str) -> None:
    """Note the first of some loops of this thread that is seen running twice in a row in the same call.

    Args:
        loops: the first and the last line of each, from 1 (see `marking.endless_loops`).
        filename: of the answer.
    """
    if loops:
        arguments = threading.get_ident(), [(first, last) for first, last in loops], filename
        threading.Thread(target=_look, args=arguments, daemon=True).start()


def _look(thread: int, loops: Sequence[tuple[int, int]], filename: str) -> None:
    before: tuple[FrameType, int] | None = None
    since, held = 0.0, 0
    while True:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        grown, held = _peak() - held, _peak()
        now = _in_a_loop(sys._current_frames().get(thread), loops, filename)  # pyright: ignore[reportPrivateUsage]
        if now is None or before is None or now[0] is not before[0] or now[1] != before[1] or grown > MOST_BYTES_GROWN:
            before, since = now, time.process_time()
        elif time.process_time() - since >= SECONDS_IN_A_LOOP:
            progress_notes.note_endless(now[1])
            return


def _peak() -> int:
    """The most bytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _in_a_loop(
    frame: FrameType | None, loops: Sequence[tuple[int, int]], filename: str
) -> tuple[FrameType, int] | None:
    """A call of the answer that is at one of the loops, and the first line of the loop."""
    while frame is not None:
        if frame.f_code.co_filename == filename:
            for first, last in loops:
                if first <= frame.f_lineno <= last:
                    return frame, first
        frame = frame.f_back
    return None
