"""The work that a search may do. It is counted in the same way on every machine, so that the same place is found."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from grader.program.limits import Meter

STEP = 16.0
"""About how many microseconds one equation takes."""
ELEMENT = 0.003
"""About how many microseconds one element takes."""


class OutOfBudget(Exception):
    """The search has done all the work that it may do."""


@dataclass
class Budget:
    """Counts work, about in microseconds.

    Attributes:
        left: what is left of it.
        deadline: the most seconds of processor time, which count on a slow machine.
    """

    left: float
    deadline: float
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = time.process_time() + self.deadline

    def spend(self, cost: float) -> None:
        """Count some work.

        Raises:
            OutOfBudget: if nothing is left.
        """
        self.left -= cost
        if self.left < 0 or time.process_time() > self._end:
            raise OutOfBudget

    def allow(self, work: float, seconds: float) -> None:
        """Allow at least some work from now on, and some seconds of processor time."""
        self.left = max(self.left, work)
        self._end = max(self._end, time.process_time() + seconds)

    @contextmanager
    def part(self, share: float) -> Generator[None]:
        """Let the block inside use a share of what is left. The block ends, without an error, when it is used."""
        rest = self.left * (1.0 - share)
        self.left -= rest
        try:
            yield
        except OutOfBudget:
            if time.process_time() > self._end:
                raise
        self.left = max(self.left, 0.0) + rest

    def meter(self) -> Meter:
        """The meter of one evaluation, which counts here as well."""
        return _Charged(budget=self)


@dataclass
class _Charged(Meter):
    budget: Budget = field(default_factory=lambda: Budget(0.0, 0.0))

    def step(self, values: int) -> None:
        super().step(values)
        self.budget.left -= STEP  # the elements of the same operation are spent next: that reads the clock

    def spend(self, operation: str, elements: int) -> None:
        before = self.work
        super().spend(operation, elements)
        self.budget.spend(ELEMENT * (self.work - before))
