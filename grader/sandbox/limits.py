"""Limits of processes that the operating system keeps, and settings so that no process outlives its parent."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys

from grader.sandbox.seccomp import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, PR_SET_PDEATHSIG, prctl

LINUX = sys.platform == "linux"

MOST_THREADS = 256 + 8 * (os.cpu_count() or 1)
"""The most threads that an answer may have. JAX starts some for each core; no answer needs hundreds of its own."""


def become_subreaper() -> None:
    """Make orphaned descendants children of this process (Linux), so that it can end them."""
    if LINUX:
        prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends (Linux)."""
    if LINUX:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def guard_memory(*, guarded: bool = True) -> None:
    """Stop other processes of this user from reading and writing the memory of this process, by ptrace or /proc (Linux).

    A forked child inherits this setting. It does not stop root, and a guarded process cannot map users of a namespace.
    """
    if LINUX:
        prctl(PR_SET_DUMPABLE, 0 if guarded else 1)


def address_space(memory: int) -> int:
    """The bytes of address space of an answer that may use `memory` bytes.

    It is much more than the memory, because the threads that JAX starts for each core map stacks and heaps.
    """
    return min(4 * memory + (8 << 30) + (os.cpu_count() or 1) * (256 << 20), sys.maxsize)


def limit_answer(memory: int = 0) -> None:
    """Limit this process: no core files, 256 open files, files of at most 64 MB, and a bounded address space.

    Memory itself is limited from outside this process.

    Args:
        memory: bytes that an answer may use; the kernel bounds the address space by it (Linux), and so bounds the page
            tables too, which no measure of resident memory counts. 0 sets no bound.
    """
    limits = {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": 256, "RLIMIT_FSIZE": 64 << 20}
    if memory and LINUX:
        limits["RLIMIT_AS"] = address_space(memory)
    for name, limit in limits.items():
        _, hard = resource.getrlimit(getattr(resource, name))
        ceiling = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError):
            resource.setrlimit(getattr(resource, name), (ceiling, ceiling))


def thread_count() -> int:
    """The number of threads of this process, those of C libraries included (Linux)."""
    return len(os.listdir("/proc/self/task"))


def children_of_this_process() -> list[int]:
    """The ids of all direct children, zombies too (Linux)."""
    # Not `psutil.Process().children()`, for two reasons. It leaves out a child that seems to be older than its parent, which
    # happens when the system's clock is set back: but no orphan of an answer may be left out. And the template, which calls
    # this, imports no more than its forks need: oracles record every imported distribution as one that they depend on.
    me = os.getpid()
    found: list[int] = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", "rb") as file:
            # The name in the second field may hold anything, so fields count from its closing bracket.
            fields = file.read().rpartition(b")")[2].split()
            if int(fields[1]) == me:
                found.append(int(entry))
    return found
