"""What the operating system is asked for: limits of an answer's process, and that nothing outlives its parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys

LINUX = sys.platform == "linux"

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> None:
    """Let orphaned descendants come to this process (Linux), so that it can end them."""
    if LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Be killed when the parent ends (Linux)."""
    if LINUX:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def limit_answer(memory: int = 0) -> None:
    """No core files; as many descriptors as JAX needs and no more; files of 64 MB. Memory is watched from outside.

    Args:
        memory: bytes that an answer may use. Behind the watch, the kernel refuses data beyond four times as much.
    """
    if sys.platform == "win32":
        return
    import resource

    limits = {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": 256, "RLIMIT_FSIZE": 64 << 20}
    if memory and LINUX:  # elsewhere data is not counted as a whole
        limits["RLIMIT_DATA"] = 4 * memory + (8 << 30)
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
