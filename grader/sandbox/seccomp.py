"""The filter of system calls of a confined answer, and their numbers."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import signal
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

NEW_NAMESPACES = 0x00020000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
"""Of mounts, IPC, users, processes and the network."""

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


def prctl(option: int, value: int, pointer: object = None) -> int:
    """`prctl(2)` with a value, and a pointer where the option takes one. Raises OSError where it fails."""
    return _checked(_libc().prctl(option, ctypes.c_ulong(value), pointer, *(ctypes.c_ulong(0),) * 2))


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


_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_CLONE_THREAD = 0x00010000

# Allowed with any arguments. The kernel keeps these calls in a bitmap and skips the filter for them (Linux 5.11 and later).
# name: (x86_64, aarch64); None where an architecture has no such call.
ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "futex": (202, 98), "read": (0, 63), "write": (1, 64), "munmap": (11, 215),
    "mprotect": (10, 226), "madvise": (28, 233), "brk": (12, 214), "mremap": (25, 216), "clock_gettime": (228, 113),
    "sched_yield": (24, 124), "close": (3, 57), "fstat": (5, 80), "newfstatat": (262, 79),
    "lseek": (8, 62), "getdents64": (217, 61), "stat": (4, None), "lstat": (6, None),
    "ppoll": (271, 73), "poll": (7, None), "select": (23, None), "pselect6": (270, 72), "readv": (19, 65),
    "writev": (20, 66), "pread64": (17, 67), "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70),
    "preadv2": (327, 286), "pwritev2": (328, 287), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "readlink": (89, None),
    "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "creat": (85, None),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34),
    "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35), "link": (86, None), "linkat": (265, 37),
    "symlink": (88, None), "symlinkat": (266, 36), "ftruncate": (77, 46), "fallocate": (285, 47), "fsync": (74, 82),
    "fdatasync": (75, 83), "fadvise64": (221, 223), "msync": (26, 227), "mincore": (27, 232),
    "copy_file_range": (326, 285), "sendfile": (40, 71), "splice": (275, 76), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59), "close_range": (436, 436),
    "eventfd2": (290, 19), "epoll_create1": (291, 20), "epoll_create": (213, None), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441), "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136), "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137),
    "sigaltstack": (131, 132), "pause": (34, None), "alarm": (37, None), "getitimer": (36, 102),
    "setitimer": (38, 103), "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "restart_syscall": (219, 128),
    "clock_getres": (229, 114), "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getpgrp": (111, None), "getpgid": (121, 155),
    "getsid": (124, 156), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150), "uname": (63, 160), "umask": (95, 166),
    "sysinfo": (99, 179), "getrusage": (98, 165), "getrlimit": (97, 163), "getcpu": (309, 168),
    "getrandom": (318, 278), "getpriority": (140, 141), "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "set_robust_list": (273, 99),
    "set_tid_address": (218, 96), "rseq": (334, 293), "membarrier": (324, 283),
    "arch_prctl": (158, None), "wait4": (61, 260), "waitid": (247, 95), "futex_waitv": (449, 449), "mseal": (462, 462),
    "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip

# Allowed with some arguments only.
_MMAP = (9, 222)
_MAP_TYPE, _MAP_SHARED, _MAP_PRIVATE, _MAP_ANONYMOUS = 0xF, 1, 2, 0x20

_MAPPED = (_MAP_PRIVATE | _MAP_ANONYMOUS, _MAP_PRIVATE, _MAP_SHARED)
"""mmap: private memory, private files, shared files. Not shared memory without a file: it stays in use when no process maps
it, so no measure of resident pages counts it. Files may be shared, because np.memmap does so to read: Landlock allows no
writing of files whose pages would be new memory."""

_OPENS = {"openat": ((257, 56), 2), "open": ((2, None), 1)}
_O_ACCMODE, _O_TRUNC = 0o3, 0o1000

_TRUNCATES_UNWRITTEN = (_O_TRUNC | os.O_RDONLY, _O_TRUNC | _O_ACCMODE)
"""open: the flags that truncate a file without opening it for writing. Landlock before version 3 checks the right to write
only where a file is opened for writing."""

_CLONE, _CLONE3 = (56, 220), (435, 435)
_KILLS = {"kill": (62, 129), "tgkill": (234, 131)}
_PRCTL, _PRLIMIT, _IOCTL, _FCNTL = (157, 167), (302, 261), (16, 29), (72, 25)

_NAMES = (15, 16, 0x53564D41, 3)
"""prctl: set and get the name of a thread, name a mapping, and ask whether the process is dumpable."""

_QUERIES = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""ioctl: is it a terminal, its size, bytes to read, blocking or not, close on exec or not."""

_COMMANDS = (*range(5), 1030, 1032)
"""fcntl: copies of a descriptor, its flags, the size of a pipe. Not the process that is signalled when there is something to
read, and no locks, because other readers of the file would wait for them."""


class _Filter(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("filter", ctypes.POINTER(_Filter))]


Instruction = tuple[int, int, int, int]


def restrict_system_calls() -> None:
    """Let this thread, and the threads that it starts, make only the allowed calls; others fail. This cannot be undone.

    A refused call fails with EPERM, and clone3 with ENOSYS. A call of another architecture kills the process.

    Raises:
        OSError: where the kernel refuses, or the architecture is not known.
    """
    if machine() not in _AUDIT:
        raise OSError(errno.ENOSYS, f"no list of system calls for {machine()}")
    rows = program(machine(), os.getpid())
    filters = (_Filter * len(rows))(*(_Filter(*row) for row in rows))
    prctl(PR_SET_SECCOMP, 2, ctypes.byref(_Program(len(rows), filters)))


def program(architecture: str, pid: int) -> list[Instruction]:
    """The instructions of the filter (classic BPF).

    Args:
        architecture: "x86_64" or "aarch64".
        pid: the only process that calls which act on a process may name.
    """
    column = list(_AUDIT).index(architecture)
    rows: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _AUDIT[architecture]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if architecture == "x86_64":
        rows += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    # These calls are frequent and never in the kernel's bitmap, so they stand first.
    rows += _where(_MMAP[column], 3, [(_EQUAL, 0, 1, kind) for kind in _MAPPED], mask=_MAP_TYPE | _MAP_ANONYMOUS)
    for numbers, argument in _OPENS.values():
        if (number := numbers[column]) is not None:
            rows += _opens(number, argument)
    for numbers in ALLOWED.values():
        if (number := numbers[column]) is not None:
            rows += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    rows += _where(_CLONE[column], 0, [(_ANY_BIT, 0, 1, _CLONE_THREAD)])
    for numbers in _KILLS.values():
        rows += _where(numbers[column], 0, [(_EQUAL, 0, 1, pid)])
    rows += _where(_PRCTL[column], 0, [(_EQUAL, 0, 1, name) for name in _NAMES])
    rows += _where(_IOCTL[column], 1, [(_EQUAL, 0, 1, query) for query in _QUERIES])
    rows += _where(_FCNTL[column], 1, [(_EQUAL, 0, 1, command) for command in _COMMANDS])
    rows += _reads_limits(_PRLIMIT[column])
    # A filter cannot see the flags of clone3, which are in memory. With ENOSYS the C library uses clone instead.
    rows += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    return [*rows, (_RETURN, 0, 0, _REFUSE | errno.EPERM)]


def _argument(index: int, *, upper: bool = False) -> int:
    return 16 + 8 * index + 4 * upper


def _where(number: int, argument: int, tests: list[Instruction], *, mask: int = 0) -> list[Instruction]:
    """Allow a call if one of its arguments passes one of the tests.

    Args:
        tests: instructions that jump over 0 instructions where the argument passes, else over 1.
        mask: the bits of the argument to test; 0 for all of its lower 32.
    """
    allowed = [row for test in tests for row in (test, (_RETURN, 0, 0, _ALLOW))]
    masked = [(_AND, 0, 0, mask)] if mask else []
    body = [(_LOAD, 0, 0, _argument(argument)), *masked, *allowed, (_LOAD, 0, 0, _NUMBER)]
    return [(_EQUAL, 0, len(body), number), *body]


def _opens(number: int, argument: int) -> list[Instruction]:
    """Allow a call that opens a file, unless its flags are in `_TRUNCATES_UNWRITTEN`."""
    refused = [
        row for flags in _TRUNCATES_UNWRITTEN for row in ((_EQUAL, 0, 1, flags), (_RETURN, 0, 0, _REFUSE | errno.EPERM))
    ]
    loaded = [(_LOAD, 0, 0, _argument(argument)), (_AND, 0, 0, _O_TRUNC | _O_ACCMODE)]
    body = [*loaded, *refused, (_RETURN, 0, 0, _ALLOW)]
    return [(_EQUAL, 0, len(body), number), *body]


def _reads_limits(number: int) -> list[Instruction]:
    """Allow prlimit64 if it sets nothing: its third argument, a pointer to new limits, is null in both halves."""
    upper = [(_LOAD, 0, 0, _argument(2, upper=True)), (_EQUAL, 0, 1, 0), (_RETURN, 0, 0, _ALLOW)]
    body = [(_LOAD, 0, 0, _argument(2)), (_EQUAL, 0, len(upper), 0), *upper, (_LOAD, 0, 0, _NUMBER)]
    return [(_EQUAL, 0, len(body), number), *body]
