"""Answers at once: as many as there are cores and memory for, verdicts in order, an end when something stops it."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from grader.commands.pool import at_once, in_parallel

GIB = 1 << 30


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight cores and 20 GiB, of which answers may use 16."""
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=20 * GIB))


@pytest.mark.parametrize(
    ("memory", "due"),
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
def test_answers_at_once_fit_into_cores_and_memory(memory: int, due: int, machine: None) -> None:
    assert at_once(memory) == due


def test_one_answer_at_once_where_nobody_knows_the_cores(machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert at_once(1) == 1


def targets(count: int) -> list[tuple[str, Path | None]]:
    return [(str(number), None) for number in range(count)]


def test_no_more_than_have_memory_run_at_once_and_verdicts_keep_their_order(machine: None) -> None:
    running, most, lock = set[str](), 0, threading.Lock()
    pause = threading.Event()

    def one(target: tuple[str, Path | None]) -> Any:
        nonlocal most
        with lock:
            running.add(target[0])
            most = max(most, len(running))
        pause.wait(0.02)
        with lock:
            running.discard(target[0])
        return target[0]

    steps: list[int] = []
    verdicts = list(in_parallel(one, targets(12), lambda: steps.append(1), lambda: None, 8 * GIB))
    assert verdicts == [str(number) for number in range(12)]
    assert most == 2
    assert len(steps) == 12


def test_what_stops_it_half_way_ends_all(machine: None) -> None:
    aborted: list[bool] = []

    def one(target: tuple[str, Path | None]) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(in_parallel(one, targets(3), lambda: None, lambda: aborted.append(True), GIB))
    assert aborted == [True]
