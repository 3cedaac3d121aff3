"""Spawning: each child is a new process with three pipes, and it leaves no process behind.

The children here are a few lines of Python in place of `start.py`, and import nothing.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator

import psutil
import pytest

from grader.run import spawning
from grader.run.child import LaunchError
from grader.run.spawning import Spawning
from tests.conftest import ROOT, clean_environment

Start = Callable[[str], Spawning]

LIVES = f"""
import os, sys
sys.path[:0] = {[str(ROOT), *sys.path]!r}
from grader.run.spawning import end_with
end_with(int(sys.argv[3]))
"""
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
        monkeypatch.setattr(spawning, "module", lambda *words: ("-I", "-S", "-c", text, *words))
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


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("how", ["end of the child", "kill", "close the launcher"])
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
    assert gone(left)
    child.close()


def gone(process: psutil.Process) -> bool:
    """Whether it has ended, or ends soon."""
    psutil.wait_procs([process], timeout=5)
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


GRADES = """
import os, sys
from grader.run import spawning

spawning.module = lambda *words: [*sys.argv[1:], *words]
child = spawning.Spawning().start("answer")
print(int(os.read(child.result, 100)), flush=True)
sys.stdin.read()
"""
KEEPS_THE_LOCK = "os.write(1, str(os.getpid()).encode()); max(iter(int, 1))"
"""No other thread of Python runs any more, so none could end this process."""


@pytest.mark.slow
def test_a_child_ends_with_the_process_that_started_it_however_that_ends() -> None:
    start = ["-c", LIVES + KEEPS_THE_LOCK]
    grades = subprocess.Popen(
        [sys.executable, "-c", GRADES, *start],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=clean_environment(),
        cwd=ROOT,
    )
    assert grades.stdout is not None
    child = psutil.Process(int(grades.stdout.readline()))
    assert child.is_running()
    grades.kill()
    grades.wait()
    assert gone(child)


def test_nothing_is_left_of_a_child_that_has_ended(spawning_of: Start) -> None:
    child = spawning_of(LIVES + "os.write(1, str(os.getpid()).encode())").start("answer")
    session = int(os.read(child.result, 100))
    assert child.wait(10)
    assert child.status == 0
    child.close()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and of_session(session):
        time.sleep(0.02)
    assert of_session(session) == []


def of_session(session: int) -> list[int]:
    found: list[int] = []
    for pid in psutil.pids():
        with contextlib.suppress(OSError, psutil.Error):
            if os.getsid(pid) == session and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.append(pid)
    return found


def test_once_a_child_has_ended_its_number_is_that_of_others(
    spawning_of: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher = spawning_of("")
    child = launcher.start("answer")
    assert child.wait(10)
    killed: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda number, _: killed.append(number))
    child.kill()
    launcher.close()
    child.close()
    assert killed == []


def test_a_launcher_that_was_closed_starts_nothing(spawning_of: Start) -> None:
    launcher = spawning_of("")
    launcher.close()
    assert not launcher.alive
    with pytest.raises(LaunchError):
        launcher.start("answer")


def test_its_memory_is_not_counted_by_the_kernel() -> None:
    assert Spawning(clean=True).uncounted() == "each answer is started in a fresh interpreter"
