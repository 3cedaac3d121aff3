"""Work on several threads: how many answers may run at once, and how all of them end if an exception stops the work."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor

SHARE = 0.8
"""The fraction of this machine's memory that all answers may use together. The system and the grader need the rest."""


def at_once(memory: int) -> int:
    """How many answers may run at once if each may use `memory` bytes: one for each core, or fewer if memory is short."""
    import psutil  # imported here, so that commands that grade nothing do not import it

    fit = int(psutil.virtual_memory().total * SHARE) // max(memory, 1)
    return max(1, min(os.cpu_count() or 1, fit))


@contextlib.contextmanager
def threads(workers: int, abort: Callable[[], None]) -> Generator[ThreadPoolExecutor]:
    """A pool of threads for the block below it.

    If an exception or Ctrl-C ends the block, waiting work is dropped, and `abort` must end the running work.
    """
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            abort()
            raise
