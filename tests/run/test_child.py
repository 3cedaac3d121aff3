"""A child as its parent sees it: output up to a cap, an end that is reported, and pipes that are closed."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Sequence

import psutil
import pytest

from grader.run.child import OUTPUT_CAP, Child, Killed, Launcher, LaunchError, started
from grader.run.forking import Forking
from grader.run.spawning import Spawning


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def child_of_nobody(kills: list[str]) -> Child:
    """A child without a process: killing it only sets its end."""
    _, request = os.pipe()
    result, _ = os.pipe()

    def kill() -> None:
        kills.append("killed")
        child.ended.set()

    child = Child(-1, request, kill, result)
    return child


def test_output_is_kept_up_to_the_cap_and_the_rest_is_counted() -> None:
    child = child_of_nobody([])
    read, write = os.pipe()
    child.read_output(read)
    text = b"x" * OUTPUT_CAP + b"y" * 1000
    with os.fdopen(write, "wb") as pipe:
        pipe.write(text)  # more than a pipe holds, so the child's reader must read it
    child.close()
    assert bytes(child.output) == text[:OUTPUT_CAP]
    assert child.dropped == 1000


def test_closing_a_child_that_runs_kills_it_and_closes_its_pipes() -> None:
    kills: list[str] = []
    child = child_of_nobody(kills)
    pipes = (child.request, child.result)
    assert not child.wait(0)
    child.close()
    assert kills == ["killed"]
    assert child.wait(0)
    assert not any(is_open(pipe) for pipe in pipes)


def test_closing_a_child_that_has_ended_kills_nobody_and_may_be_repeated() -> None:
    kills: list[str] = []
    child = child_of_nobody(kills)
    child.ended.set()
    child.close()
    again = os.open(os.devnull, os.O_RDONLY)  # the number of a pipe that was closed may belong to another file now
    child.close()
    assert kills == []
    assert is_open(again)
    os.close(again)


def test_a_pipe_that_a_thread_still_reads_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread would read another file that gets the same number."""
    monkeypatch.setattr("grader.run.child.SECONDS_FOR_A_QUICK_STEP", 0.05)
    child = child_of_nobody([])
    let_go = threading.Event()
    child.start_thread(let_go.wait)
    child.close()
    assert all(is_open(pipe) for pipe in (child.request, child.result))
    let_go.set()
    child.close()
    assert (child.request, child.result) == (-1, -1)


@pytest.fixture(params=[Forking, Spawning])
def launcher(request: pytest.FixtureRequest) -> Generator[Launcher]:
    made: Launcher = request.param()
    yield made
    made.close()


def test_a_child_that_is_killed_has_ended(launcher: Launcher) -> None:
    child = launcher.start("oracle")
    assert psutil.pid_exists(child.pid)
    child.kill()
    assert child.wait(10)
    assert child.status != 0
    child.close()


@pytest.mark.few(1)
def test_a_child_whose_request_ends_ends_too(launcher: Launcher) -> None:
    child = launcher.start("oracle")
    os.close(child.request)
    child.request = -1
    assert child.wait(10)
    assert child.status == 0
    child.close()


def test_closing_the_launcher_ends_its_children(launcher: Launcher) -> None:
    child = launcher.start("oracle")
    process = psutil.Process(child.pid)
    launcher.close()
    psutil.wait_procs([process], timeout=5)
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


class Ended(Launcher):
    """A launcher that starts nothing: it has ended, unless it is alive and fails for another reason."""

    def __init__(self, *, alive: bool = False) -> None:
        self._alive = alive

    @property
    def alive(self) -> bool:
        return self._alive

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        raise LaunchError("it started nothing")

    def uncounted(self) -> str:
        return ""

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("alive", "raised"), [(True, LaunchError), (False, Killed)])
def test_a_child_that_is_not_started_was_killed_if_its_launcher_has_ended(
    alive: bool, raised: type[LaunchError]
) -> None:
    used: list[Launcher] = []

    def launcher() -> Launcher:
        used.append(Ended(alive=alive))
        return used[-1]

    with pytest.raises(LaunchError) as failed:
        started(launcher, "evaluator")
    assert (failed.type, len(used)) == (raised, 1)
