"""Work on threads: as many threads as cores and memory allow, and an exception ends all work."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from grader.marking.verdict import Run, Status, Verdict
from grader.run.judge import cores
from grader.run.judge.cores import at_once, cores_here, memory_for_answers, slowed_down, threads
from grader.sandbox.cgroup import NoGroups
from grader.values.message import NO_MESSAGE

GIB = 1 << 30


def no_groups() -> Path:
    raise NoGroups("not here")


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight cores and 20 GiB, of which answers may use 16."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(cores, "own_folder", no_groups)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=20 * GIB))


def test_a_loop_that_only_an_error_could_end_runs_once() -> None:
    late = Verdict("rope", Status.TIMEOUT, NO_MESSAGE, run=Run(seconds=1.0, processor=1.0))
    assert slowed_down(late)
    assert not slowed_down(replace(late, run=replace(late.run, endless=True)))


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (1, 8),
        (GIB, 8),
        (GIB + 1, 7),  # each needs room for the evaluator of its programs too
        (3 * GIB, 4),
        (4 * GIB, 3),
        (9 * GIB, 1),
        (16 * GIB, 1),
        (100 * GIB, 1),
        (0, 8),
    ],
)
def test_answers_at_once_fit_into_cores_and_memory(memory: int, expected: int, machine: None) -> None:
    assert at_once(memory) == expected


def test_one_answer_at_once_if_the_number_of_cores_is_unknown(machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert at_once(1) == 1


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [("max 100000", "max 100000", 8), ("max 100000", "250000 100000", 2), ("150000 100000", "400000 100000", 1)],
)
def test_a_quota_of_any_control_group_around_leaves_fewer_cores(
    outer: str, inner: str, expected: int, machine: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "jobs" / "mine"
    own.mkdir(parents=True)
    (tmp_path / "jobs" / "cpu.max").write_text(f"{outer}\n")
    (own / "cpu.max").write_text(f"{inner}\n")
    monkeypatch.setattr(cores, "own_folder", lambda: own)
    assert cores_here() == expected


def test_a_control_group_leaves_less_memory(machine: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert memory_for_answers() == 16 * GIB
    (tmp_path / "memory.max").write_text(f"{10 * GIB}\n")
    monkeypatch.setattr(cores, "own_folder", lambda: tmp_path)
    assert memory_for_answers() == 8 * GIB


def test_only_a_timeout_of_an_answer_that_computed_may_come_of_its_neighbours() -> None:
    late = Verdict("toy", Status.TIMEOUT, NO_MESSAGE, run=Run(seconds=300.0, processor=60.0))
    sleeps = Verdict("toy", Status.TIMEOUT, NO_MESSAGE, run=Run(seconds=300.0, processor=0.4))
    wrong = Verdict("toy", Status.WRONG, NO_MESSAGE, run=Run(seconds=300.0, processor=60.0))
    assert [slowed_down(one) for one in (late, sleeps, wrong, None)] == [True, False, False, False]


def test_work_that_ends_normally_is_not_aborted() -> None:
    aborted: list[bool] = []
    with threads(2, lambda: aborted.append(True)) as cores:
        assert list(cores.map(abs, range(-3, 0))) == [3, 2, 1]
    assert aborted == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_exception_ends_running_work_and_drops_waiting_work(error: type[BaseException]) -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return ended.wait(10)

    with pytest.raises(error), threads(1, ended.set) as cores:  # noqa: PT012
        running, waiting = cores.submit(work), cores.submit(work)
        begun.wait(10)
        raise error
    assert running.result(0) is True
    assert waiting.cancelled()
