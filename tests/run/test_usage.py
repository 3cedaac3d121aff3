"""What the processes of an answer use: of memory and processor time, all of them together, and nothing twice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from grader.run.child import Child
from grader.run.judge import attempt as module
from grader.run.judge.attempt import Usage, process_of, usage


def process(full: Callable[[], Any], resident: int = 7) -> Any:
    return SimpleNamespace(
        memory_full_info=full,
        memory_info=lambda: SimpleNamespace(rss=resident),
        cpu_times=lambda: SimpleNamespace(user=1.0, system=0.5, children_user=0.25, children_system=0.125),
        num_threads=lambda: 3,
    )


def refuse() -> Any:
    raise psutil.AccessDenied(1)


def test_of_pages_that_processes_share_each_counts_its_part() -> None:
    assert module._share(process(lambda: SimpleNamespace(pss=3, uss=2))) == 3  # pyright: ignore[reportPrivateUsage]
    assert module._share(process(lambda: SimpleNamespace(uss=2))) == 2  # pyright: ignore[reportPrivateUsage]


def test_of_a_process_that_hides_its_pages_all_are_counted() -> None:
    assert module._share(process(refuse)) == 7  # pyright: ignore[reportPrivateUsage]


def test_a_descendant_that_hides_or_has_ended_does_not_reduce_the_sum() -> None:
    def ended() -> Any:
        raise psutil.NoSuchProcess(1)

    below = [process(refuse, 100), process(ended), process(lambda: SimpleNamespace(pss=20, uss=2))]
    answer = process(lambda: SimpleNamespace(pss=3, uss=2))
    answer.children = lambda recursive: below
    assert usage(answer, alone=False).memory == 123
    assert usage(answer, alone=True) == Usage(7, 1.875, 3)


def test_memory_that_the_kernel_counts_is_not_measured() -> None:
    assert usage(process(refuse), alone=True, counted=True) == Usage(0, 1.875, 3)


def test_of_no_process_nothing_is_measured() -> None:
    child = Child(-1, -1, lambda: None)
    assert process_of(child) is None
    assert usage(None, alone=True) == Usage()


BUSY = r"""
import subprocess, sys, time
WORK = "import time\nwhile time.process_time() < 0.3: pass"
subprocess.run([sys.executable, "-c", WORK])  # waited for
subprocess.Popen([sys.executable, "-c", WORK + "\nprint('done', flush=True)\ntime.sleep(60)"])
time.sleep(60)
"""


def test_processor_time_of_descendants_counts_while_they_run_and_after_their_end() -> None:
    answer = subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True)
    try:
        assert answer.stdout is not None
        assert answer.stdout.readline() == "done\n"
        assert usage(psutil.Process(answer.pid), alone=False).seconds > 0.55
    finally:
        for one in (*psutil.Process(answer.pid).children(recursive=True), answer):
            one.kill()
        answer.wait()
        answer.stdout.close()


HOGS = """
import ctypes, os, sys, time
from grader.sandbox.limits import become_subreaper

become_subreaper()
if os.fork() == 0:  # ends at once, so that its child is an orphan
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # now no other process of this user may look at its pages
        kept = b"x" * (300 << 20)
        print("ready", flush=True)
        time.sleep(60)
    os._exit(0)
os.wait()
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are found on Linux alone")
def test_an_orphan_that_hides_is_measured_with_the_answer_that_left_it() -> None:
    answer = subprocess.Popen([sys.executable, "-c", HOGS], stdout=subprocess.PIPE, text=True)
    try:
        assert answer.stdout is not None
        assert answer.stdout.readline() == "ready\n"
        measured = usage(psutil.Process(answer.pid), alone=False).memory
        assert measured > 300 << 20
    finally:
        for one in (*psutil.Process(answer.pid).children(recursive=True), answer):
            one.kill()
        answer.wait()
        answer.stdout.close()
