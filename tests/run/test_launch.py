"""Processes: one thread before a fork, children that end when told, nothing that outlives its launcher."""

from __future__ import annotations

import psutil
import pytest

from grader.run.child import Launcher
from grader.run.forking import Forking
from grader.run.spawning import Spawning


@pytest.fixture(params=[Forking, Spawning])
def launcher(request: pytest.FixtureRequest):
    made: Launcher = request.param()
    yield made
    made.close()


def test_the_template_has_one_thread_and_no_backend() -> None:
    made = Forking()
    try:
        made.ready()
        assert made._ready == {"ready": True, "threads": 1, "uncounted": "not asked for"}  # pyright: ignore[reportPrivateUsage]
    finally:
        made.close()


def test_a_child_that_is_killed_has_ended(launcher: Launcher) -> None:
    child = launcher.start("oracle")
    assert psutil.pid_exists(child.pid)
    child.kill()
    assert child.wait(10)
    assert child.status != 0
    child.close()


def test_a_child_whose_request_ends_ends_too(launcher: Launcher) -> None:
    child = launcher.start("oracle")
    import os

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
