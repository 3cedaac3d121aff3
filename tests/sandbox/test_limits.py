"""Limits: what an answer may map, whose memory nobody reads, and what is counted of several processes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from grader.run import attempt
from grader.sandbox import limits

GIB = 1 << 30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits that are asked for here are Linux's")


def python(script: str, *arguments: str) -> str:
    """What a script prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_answer_may_map_some_times_its_memory_and_the_stacks_of_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert limits.address_space(GIB) == 13 * GIB
    assert limits.address_space(4 * GIB) == 25 * GIB
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert limits.address_space(GIB) == 12 * GIB + GIB // 4


def test_a_limit_that_no_machine_has_is_the_largest_number_there_is() -> None:
    assert limits.address_space(sys.maxsize) == sys.maxsize


MAPS = """
import mmap, resource, sys
from grader.sandbox.limits import limit_answer

limit_answer(int(sys.argv[1]))
print(*resource.getrlimit(resource.RLIMIT_AS))
try:
    mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
except OSError as error:
    print(error.strerror)
else:
    print("mapped")
"""


def test_a_terabyte_cannot_be_mapped() -> None:
    due = limits.address_space(GIB)
    assert python(MAPS, str(GIB)) == f"{due} {due}\nCannot allocate memory"


def test_nothing_bounds_what_is_mapped_where_no_memory_is_given() -> None:
    """The driver of a GPU maps more than there is."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    assert python(MAPS, "0") == f"{before[0]} {before[1]}\nmapped"


def test_a_limit_is_never_raised() -> None:
    script = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({4 * GIB}, {4 * GIB}))\n{MAPS}"
    assert python(script, str(GIB)).splitlines()[0] == f"{4 * GIB} {4 * GIB}"


GUARDS = """
import ctypes, os, sys
from grader.sandbox.limits import guard_memory

dumpable = lambda: ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
said = [dumpable()]
guard_memory()
said.append(dumpable())
child = os.fork()
if child == 0:
    inherited = dumpable()
    guard_memory(guarded=False)
    os._exit(10 * inherited + dumpable())
said.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(*said, dumpable())
"""


def test_a_guarded_process_hands_it_on_and_a_child_can_take_it_back_for_itself() -> None:
    assert python(GUARDS) == "1 0 1 0"


def process(full: Callable[[], Any], resident: int = 7) -> Any:
    return SimpleNamespace(memory_full_info=full, memory_info=lambda: SimpleNamespace(rss=resident))


def refuse() -> Any:
    raise psutil.AccessDenied(1)


def test_pages_that_processes_share_are_shared_out() -> None:
    assert attempt._share(process(lambda: SimpleNamespace(pss=3, uss=2))) == 3  # pyright: ignore[reportPrivateUsage]
    assert attempt._share(process(lambda: SimpleNamespace(uss=2))) == 2  # pyright: ignore[reportPrivateUsage]


def test_a_process_that_hides_its_pages_pays_for_all_of_them() -> None:
    assert attempt._share(process(refuse)) == 7  # pyright: ignore[reportPrivateUsage]


def test_what_hides_or_ends_below_an_answer_takes_nothing_off_the_rest() -> None:
    def gone() -> Any:
        raise psutil.NoSuchProcess(1)

    below = [process(refuse, 100), process(gone), process(lambda: SimpleNamespace(pss=20, uss=2))]
    answer = process(lambda: SimpleNamespace(pss=3, uss=2))
    answer.children = lambda recursive: below
    assert attempt._memory(answer, alone=False) == 123  # pyright: ignore[reportPrivateUsage]
    assert attempt._memory(answer, alone=True) == 7  # pyright: ignore[reportPrivateUsage]


HOGS = """
import ctypes, os, sys, time

if os.fork() == 0:  # goes at once, so that its own child is an orphan
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # and nobody of this user looks at its pages
        kept = b"x" * (300 << 20)
        print("ready", flush=True)
        time.sleep(60)
    os._exit(0)
os.wait()
time.sleep(60)
"""


def test_an_orphan_that_hides_is_measured_with_the_answer_that_left_it() -> None:
    script = f"from grader.sandbox.limits import become_subreaper; become_subreaper()\n{HOGS}"
    answer = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert answer.stdout is not None
        assert answer.stdout.readline() == "ready\n"
        measured = attempt._memory(psutil.Process(answer.pid), alone=False)  # pyright: ignore[reportPrivateUsage]
        assert measured > 300 << 20
    finally:
        for one in (*psutil.Process(answer.pid).children(recursive=True), answer):
            one.kill()
        answer.wait()
        answer.stdout.close()
