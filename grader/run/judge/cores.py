"""How many answers run at once, on which cores, whose time they cost, and how an exception ends all of them."""

from __future__ import annotations

import contextlib
import math
import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from grader.marking.verdict import Status, Verdict
from grader.run.child import Child
from grader.sandbox.cgroup import NoGroups, own_folder

SHARE_OF_MEMORY = 0.8
"""The fraction of this machine's memory that all answers may use together. The system and the grader need the rest."""

EVALUATOR_MEMORY = 1 << 30
"""Bytes that the evaluator of an answer's programs may take beyond what it has at its start."""


def at_once(memory: int) -> int:
    """How many answers may run at once if each may use `memory` bytes: one for each core, or fewer if memory is short."""
    return max(1, min(cores_here(), memory_for_answers() // (memory + EVALUATOR_MEMORY)))


def cores_here() -> int:
    """The cores that this process may use: those it is bound to, or fewer if its control group has a quota."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quotas = [int(time) / int(period) for time, period in map(str.split, _of_groups("cpu.max")) if time != "max"]
    return max(1, math.floor(min([bound, *quotas])))


def memory_for_answers() -> int:
    """The bytes that all answers may use together: of this machine, or of what its control group leaves to this process."""
    import psutil  # imported here, so that commands that grade nothing do not import it

    limits = [int(limit) for limit in _of_groups("memory.max") if limit != "max"]
    return int(min([psutil.virtual_memory().total, *limits]) * SHARE_OF_MEMORY)


def _of_groups(file: str) -> Iterator[str]:
    """What a file of control groups says in the group of this process, and in each group above it."""
    with contextlib.suppress(NoGroups):
        folder = own_folder()
        for group in (folder, *folder.parents):
            with contextlib.suppress(OSError):
                yield (group / file).read_text(encoding="ascii").strip()


def slowed_down(verdict: Verdict | None) -> bool:
    """Whether an answer that ran beside others must run once more, alone: it ran out of time, and others slowed it down.

    An answer that computed for less than a twentieth of its time is taken to have waited for something of its own, and a
    loop that only an error could end is nobody else's fault.
    """
    if verdict is None or verdict.status is not Status.TIMEOUT or verdict.run.endless:
        return False
    return verdict.run.processor >= 0.05 * verdict.run.seconds


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


@dataclass
class Cores:
    """Binds each answer to cores that the fewest others are bound to.

    Attributes:
        groups: the cores of one answer each.
    """

    groups: Sequence[tuple[int, ...]]
    _bound: list[tuple[Child, tuple[int, ...]]] = field(default_factory=list[tuple[Child, tuple[int, ...]]])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def bind(self, child: Child) -> None:
        """Bind a child that has not started its backend. All processes that it forks are bound with it."""
        with self._lock:
            self._bound = [(bound, group) for bound, group in self._bound if not bound.ended.is_set()]
            taken = Counter(group for _, group in self._bound)
            group = min(self.groups, key=lambda cores: taken[cores])
            self._bound.append((child, group))
        with contextlib.suppress(ProcessLookupError):  # it has ended already, and its status is reported
            os.sched_setaffinity(child.pid, group)


def shared(jobs: int) -> Cores | None:
    """The cores of this process for `jobs` answers at once; None where nothing is to be shared, or cannot be (not Linux)."""
    if jobs == 1 or not hasattr(os, "sched_setaffinity"):
        return None
    each = max(1, cores_here() // jobs)
    mine = sorted(os.sched_getaffinity(0))
    # Graders that run beside this one may use the same cores, and should not all begin with the first.
    start = random.randrange(len(mine))
    mine = mine[start:] + mine[:start]
    return Cores([tuple(mine[at : at + each]) for at in range(0, len(mine) - each + 1, each)])
