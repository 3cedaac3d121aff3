"""Work on several threads at once: how many there may be, and how all of them end where something stops the work."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor

SHARE = 0.8
"""The part of this machine's memory that answers may use together; the rest is for the system and the grader."""


def at_once(memory: int) -> int:
    """How many answers may run at once if each may use this many bytes: one for each core, as far as memory allows."""
    import psutil  # here, so that a run that grades nothing does not wait for it

    fit = int(psutil.virtual_memory().total * SHARE) // max(memory, 1)
    return max(1, min(os.cpu_count() or 1, fit))


@contextlib.contextmanager
def threads(workers: int, abort: Callable[[], None]) -> Generator[ThreadPoolExecutor]:
    """A pool of threads for the block below it.

    If an exception or Ctrl-C ends the block, work that waits is dropped, and `abort` must end the work under way.
    """
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            abort()
            raise
