"""A session whose answers have their provisional verdict before their values."""

from __future__ import annotations

from collections.abc import Callable

from grader.commands.stub_grading import WatchSession
from grader.judging import EarlyVerdict
from grader.marking.attempt import Attempt
from grader.run.protocol import Task, TracedPrograms


class Waiting(WatchSession):
    """It gives the values of an answer only when its program was judged, and its verdict was told."""

    def attempt(self, task: Task, traced: Callable[[TracedPrograms], None] = lambda _: None) -> Attempt:
        given = super().attempt(task, traced)
        early = getattr(traced, "__self__", None)
        if isinstance(early, EarlyVerdict):
            early.wait()
        return given
