"""How much memory a grading took, by thread, and how many fit at once."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.grading import Measuring, MemoryBudget
from grader.kit.kit import Kit
from grader.marking.attempt import Attempt
from grader.options import Policy
from grader.session import Session

GIB = 1 << 30


def test_a_grading_took_the_most_that_one_of_its_runs_took(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter([3, 7, 5, 2])
    monkeypatch.setattr(Session, "attempt", lambda *_: Attempt(peak=next(peaks)))
    session, task, others = Measuring(Kit(Path())), Any, list[int]()
    session.begin()
    for _ in range(3):
        session.attempt(task)  # type: ignore[arg-type]
    thread = threading.Thread(target=lambda: others.append(session.peak))
    thread.start()
    thread.join()
    assert (session.peak, others) == (7, [0])
    session.begin()
    session.attempt(task)  # type: ignore[arg-type]
    assert session.peak == 2


def test_without_a_policy_there_is_no_tier() -> None:
    assert Measuring(Kit(Path())).tier == "none"
    assert Measuring(Kit(Path()), policy=Policy("best")).tier == "A"


def test_what_nobody_measured_may_need_all_that_it_may_use() -> None:
    room = MemoryBudget(8 * GIB, 4 * GIB)
    assert [room.fits("rope", taken * GIB) for taken in (0, 4, 5)] == [True, True, False]
    room.record_peak("rope", "correct", GIB)
    room.record_peak("rope", "wrong", GIB // 2)
    room.record_peak("rope", "memory", 4 * GIB)
    room.record_peak("alibi", "correct", 0)
    assert room.expected("rope") == 5 * GIB // 4
    assert room.expected("alibi") == 4 * GIB
    assert room.fits("rope", 6 * GIB)
    room.record_peak("rope", "error", 10 * GIB)
    assert room.expected("rope") == 4 * GIB


def test_one_alone_always_fits() -> None:
    assert MemoryBudget(GIB, 4 * GIB).fits("rope", 0)
