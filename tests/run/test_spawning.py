"""Spawning: each child is a new process with three pipes, and it leaves no process behind.

The children here are a few lines of Python in place of `start.py`, and import nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator

import psutil
import pytest

from grader.run import spawning
from grader.run.spawning import Spawning
from tests.conftest import first_plain

Start = Callable[[str], Spawning]

FORKS = """
import os, time
pid = os.fork()
if pid == 0:
    time.sleep(1000)
os.write(1, str(pid).encode())
os.read(0, 1)
"""


@pytest.fixture
def spawning_of(monkeypatch: pytest.MonkeyPatch) -> Generator[Start]:
    """Spawning whose children run the given lines."""
    made = Spawning()

    def lines(text: str) -> Spawning:
        monkeypatch.setattr(spawning, "START", (sys.executable, "-I", "-S", "-c", text))
        return made

    yield lines
    made.close()


def test_a_child_gets_its_kind_and_three_pipes_and_its_status_is_known(spawning_of: Start) -> None:
    text = "import os, sys; os.write(1, sys.argv[2].encode() + os.read(0, 9)); os.write(2, b'printed'); sys.exit(3)"
    child = spawning_of(text).start("answer")
    os.write(child.request, b" hello")
    assert child.wait(10)
    assert os.read(child.result, 100) == b"answer hello"
    child.close()
    assert (child.status, bytes(child.output)) == (3, b"printed")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.parametrize("how", first_plain(["end of the child", "kill", "close the launcher"]))
def test_a_process_that_a_child_left_behind_ends_too(how: str, spawning_of: Start) -> None:
    launcher = spawning_of(FORKS)
    child = launcher.start("answer")
    left = psutil.Process(int(os.read(child.result, 100)))
    match how:
        case "kill":
            child.kill()
        case "close the launcher":
            launcher.close()
        case _:
            os.write(child.request, b"x")
    assert child.wait(10)
    psutil.wait_procs([left], timeout=5)
    assert not left.is_running() or left.status() == psutil.STATUS_ZOMBIE
    child.close()


def test_its_memory_is_not_counted_by_the_kernel() -> None:
    assert Spawning(clean=True).uncounted() == "each answer is started in a fresh interpreter"
