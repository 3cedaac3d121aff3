"""Landlock: limits which files a process may read or write, and forbids TCP and signals to others (Linux 5.13 and later)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
from collections.abc import Iterable

from grader.sandbox.seccomp import syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1  # a flag that asks for the version of the interface
_PATH_BENEATH = 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3

_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""The number of rights over files, by the version of the interface that brought them."""

_ALL_TCP, _ALL_SCOPES = 0b11, 0b11

_OF_FILES = 0b1111 & ~READ_DIR | 1 << 14
"""The rights that a rule for a single file may grant: execute, write, read, truncate. The kernel refuses others there."""


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """The version of the interface. Raises OSError where the kernel has none."""
    return syscall(_CREATE, None, 0, _VERSION)


def restrict_files(read: Iterable[str], write: Iterable[str]) -> None:
    """Let this thread, and threads and processes that it starts, read only beneath `read` and write only beneath `write`.

    This cannot be undone. TCP, and signals to processes outside, are refused too where the kernel's Landlock can do that
    (TCP from version 4, signals from version 6).

    Args:
        read: files and folders; those that do not exist are left out.
        write: the same; it may be read too.

    Raises:
        OSError: where the kernel refuses.
    """
    abi = version()
    every = (1 << max(count for since, count in _RIGHTS.items() if since <= abi)) - 1
    ruleset = _Ruleset(every, _ALL_TCP if abi >= 4 else 0, _ALL_SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    descriptor = syscall(_CREATE, ctypes.byref(ruleset), ctypes.c_size_t(size), 0)
    try:
        for paths, allowed in ((read, READ_FILE | READ_DIR), (write, every)):
            for path in paths:
                with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                    _allow(descriptor, path, allowed & every)
        syscall(_RESTRICT, descriptor, 0)
    finally:
        os.close(descriptor)


def _allow(ruleset: int, path: str, allowed: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(parent).st_mode):
            allowed &= _OF_FILES
        rule = _Beneath(allowed, parent)
        syscall(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)
