"""Groups of processes whose memory the kernel counts, and keeps within a limit (Linux, cgroup v2).

A group counts all that its processes make the kernel keep for them: pages that none of them maps any more, files in memory,
tables of pages, pipes. Whether groups can be had is found by trying. Where they can, the folder that this process began in
holds one group with this process, and beside it one for each answer.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

NEEDED = ("memory", "pids")
PATIENCE = 3.0
"""Seconds that processes which were killed may take to be gone."""

_MANAGER = "systemd/private"
"""Below XDG_RUNTIME_DIR: where a user's systemd listens."""


class NoGroups(Exception):
    """No groups can be had here; the argument says why."""


@dataclass(frozen=True)
class Group:
    """One group. Close it: its processes end then, however many they are."""

    folder: Path

    def add(self, pid: int) -> None:
        """Take a process in. Raises OSError where the kernel refuses."""
        _write(self.folder / "cgroup.procs", str(pid))

    def close(self) -> str:
        """Kill what runs in it, and remove it.

        Returns:
            The limit at which the kernel ended it or refused it something, "memory" or "tasks", or nothing.

        Raises:
            OSError: where it is still not empty after some seconds.
        """
        _write(self.folder / "cgroup.kill", "1")
        memory, tasks = _numbers(self.folder / "memory.events"), _numbers(self.folder / "pids.events")
        _remove(self.folder)
        # "oom" is about this group's own limit; "oom_kill" alone may be about one above it, or the whole machine's.
        if memory["oom"] and memory["oom_kill"]:
            return "memory"
        return "tasks" if tasks["max"] else ""


@dataclass(frozen=True)
class Groups:
    """A folder that may be divided into groups.

    Attributes:
        top: the folder.
        home: the group that this process has moved to; `top` where there was no need.
        enabled: the controllers that were switched on for groups in `top`.
    """

    top: Path
    home: Path
    enabled: tuple[str, ...]

    def new(self, name: str, memory: int, tasks: int) -> Group:
        """A group of so many bytes, and so many processes and threads. Raises OSError where the kernel refuses."""
        folder = self.top / name
        folder.mkdir()
        try:
            _write(folder / "memory.max", str(memory))
            _write(folder / "pids.max", str(tasks))
            _write(folder / "memory.oom.group", "1")
            with contextlib.suppress(FileNotFoundError):  # a kernel that does not swap, or does not count it
                _write(folder / "memory.swap.max", "0")
        except OSError:
            folder.rmdir()
            raise
        return Group(folder)

    def close(self) -> None:
        """Leave the folder as it was found. Raises OSError where the kernel refuses."""
        if self.enabled:
            _write(self.top / "cgroup.subtree_control", " ".join(f"-{name}" for name in self.enabled))
        if self.home != self.top:
            _move(_processes(self.home), self.top)
            _remove(self.home)


def take() -> Groups:
    """Divide the group that this process is in, which may hold its parent too and no other process.

    Raises:
        NoGroups: where that cannot be done. Everything is as it was then.
    """
    top = own_folder()
    ours = {os.getpid(), os.getppid()}
    try:
        there = (top / "cgroup.controllers").read_text().split()
        if missing := [name for name in NEEDED if name not in there]:
            raise NoGroups(f"cgroup v2 has no controller for {' and '.join(missing)} here")
        before = set((top / "cgroup.subtree_control").read_text().split())
        enabled = tuple(name for name in NEEDED if name not in before)
        # Only the group above all others, which has no type, may hold processes beside groups.
        moves = (top / "cgroup.type").exists()
        inside = _processes(top) if moves else []
        if not ours.issuperset(inside):
            raise NoGroups("other processes are in the control group that the grader was started in")
        home = top / f"grader-{os.getpid()}" if moves else top
        if moves:
            home.mkdir()
    except OSError as error:
        raise NoGroups(_said(error)) from error
    try:
        _move(inside, home)
        if enabled:
            _write(top / "cgroup.subtree_control", " ".join(f"+{name}" for name in enabled))
    except OSError as error:
        Groups(top, home, ()).close()
        raise NoGroups(_said(error)) from error
    groups = Groups(top, home, enabled)
    try:
        trial = groups.new(f"trial-{os.getpid()}", 1 << 20, 1)
        try:
            trial.close()
        except OSError:
            trial.folder.rmdir()
            raise
    except OSError as error:
        groups.close()
        raise NoGroups(_said(error)) from error
    return groups


def own_folder(process: Path = Path("/proc/self")) -> Path:
    """The folder of the group that a process is in, by its folder in /proc.

    Raises:
        NoGroups: where there is none.
    """
    try:
        of = re.search(r"^0::(/.*)$", (process / "cgroup").read_text(), re.MULTILINE)
        mounts = (process / "mountinfo").read_text().splitlines()
    except OSError as error:
        raise NoGroups(_said(error)) from error
    for line in mounts:
        left, _, right = line.partition(" - ")
        if of is not None and right.startswith("cgroup2 "):
            root, mounted = (_unescaped(part) for part in left.split()[3:5])
            if Path(of[1]).is_relative_to(root) and ".." not in Path(of[1]).parts:
                return Path(mounted) / Path(of[1]).relative_to(root)
    raise NoGroups("no cgroup v2 is mounted that holds this process")


def scope() -> list[str]:
    """The command that starts another in a group of its own, made by the user's systemd; empty where there is none."""
    manager = Path(os.environ.get("XDG_RUNTIME_DIR", ""), _MANAGER)
    program = shutil.which("systemd-run")
    if not (manager.is_absolute() and manager.exists() and program):
        return []
    return [program, "--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--"]


def _processes(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "cgroup.procs").read_text().split()]


def _move(processes: Iterable[int], folder: Path) -> None:
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):  # it has ended since
            _write(folder / "cgroup.procs", str(pid))


def _remove(folder: Path) -> None:
    """Remove a group, and those that were made in it, as soon as it is empty."""
    for within in [path for path in folder.iterdir() if path.is_dir()]:
        _remove(within)
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return folder.rmdir()
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > end:
                raise
        time.sleep(0.001)


def _numbers(file: Path) -> dict[str, int]:
    lines: Sequence[str] = file.read_text().splitlines()
    return {name: int(number) for name, _, number in (line.partition(" ") for line in lines)}


def _write(file: Path, text: str) -> None:
    """Write to a file that is there, in one call, as the kernel wants it."""
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        os.close(descriptor)


def _said(error: OSError) -> str:
    return f"{error.strerror}: {error.filename}"


def _unescaped(text: str) -> str:
    """A path as /proc writes it, where a space is \\040."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
