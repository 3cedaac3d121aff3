"""The process that judges: there when it is asked, started again when it is lost, and gone with its interpreter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from grader.kit.kit import KitError
from grader.kit.notebook_verdict import CellOrigin
from grader.notebooks import judge_client
from grader.notebooks.messages import JudgeRequest
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, ROOT, clean_environment


def asked(kit: Path, text: str = RIGHT) -> JudgeRequest:
    places = tuple((1, number) for number in range(1, len(text.splitlines()) + 1))
    return JudgeRequest(
        str(kit), FLAGSHIP, text, CellOrigin(places, {}, {}).as_text(), "notebook", "", None, 60.0, "full"
    )


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    judge_client.end()


def status(kit: Path, text: str = RIGHT) -> str:
    verdict = judge_client.ask(asked(kit, text)).verdict
    assert verdict is not None
    return verdict.status.value


def process() -> psutil.Process:
    assert judge_client._judge is not None
    return psutil.Process(judge_client._judge._process.pid)


@pytest.mark.slow
def test_one_process_judges_one_answer_after_the_other_and_never_imports_jax(shared_kit: Path) -> None:
    assert status(shared_kit) == "correct"
    first = process()
    assert status(shared_kit, HALF) == "wrong"
    assert process().pid == first.pid
    if sys.platform == "linux" and os.geteuid() == 0:  # its memory is guarded from others
        assert not any("jaxlib" in one.path for one in first.memory_maps())


@pytest.mark.nightly
@pytest.mark.slow
def test_if_it_ends_one_line_says_so_and_the_next_call_starts_another(shared_kit: Path) -> None:
    assert status(shared_kit) == "correct"
    first = process()
    below = first.children(recursive=True)
    first.kill()
    judge = judge_client._judge
    assert judge is not None
    with pytest.raises(KitError, match=r"^The process that judges has ended \(status -9\)"):
        judge.ask(asked(shared_kit))
    assert status(shared_kit) == "correct"
    _, left = psutil.wait_procs(below, timeout=5)
    assert left == []


@pytest.mark.nightly
@pytest.mark.slow
def test_a_fork_leaves_the_process_of_its_parent_alone(shared_kit: Path) -> None:
    assert status(shared_kit) == "correct"
    first = process()
    child = os.fork()
    if child == 0:
        ended = judge_client._judge is None
        judge_client.end()
        os._exit(0 if ended else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert status(shared_kit, HALF) == "wrong"
    assert process().pid == first.pid


SCRIPT = """
import sys, threading, time, os, signal
import grader
{text}
report = grader.check("sinusoidal_pos", kit={kit!r})
print(report.status, report.where, report.verdict.file, "jax" in sys.modules, flush=True)
from grader.notebooks import judge_client
print(judge_client._judge._process.pid, flush=True)
{then}
"""


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("then", ["os.kill(os.getpid(), signal.SIGKILL)", ""])
def test_it_ends_with_its_interpreter(then: str, shared_kit: Path, tmp_path: Path) -> None:
    script = tmp_path / "work.py"
    script.write_text(SCRIPT.format(text=HALF, kit=str(shared_kit), then=then))
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={**clean_environment(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    said, pid = done.stdout.splitlines()
    assert said.startswith("wrong (PlaceDisplay(cell="), done.stderr
    assert str(script) in said
    deadline = time.monotonic() + 10
    while psutil.pid_exists(int(pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not psutil.pid_exists(int(pid))


@pytest.mark.slow
def test_an_interrupt_ends_the_grading_and_the_next_one_is_right(shared_kit: Path) -> None:
    endless = f"{HALF.split('def ')[0]}def {FLAGSHIP}(seed, T, d_model):\n    for _ in iter(int, 1):\n        pass\n"
    assert status(shared_kit) == "correct"

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with pytest.raises(KeyboardInterrupt):
            judge_client.ask(asked(shared_kit, endless))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert judge_client._judge is None
    assert status(shared_kit, HALF) == "wrong"
