"""A session that knows how much memory a grading took, and how much of it fits into this machine at once."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from grader.marking.attempt import Attempt
from grader.marking.verdict import Status
from grader.run.result import Task
from grader.session import Session

_ENDED = (Status.CORRECT, Status.WRONG, Status.ERROR)

MARGIN = 1.25
"""How much more than the most memory that an answer to a problem took, the next one is expected to take."""


@dataclass
class Measuring(Session):
    """A session whose `peak` is the most memory that answers used in this thread since `begin`."""

    _mine: threading.local = field(default_factory=threading.local)

    def begin(self) -> None:
        self._mine.peak = 0

    @property
    def peak(self) -> int:
        return getattr(self._mine, "peak", 0)

    @property
    def tier(self) -> str:
        """The tier of confinement in force. It is known after `prepare`."""
        return self._highest if self.policy.confine else "none"

    def attempt(self, task: Task) -> Attempt:
        given = super().attempt(task)
        self._mine.peak = max(self.peak, given.peak)
        return given


@dataclass
class Room:
    """How much memory running answers may use together, and what each is expected to use.

    Attributes:
        memory: bytes for all of them.
        limit: bytes that one may use. It is what an answer to a problem that nobody has measured is expected to use.
        peaks: the most bytes that an answer to each problem used, of those that came to their end.
    """

    memory: int
    limit: int
    peaks: dict[str, int] = field(default_factory=dict[str, int])

    def saw(self, problem: str, status: str, peak: int) -> None:
        """Note what an answer used. One that did not come to its end says nothing about the others."""
        if peak and status in _ENDED:
            self.peaks[problem] = max(peak, self.peaks.get(problem, 0))

    def expected(self, problem: str) -> int:
        return min(self.limit, int(MARGIN * self.peaks[problem])) if problem in self.peaks else self.limit

    def fits(self, problem: str, taken: int) -> bool:
        """Whether an answer fits beside others that take `taken` bytes. One alone always fits."""
        return not taken or taken + self.expected(problem) <= self.memory
