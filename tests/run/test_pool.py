"""Work on threads: as many threads as cores and memory allow, and an exception ends all work."""

from __future__ import annotations

import os
import threading
from types import SimpleNamespace

import psutil
import pytest

from grader.run.pool import at_once, threads

GIB = 1 << 30


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight cores and 20 GiB, of which answers may use 16."""
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=20 * GIB))


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (1, 8),
        (GIB, 8),
        (2 * GIB, 8),
        (2 * GIB + 1, 7),
        (4 * GIB, 4),
        (9 * GIB, 1),
        (16 * GIB, 1),
        (100 * GIB, 1),
        (0, 8),
    ],
)
def test_answers_at_once_fit_into_cores_and_memory(memory: int, expected: int, machine: None) -> None:
    assert at_once(memory) == expected


def test_one_answer_at_once_if_the_number_of_cores_is_unknown(machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert at_once(1) == 1


def test_work_that_ends_normally_is_not_aborted() -> None:
    aborted: list[bool] = []
    with threads(2, lambda: aborted.append(True)) as pool:
        assert list(pool.map(abs, range(-3, 0))) == [3, 2, 1]
    assert aborted == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_exception_ends_running_work_and_drops_waiting_work(error: type[BaseException]) -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return ended.wait(10)

    with pytest.raises(error), threads(1, ended.set) as pool:  # noqa: PT012
        running, waiting = pool.submit(work), pool.submit(work)
        begun.wait(10)
        raise error
    assert running.result(0) is True
    assert waiting.cancelled()
