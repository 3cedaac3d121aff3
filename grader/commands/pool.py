"""Several answers at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader.marking.verdict import Verdict

SHARE = 0.8
"""The part of this machine's memory that answers may use together; the rest is the system's and the grader's."""


def at_once(memory: int) -> int:
    """How many answers are graded at once, each of which may use so many bytes: one for each core that has memory for it."""
    import psutil  # not where nothing is graded

    fit = int(psutil.virtual_memory().total * SHARE) // max(memory, 1)
    return max(1, min(os.cpu_count() or 1, fit))


def in_parallel(
    one: Callable[[tuple[str, Path | None]], Verdict | None],
    targets: Sequence[tuple[str, Path | None]],
    advance: Callable[[], None],
    abort: Callable[[], None],
    memory: int,
) -> Iterator[Verdict | None]:
    """Grade targets at once, verdicts in their order.

    Args:
        advance: called after each.
        abort: called where something stops it half-way.
        memory: bytes that each may use.
    """
    if len(targets) == 1:
        yield one(targets[0])
        return
    pool = ThreadPoolExecutor(max_workers=min(len(targets), at_once(memory)))
    try:
        for verdict in pool.map(one, targets):
            advance()
            yield verdict
    except BaseException:
        abort()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
