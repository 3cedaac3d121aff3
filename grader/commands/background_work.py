"""Work that `watch` does in a thread of its own, and ends when there is other work to do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from grader.commands.trace import Traced
from grader.locale.language import gettext
from grader.marking.attempt import Attempt
from grader.marking.verdict import Verdict
from grader.run.result import Task
from grader.session import Session

SECONDS_BETWEEN_LOOKS = 0.05
"""Seconds between two looks at the work before."""

GRADING, TRACING, READYING = "grading", "tracing", ""
"""What work does. While it grades or traces, a line says so."""

Result = Verdict | Traced | str | None
"""What work returns: a verdict, a walk through an answer, a warning, or nothing."""


class WatchSession(Session):
    """A session that knows the phase of its grading."""

    phase = ""

    def attempt(self, task: Task) -> Attempt:
        self.phase = gettext("running your answer")
        try:
            return super().attempt(task)
        finally:
            self.phase = gettext("looking at what it gives")


class Work(threading.Thread):
    """One function that runs beside the keys. It is called when the work before it, which nobody waits for now, has ended.

    Args:
        doing: what the function does: GRADING, TRACING or READYING.
        problem: the problem that it is for.
        call: the function.
        done: is called with this work when the function has ended, unless other work took its place before it began.
        before: the work before it; an answer that it runs is ended.

    Attributes:
        doing, problem: as they were given.
        started: when the work began to wait, in seconds of `time.monotonic`.
        result: what the function returned, or the exception that it raised.
    """

    def __init__(
        self,
        session: WatchSession,
        doing: str,
        problem: str,
        call: Callable[[], Result],
        done: Callable[[Work], None],
        before: Work | None,
    ) -> None:
        super().__init__(daemon=True)
        self.doing, self.problem, self.started = doing, problem, time.monotonic()
        self.result: Result | Exception = None
        self._session, self._call, self._done, self._before = session, call, done, before
        self._stale = False

    def run(self) -> None:
        while self._before is not None and self._before.is_alive():
            self._before._stale = True  # it may not have begun
            self._session.stop()  # at each turn, since it may start its answer only now
            self._before.join(SECONDS_BETWEEN_LOOKS)
        self._before = None
        if self._stale:
            return
        self._session.phase = gettext("computing what is expected")
        try:
            self.result = self._call()
        except Exception as error:
            self.result = error
        self._done(self)
