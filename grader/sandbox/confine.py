"""Confines an answer's process, so that it can compute and nothing else, as far as this kernel allows.

A process is confined while it has one thread, before a backend starts, and before it gets an answer. Which tier is possible
is found by trying, not by version numbers:

- tier A: its own user, network, IPC, PID and mount namespaces, with a small tmpfs as the only place to write; and tier B;
- tier B: Landlock (it reads Python and libraries only, writes no files, sends no signals), a seccomp filter (it makes only
  the system calls that computing needs), no new privileges, no capabilities, and tier C;
- tier C: its own process, with limits, watched from outside.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import site
import stat
import struct
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from grader.sandbox import landlock, seccomp
from grader.sandbox.limits import LINUX, die_with_parent, limit_answer

SCRATCH_BYTES = 64 << 20
TIERS = ("A", "B", "C")
_SCRATCH = ("/dev/shm", "/var/tmp", "/mnt", "/tmp")
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")

_FACTS = ("/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo")
"""The number of cores and the size of memory: the C library and XLA read them."""

_ENVIRONMENT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "OPENBLAS_NUM_THREADS", "TF_CPP_MIN_LOG_LEVEL")


@dataclass
class Confined:
    """The tier that is in force, and the steps that the kernel refused, in words."""

    tier: str
    refused: list[str] = field(default_factory=list[str])


class RefusedConfinement(Exception):
    """A step failed after others had changed this process, which is useless now; the message names the step."""


def confine(wanted: str, memory: int) -> Confined:
    """Confine this process at a tier, or at the next lower one that is possible.

    For tier A it forks: the call returns in a new process. The calling process waits for that one, and ends as it ends.

    Args:
        wanted: the highest tier to try.
        memory: bytes that an answer may use (see `limit_answer`), or 0 where a driver maps more than the machine has.

    Raises:
        Refused: where a step failed after others had changed this process. Start another one, and ask for a lower tier.
    """
    limit_answer(memory)
    os.chdir("/")
    if not LINUX or wanted == "C":
        _clean_environment("")
        return Confined("C")
    refused: list[str] = []
    scratch = _enter_namespaces(refused) if wanted == "A" else ""
    _clean_environment(scratch)
    if not _tried("Landlock", landlock.version, refused):
        if scratch:
            raise RefusedConfinement(refused[-1])
        return Confined("C", refused)
    seccomp.prctl(seccomp.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.drop_capabilities()
    seccomp.prctl(seccomp.PR_SET_DUMPABLE, 0)
    landlock.restrict_files([*readable(), *_FACTS, *_DEVICES], [scratch, "/dev/null"] if scratch else ["/dev/null"])
    if not _tried("seccomp", seccomp.restrict_system_calls, refused):
        raise RefusedConfinement(refused[-1])
    return Confined("A" if scratch else "B", refused)


def _tried(name: str, step: Callable[[], object], refused: list[str]) -> bool:
    try:
        step()
    except OSError as error:
        refused.append(f"{name}: {error.strerror}")
        return False
    return True


@cache
def readable() -> tuple[str, ...]:
    """The paths that a confined answer may read: Python's library, the installed packages, the grader, system libraries."""
    paths: set[str] = set(_LIBRARIES)
    for base in (sys.prefix, sys.base_prefix):
        variables = {"base": base, "platbase": base, "installed_base": base, "installed_platbase": base}
        for name in ("stdlib", "platstdlib", "purelib", "platlib"):
            paths.add(sysconfig.get_path(name, vars=variables))
    paths.update(site.getsitepackages())
    if library := sysconfig.get_config_var("LIBDIR"):
        paths.add(str(library))
    paths.add(str(Path(__file__).parents[1]))
    return tuple(sorted(paths))


def _clean_environment(scratch: str) -> None:
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    if scratch:
        os.environ["TMPDIR"] = scratch


def _enter_namespaces(refused: list[str]) -> str:
    """Continue as the second process of new namespaces.

    Returns:
        the scratch folder there; empty where no namespaces can be made.

    Raises:
        Refused: where a step failed after the namespaces were made.
    """
    uid, gid = os.getuid(), os.getgid()
    if not _tried("namespaces", lambda: seccomp.unshare(seccomp.NEW_NAMESPACES), refused):
        return ""
    try:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")
        seccomp.mount("none", "/", "", seccomp.MS_REC | seccomp.MS_PRIVATE)
        scratch = _mount_scratch()
    except OSError as error:
        raise RefusedConfinement(f"namespaces: {error.strerror}") from error
    _go_on_as_second()
    return scratch


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _mount_scratch() -> str:
    """Mount a small tmpfs over a folder that holds no file which an answer needs. Returns the folder."""
    needed = [Path(path) for path in readable()]
    for place in _SCRATCH:
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISDIR(os.lstat(place).st_mode) and not any(path.is_relative_to(place) for path in needed):
                flags = seccomp.MS_NOSUID | seccomp.MS_NODEV | seccomp.MS_NOEXEC
                seccomp.mount("scratch", place, "tmpfs", flags, f"size={SCRATCH_BYTES},nr_inodes=4096,mode=700")
                return place
    raise OSError(errno.ENOENT, "no folder to mount a scratch folder over")


def _go_on_as_second() -> None:
    """Fork twice, and return in the grandchild, which becomes the answer's process.

    The first process of a PID namespace ignores signals that end any other process. So the answer runs in the second, and
    the first only waits for it: when the first ends, the kernel ends all others there. The calling process waits too, and
    ends as the answer ended.
    """
    read, write = os.pipe()
    first = os.fork()
    if first:
        os.close(write)
        _end_as(_status_of(first, read))
    os.close(read)
    die_with_parent()
    second = os.fork()
    if second:
        status = _wait_for(second)
        os.write(write, struct.pack("i", status))
        os._exit(0)
    os.close(write)


def _wait_for(pid: int) -> int:
    while True:
        ended, status = os.wait()
        if ended == pid:
            return status


def _status_of(first: int, read: int) -> int:
    """The wait status of the answer's process, as the first process of the namespace wrote it.

    If the first process was killed before it wrote, the answer's was killed with it.
    """
    os.waitpid(first, 0)
    written = os.read(read, 4)
    return struct.unpack("i", written)[0] if len(written) == 4 else signal.SIGKILL


def _end_as(status: int) -> None:
    if os.WIFSIGNALED(status):
        ended_by = os.WTERMSIG(status)
        if ended_by not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(ended_by, signal.SIG_DFL)
        os.kill(os.getpid(), ended_by)
    os._exit(os.waitstatus_to_exitcode(status))
