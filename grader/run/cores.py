"""Shares the cores of this process out to the answers that run at once, so that none takes the time of its neighbours.

A process starts as many threads of XLA as it is bound to cores when its backend starts, and so does every other library that
asks the system. So binding it is all that is needed, and nothing here depends on the version of JAX. The flag
`--xla_cpu_multi_thread_eigen=false` is not enough: XLA then still computes one program on several threads.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.run.child import Child
from grader.run.pool import cores


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
            self._bound = [(one, group) for one, group in self._bound if not one.ended.is_set()]
            taken = Counter(group for _, group in self._bound)
            group = min(self.groups, key=lambda one: taken[one])
            self._bound.append((child, group))
        with contextlib.suppress(ProcessLookupError):  # it has ended already, and its status is reported
            os.sched_setaffinity(child.pid, group)


def shared(jobs: int) -> Cores | None:
    """The cores of this process for `jobs` answers at once; None where nothing is to be shared, or cannot be (not Linux)."""
    if jobs == 1 or not hasattr(os, "sched_setaffinity"):
        return None
    each = max(1, cores() // jobs)
    mine = sorted(os.sched_getaffinity(0))
    # Graders that run beside this one may use the same cores, and should not all begin with the first.
    start = random.randrange(len(mine))
    mine = mine[start:] + mine[:start]
    return Cores([tuple(mine[at : at + each]) for at in range(0, len(mine) - each + 1, each)])
