"""Work on the programs of an answer that begins while the answer runs: its compiler takes longer than all of it.

The programs are compared with the truth, and the search for the place of a mistake begins. No verdict depends on this head
start: without one, the same is done once the answer has ended.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Self

import numpy as np

from grader.marking.evidence import Places
from grader.marking.exact import Exactness, compare
from grader.marking.facts import Truth
from grader.marking.judge import Array
from grader.run.replay import Replay

Search = Callable[[Replay, Exactness, Truth], Places]
"""Starts the search for the places where programs go wrong."""


@dataclass
class Started:
    """An evaluator that has its programs, and the search that it was asked for, if there was a reason for one."""

    replay: Replay | None = None
    exact: Exactness | None = None
    places: Places | None = None

    def found(self, exact: Exactness) -> Places | None:
        """The search that was begun for programs that are compared so; None if there is none."""
        same = self.exact is not None and all(map(np.array_equal, self.exact.allowed, exact.allowed))
        return self.places if same else None

    def close(self) -> None:
        """End the evaluator."""
        if self.replay is not None:
            self.replay.close()


@dataclass
class Ahead:
    """The work on the programs of one answer.

    Args:
        replay: starts an evaluator of programs, to be compared with the truth; gives None if there is nothing to compare.
        truth: gives the truth of the programs. It may have to be waited for.
        search: starts the search for the places of an answer that is wrong; None if nobody looks for them so early.
    """

    replay: Callable[[Array, Truth], Replay | None]
    truth: Callable[[], Truth]
    search: Search | None
    _work: _Work | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def begin(self, programs: Array) -> None:
        """Start to work on programs. Those that were handed over before are dropped."""
        self.drop()
        self._work = _Work(self, programs)

    def drop(self) -> None:
        """End all work, without waiting for it."""
        if self._work is not None:
            self._work.drop()
        self._work = None

    @contextlib.contextmanager
    def replaying(self, programs: Array | None) -> Generator[Started]:
        """The evaluator of an answer that has ended, with what was begun on its programs; started now if nothing was.

        Raises:
            ProblemError: if there is no truth.
            LaunchError: if no evaluator can be started, or one was killed.
        """
        if programs is None:
            yield Started()
            return
        if self._work is not None and not np.array_equal(self._work.programs, programs):
            self.drop()  # an answer that ran twice may have sent others the first time
        work, self._work = self._work, None
        started = work.result() if work else Started(self.replay(programs, self.truth()))
        try:
            yield started
        finally:
            started.close()


class _Work(threading.Thread):
    """What is done in a thread, from the truth to the search."""

    def __init__(self, asked: Ahead, programs: Array) -> None:
        super().__init__(daemon=True)
        self.programs = programs
        self._asked, self._begun = asked, Started()
        self._error: BaseException | None = None
        self._lock, self._dropped, self._ended = threading.Lock(), False, False
        self.start()

    def run(self) -> None:
        """Compare the programs, and start the search if they are wrong."""
        try:
            self._compare()
        except BaseException as error:  # it is raised where the result is asked for
            self._error = error
        with self._lock:
            self._ended = True
            if self._dropped:
                self._begun.close()

    def _compare(self) -> None:
        truth = self._asked.truth()
        with self._lock:
            if self._dropped:
                return
            self._begun.replay = replay = self._asked.replay(self.programs, truth)
        exact = None if replay is None else compare(replay, truth)
        if replay is not None and exact is not None and any(exact.differs) and self._asked.search is not None:
            self._begun.exact, self._begun.places = exact, self._asked.search(replay, exact, truth)

    def drop(self) -> None:
        """End the evaluator, now or as soon as it would begin. Nobody will ask for the result."""
        with self._lock:
            self._dropped = True
            if self._ended:
                self._begun.close()
            elif self._begun.replay is not None:
                self._begun.replay.stop()  # the thread reads from it, and closes it

    def result(self) -> Started:
        """What was started, as soon as all of it was.

        Raises:
            BaseException: whatever the work raised. Its evaluator is closed then.
        """
        self.join()
        if self._error is not None:
            self._begun.close()
            raise self._error
        return self._begun
