"""Limits: what an answer may map, whose memory nobody reads, and which processes are children of this one."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

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
