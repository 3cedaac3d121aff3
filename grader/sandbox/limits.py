"""What the operating system is asked for: limits of an answer's process, and that nothing outlives its parent."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

from grader.sandbox.system_calls import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, PR_SET_PDEATHSIG, prctl

LINUX = sys.platform == "linux"

THREADS = 256 + 8 * (os.cpu_count() or 1)
"""JAX starts some for each core; no answer needs hundreds."""


def become_subreaper() -> None:
    """Let orphaned descendants come to this process (Linux), so that it can end them."""
    if LINUX:
        prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Be killed when the parent ends (Linux)."""
    if LINUX:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def guard_memory(*, guarded: bool = True) -> None:
    """Keep other processes of this user from reading and writing this one's memory, by ptrace or /proc (Linux).

    A child that is forked inherits it. It keeps nobody out who is root, and a guarded process cannot map users.
    """
    if LINUX:
        prctl(PR_SET_DUMPABLE, 0 if guarded else 1)


def address_space(memory: int) -> int:
    """Bytes of addresses for an answer that may use so much memory; the threads of each core map stacks and heaps."""
    return min(4 * memory + (8 << 30) + (os.cpu_count() or 1) * (256 << 20), sys.maxsize)


def limit_answer(memory: int = 0) -> None:
    """No core files; as many descriptors as JAX needs and no more; files of 64 MB. Memory is watched from outside.

    Args:
        memory: bytes that an answer may use. Behind the watch, the kernel bounds what can be mapped (Linux), and with it
            the tables of pages, which are in nobody's resident set. None where nothing is given.
    """
    if sys.platform == "win32":
        return
    import resource

    limits = {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": 256, "RLIMIT_FSIZE": 64 << 20}
    if memory and LINUX:
        limits["RLIMIT_AS"] = address_space(memory)
    for name, limit in limits.items():
        _, hard = resource.getrlimit(getattr(resource, name))
        ceiling = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError):
            resource.setrlimit(getattr(resource, name), (ceiling, ceiling))


def thread_count() -> int | None:
    """Threads of this process, or None where the system does not tell."""
    return len(os.listdir("/proc/self/task")) if LINUX else None


def children_of_this_process() -> list[int]:
    """The direct children, zombies too (Linux); the answer's process group is all that is known elsewhere."""
    if not LINUX:
        return []
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
