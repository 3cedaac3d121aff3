"""System calls that Python does not offer, by number or through the C library (Linux)."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = (
    0x00020000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18

_PIDFD_SEND_SIGNAL, _PIDFD_OPEN = 424, 434
"""By number, because some builds of Python leave them out."""


def machine() -> str:
    """The architecture, by the kernel's name for it: "x86_64", "aarch64"."""
    return {"arm64": "aarch64", "amd64": "x86_64"}.get(platform.machine().lower(), platform.machine())


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def syscall(number: int, *arguments: object) -> int:
    """A system call by its number. Raises OSError where it fails."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments))


def prctl(option: int, value: int) -> int:
    """`prctl(2)` with one value. Raises OSError where it fails."""
    return _checked(_libc().prctl(option, *(ctypes.c_ulong(one) for one in (value, 0, 0, 0))))


def prctl_with(option: int, value: int, pointer: object) -> int:
    """`prctl(2)` whose second value is a pointer. Raises OSError where it fails."""
    return _checked(_libc().prctl(option, ctypes.c_ulong(value), pointer, 0, 0))


def unshare(flags: int) -> None:
    """`unshare(2)`. Raises OSError where it fails."""
    _checked(_libc().unshare(flags))


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """`mount(2)`. Raises OSError where it fails."""
    texts: Sequence[bytes] = [text.encode() for text in (source, target, kind, data)]
    _checked(_libc().mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]))


def drop_capabilities() -> None:
    """Give up every capability, root's too. Raises OSError where the kernel refuses."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3 of the interface, this process
    _checked(_libc().capset(header, (ctypes.c_uint32 * 6)()))


def pidfd_open(pid: int) -> int:
    """A descriptor of a process. It never means another one, as its number may. Raises OSError before Linux 5.3."""
    return syscall(_PIDFD_OPEN, pid, 0)


def pidfd_kill(descriptor: int) -> None:
    """Kill the process of a descriptor. Raises OSError where it has ended."""
    syscall(_PIDFD_SEND_SIGNAL, descriptor, signal.SIGKILL, None, 0)
