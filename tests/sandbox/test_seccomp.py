"""The seccomp filter: which calls it allows, on both architectures, and that the kernel applies it."""

from __future__ import annotations

import errno
import os
import socket
import sys

import pytest

from grader.sandbox import seccomp
from grader.sandbox.seccomp import ALLOWED, Instruction, program
from tests.sandbox import in_own_thread

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")

ME, OTHER = 77, 78
X86, ARM = "x86_64", "aarch64"
AUDIT = {X86: 0xC000003E, ARM: 0xC00000B7}
ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x80000000


def decide(rows: list[Instruction], number: int, architecture: int, *arguments: int) -> int:
    """What the kernel does with a call: it interprets the filter (classic BPF), and so does this function."""
    data = number.to_bytes(4, "little") + architecture.to_bytes(4, "little") + bytes(8)
    data += b"".join(value.to_bytes(8, "little") for value in (*arguments, *(0,) * 6)[:6])
    at = value = 0
    while True:
        code, yes, no, k = rows[at]
        at += 1
        match code:
            case 0x20:
                value = int.from_bytes(data[k : k + 4], "little")
            case 0x54:
                value &= k
            case 0x15:
                at += yes if value == k else no
            case 0x35:
                at += yes if value >= k else no
            case 0x45:
                at += yes if value & k else no
            case 0x06:
                return k
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


ABSENT = 0
"""In place of the number of a call that arm64 does not have."""

# name: x86_64, aarch64, arguments, what the filter must do
CALLS: dict[str, tuple[int, int, tuple[int, ...], int]] = {
    "socket": (41, 198, (), EPERM),
    "socketpair": (53, 199, (), EPERM),
    "connect": (42, 203, (), EPERM),
    "ptrace": (101, 117, (), EPERM),
    "process_vm_readv": (310, 270, (), EPERM),
    "process_vm_writev": (311, 271, (), EPERM),
    "execve": (59, 221, (), EPERM),
    "execveat": (322, 281, (), EPERM),
    "mount": (165, 40, (), EPERM),
    "unshare": (272, 97, (), EPERM),
    "setns": (308, 268, (), EPERM),
    "keyctl": (250, 219, (), EPERM),
    "io_uring_setup": (425, 425, (), EPERM),
    "memfd_create": (319, 279, (), EPERM),
    "bpf": (321, 280, (), EPERM),
    "perf_event_open": (298, 241, (), EPERM),
    "pidfd_open": (434, 434, (), EPERM),
    "pidfd_send_signal": (424, 424, (), EPERM),
    "chmod by descriptor": (91, 52, (), EPERM),
    "setuid": (105, 146, (), EPERM),
    "shmget": (29, 194, (), EPERM),
    "a call of next year": (600, 600, (), EPERM),
    "clone3": (435, 435, (), ENOSYS),
    "clone of a process": (56, 220, (17,), EPERM),
    "clone of a thread": (56, 220, (0x3D0F00,), ALLOW),
    "kill itself": (62, 129, (ME, 11), ALLOW),
    "kill another": (62, 129, (OTHER, 9), EPERM),
    "kill its group": (62, 129, (0, 9), EPERM),
    "kill everybody": (62, 129, ((1 << 64) - 1, 9), EPERM),
    "tgkill of its own": (234, 131, (ME, ME, 6), ALLOW),
    "tgkill of another": (234, 131, (OTHER, OTHER, 6), EPERM),
    "name a thread": (157, 167, (15,), ALLOW),
    "outlive the parent": (157, 167, (1,), EPERM),
    "is it a terminal": (16, 29, (1, 0x5401), ALLOW),
    "type into a terminal": (16, 29, (1, 0x5412), EPERM),
    "read a limit": (302, 261, (0, 7, 0, 1), ALLOW),
    "raise a limit": (302, 261, (0, 7, 1 << 40, 0), EPERM),
    "copy a descriptor": (72, 25, (1, 1030), ALLOW),
    "have another signalled by a descriptor": (72, 25, (1, 8, OTHER), EPERM),
    "ask a descriptor's flags": (72, 25, (1, 3), ALLOW),
    "lock a part of a file": (72, 25, (1, 6), EPERM),
    "wait for a part of a file": (72, 25, (1, 7), EPERM),
    "lock a part of an open file": (72, 25, (1, 37), EPERM),
    "lock a file": (73, 32, (1, 2), EPERM),
    "futex": (202, 98, (), ALLOW),
    "read": (0, 63, (), ALLOW),
    "map memory of its own": (9, 222, (0, 1 << 30, 3, 0x22), ALLOW),
    "map a file for itself": (9, 222, (0, 4096, 1, 0x02, 3), ALLOW),
    "map in a fixed place, without reserve": (9, 222, (0, 4096, 3, 0x4032), ALLOW),
    "map a file to be read, with others": (9, 222, (0, 4096, 1, 0x01, 3), ALLOW),
    "map shared memory": (9, 222, (0, 4096, 3, 0x21), EPERM),
    "map shared memory, validated": (9, 222, (0, 4096, 3, 0x23), EPERM),
    "map shared memory of huge pages": (9, 222, (0, 1 << 21, 3, 0x40021), EPERM),
    "map with no flags": (9, 222, (), EPERM),
    "create": (85, ABSENT, (), ALLOW),
    "set its own cores": (203, 122, (0, 8), EPERM),
    "set its own cores by its number": (203, 122, (ME, 8), EPERM),
    "set the cores of another": (203, 122, (OTHER, 8), EPERM),
    "schedule another": (144, 119, (OTHER, 0), EPERM),
    "attributes of another's schedule": (314, 274, (OTHER,), EPERM),
    "priority of another": (141, 140, (0, OTHER, 19), EPERM),
    "priority of another at the disk": (251, 30, (1, OTHER, 0x6000), EPERM),
    "truncate by a path": (76, 45, (), EPERM),
    "openat2": (437, 437, (), EPERM),
}

O_CREAT, O_TRUNC, O_CLOEXEC = 0o100, 0o1000, 0o2000000
OPENED: dict[str, tuple[int, int]] = {
    "to read": (os.O_RDONLY | O_CLOEXEC, ALLOW),
    "to write": (os.O_WRONLY, ALLOW),
    "to read, truncate": (os.O_RDONLY | O_TRUNC, EPERM),
    "to read, create or truncate": (os.O_RDONLY | O_TRUNC | O_CREAT | O_CLOEXEC, EPERM),
    "to write, truncate": (os.O_WRONLY | O_TRUNC | O_CREAT, ALLOW),
    "for both, truncate": (os.O_RDWR | O_TRUNC, ALLOW),
    "for neither, truncate": (os.O_ACCMODE | O_TRUNC, EPERM),
}
"""Flags to open a file with. Landlock decides about writing; the filter refuses to truncate without opening for writing."""

for name, (flags, due) in OPENED.items():
    CALLS[f"openat {name}"] = (257, 56, (3, 0, flags), due)
    CALLS[f"open {name}"] = (2, ABSENT, (0, flags), due)


HERE = [(X86, call) for call in CALLS] + [(ARM, call) for call in CALLS if CALLS[call][1] != ABSENT]


@pytest.mark.parametrize(("architecture", "call"), HERE)
def test_the_filter_allows_what_computing_needs_and_no_more(architecture: str, call: str) -> None:
    x86, arm, arguments, due = CALLS[call]
    number = x86 if architecture == X86 else arm
    assert decide(program(architecture, ME), number, AUDIT[architecture], *arguments) == due


@pytest.mark.parametrize("architecture", [X86, ARM])
def test_calls_of_another_architecture_end_the_process(architecture: str) -> None:
    other = ARM if architecture == X86 else X86
    assert decide(program(architecture, ME), 63, AUDIT[other]) == KILL
    assert decide(program(X86, ME), 0x40000000 | 1, AUDIT[X86]) == KILL


@pytest.mark.parametrize("architecture", [X86, ARM])
def test_every_jump_of_the_filter_lands_inside_it(architecture: str) -> None:
    rows = program(architecture, ME)
    assert len(rows) < 4096
    for index, (code, yes, no, _) in enumerate(rows):
        assert 0 <= yes < 256
        assert 0 <= no < 256
        assert code == 0x06 or index + 1 + max(yes, no) < len(rows)


def test_no_number_is_listed_twice() -> None:
    for column in (0, 1):
        numbers = [numbers[column] for numbers in ALLOWED.values() if numbers[column] is not None]
        assert len(numbers) == len(set(numbers))


def test_the_kernel_refuses_what_the_filter_does_not_allow() -> None:
    def restricted() -> int:
        seccomp.prctl(seccomp.PR_SET_NO_NEW_PRIVS, 1)
        seccomp.restrict_system_calls()
        os.close(os.dup(0))  # allowed
        os.kill(os.getpid(), 0)
        with pytest.raises(PermissionError):
            os.kill(os.getppid(), 0)
        with pytest.raises(PermissionError):
            os.sched_setaffinity(0, os.sched_getaffinity(0))  # else an answer of a class takes the cores of others
        with pytest.raises(PermissionError):
            socket.socket()
        return os.getpid()

    assert in_own_thread(restricted) == os.getpid()
    socket.socket().close()  # other threads are as they were


def test_an_architecture_without_a_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "machine", lambda: "riscv64")
    with pytest.raises(OSError, match="no list of system calls for riscv64"):
        seccomp.restrict_system_calls()
