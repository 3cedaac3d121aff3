"""Several answers at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader.verdict import Verdict


def in_parallel(
    one: Callable[[tuple[str, Path | None]], Verdict | None],
    targets: Sequence[tuple[str, Path | None]],
    advance: Callable[[], None],
    abort: Callable[[], None],
) -> Iterator[Verdict | None]:
    """Grade targets on all cores, verdicts in their order; `abort` is called where something stops it half-way."""
    if len(targets) == 1:
        yield one(targets[0])
        return
    pool = ThreadPoolExecutor(max_workers=min(len(targets), os.cpu_count() or 1))
    try:
        for verdict in pool.map(one, targets):
            advance()
            yield verdict
    except BaseException:
        abort()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
