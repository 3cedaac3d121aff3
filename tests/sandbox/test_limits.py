"""Limits: what an answer may map, whose memory nobody reads, which processes and how much memory are counted."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from grader.run import attempt
from grader.sandbox import limits

GIB = 1 << 30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these limits are Linux's")


def python(script: str, *arguments: str) -> str:
    """The output of a script in its own process."""
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


def test_without_a_limit_of_memory_the_addresses_are_not_bounded() -> None:
    """The driver of a GPU maps more than the machine has."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    assert python(MAPS, "0") == f"{before[0]} {before[1]}\nmapped"


def test_a_limit_is_never_raised() -> None:
    script = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({4 * GIB}, {4 * GIB}))\n{MAPS}"
    assert python(script, str(GIB)).splitlines()[0] == f"{4 * GIB} {4 * GIB}"


def test_the_children_of_a_process_are_all_found_zombies_and_strange_names_too(tmp_path: Path) -> None:
    program = tmp_path / "a) S 1 b"  # /proc shows a name as it is, between brackets
    program.symlink_to("/bin/sleep")
    ended = subprocess.Popen(["/bin/true"])
    runs = subprocess.Popen([program, "60"])
    try:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is not reaped
        assert {ended.pid, runs.pid} <= set(limits.children_of_this_process())
    finally:
        runs.kill()
        for one in (ended, runs):
            one.wait()
    assert not {ended.pid, runs.pid} & set(limits.children_of_this_process())


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


def test_a_child_inherits_the_guard_and_can_drop_it_for_itself() -> None:
    assert python(GUARDS) == "1 0 1 0"


def process(full: Callable[[], Any], resident: int = 7) -> Any:
    return SimpleNamespace(memory_full_info=full, memory_info=lambda: SimpleNamespace(rss=resident))


def refuse() -> Any:
    raise psutil.AccessDenied(1)


def test_of_pages_that_processes_share_each_counts_its_part() -> None:
    assert attempt._share(process(lambda: SimpleNamespace(pss=3, uss=2))) == 3  # pyright: ignore[reportPrivateUsage]
    assert attempt._share(process(lambda: SimpleNamespace(uss=2))) == 2  # pyright: ignore[reportPrivateUsage]


def test_of_a_process_that_hides_its_pages_all_are_counted() -> None:
    assert attempt._share(process(refuse)) == 7  # pyright: ignore[reportPrivateUsage]


def test_a_descendant_that_hides_or_has_ended_does_not_reduce_the_sum() -> None:
    def gone() -> Any:
        raise psutil.NoSuchProcess(1)

    below = [process(refuse, 100), process(gone), process(lambda: SimpleNamespace(pss=20, uss=2))]
    answer = process(lambda: SimpleNamespace(pss=3, uss=2))
    answer.children = lambda recursive: below
    assert attempt._memory(answer, alone=False) == 123  # pyright: ignore[reportPrivateUsage]
    assert attempt._memory(answer, alone=True) == 7  # pyright: ignore[reportPrivateUsage]


HOGS = """
import ctypes, os, sys, time

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
