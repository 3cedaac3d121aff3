"""Work beside the keys: one piece at a time, and the newest ends the one before it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from grader.commands.stub_grading import GRADING, BackgroundWork, Result


class FakeSession:
    """A session whose answer runs until it is stopped."""

    def __init__(self) -> None:
        self.phase = ""
        self.stopped = threading.Event()

    def stop(self) -> None:
        self.stopped.set()


def started(
    session: Any, call: Callable[[BackgroundWork], Result], before: BackgroundWork | None = None
) -> tuple[BackgroundWork, SimpleQueue[BackgroundWork]]:
    done: SimpleQueue[BackgroundWork] = SimpleQueue()
    work = BackgroundWork(session, GRADING, "rope", call, done.put, before)
    work.start()
    return work, done


def test_work_that_has_ended_says_so_with_what_it_returned_or_raised() -> None:
    def fail(_: BackgroundWork) -> Result:
        raise ValueError("no")

    assert started(FakeSession(), lambda _: "a note")[1].get(timeout=5).result == "a note"
    assert str(started(FakeSession(), fail)[1].get(timeout=5).result) == "no"


def test_new_work_ends_the_answer_of_the_work_before_it_and_then_runs() -> None:
    session = FakeSession()
    before, _ = started(session, lambda _: str(session.stopped.wait(5)))
    work, done = started(session, lambda _: f"alone: {not before.is_alive()}", before)
    assert done.get(timeout=5) is work
    assert (before.result, work.result) == ("True", "alone: True")


def test_work_that_waits_and_is_replaced_never_runs() -> None:
    session = FakeSession()
    release = threading.Event()
    ran: list[str] = []
    first, _ = started(session, lambda _: str(release.wait(5)))
    second, _ = started(session, lambda _: ran.append("second"), first)
    third, done = started(session, lambda _: ran.append("third"), second)
    release.set()
    assert done.get(timeout=5) is third
    assert ran == ["third"]
