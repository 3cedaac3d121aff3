"""Control groups: the kernel counts the memory of the processes in a group, and limits it (Linux, cgroup v2).

A group counts all memory that the kernel holds for its processes: also pages that no process maps any more, files in
memory, page tables and pipes. `take` finds out by trying whether groups can be made here. Where they can, the group that
this process started in holds one group with this process, and one group for each answer.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import time
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.locale.language import N_

NEEDED = ("memory", "pids")

SECONDS_UNTIL_KILLED = 3.0
"""Seconds to wait until killed processes are gone."""

_MANAGER = "systemd/private"
"""The socket of a user's systemd, below XDG_RUNTIME_DIR."""


class NoGroups(Exception):
    """No groups can be made here.

    Args:
        said: why, in English: whoever tells it looks it up in a catalogue.
        name: fills in `{name}` there.
    """

    def __init__(self, said: str, name: str = "") -> None:
        super().__init__(said.format(name=name))
        self.said, self.name = said, name


@dataclass(frozen=True)
class ControlGroup:
    """One group. `end` kills all its processes, however many there are."""

    folder: Path

    def add(self, pid: int) -> None:
        """Move a process into the group. Raises OSError where the kernel refuses."""
        _write(self.folder / "cgroup.procs", str(pid))

    def end(self) -> str:
        """Kill the processes in the group. Raises OSError where the kernel refuses.

        Returns:
            "memory" where the kernel killed processes at the memory limit, else "tasks" where it refused to start one at
            the limit of processes and threads, else nothing.
        """
        _write(self.folder / "cgroup.kill", "1")
        memory, tasks = _numbers(self.folder / "memory.events"), _numbers(self.folder / "pids.events")
        # "oom" counts hits of this group's own limit. "oom_kill" alone may come from a group above, or the whole machine.
        if memory["oom"] and memory["oom_kill"]:
            return "memory"
        return "tasks" if tasks["max"] else ""

    def remove(self) -> None:
        """Remove the group after its end. Raises OSError where it is still not empty after SECONDS_UNTIL_KILLED."""
        _remove(self.folder)


@dataclass(frozen=True)
class Groups:
    """A group in which this process may make groups.

    Attributes:
        top: the folder of that group.
        home: the folder of the group that this process moved to; `top` where it did not have to move.
        enabled: the controllers that `take` switched on for the groups in `top`.
    """

    top: Path
    home: Path
    enabled: tuple[str, ...]

    def new(self, name: str, memory: int, tasks: int) -> ControlGroup:
        """Make a group whose processes use at most `memory` bytes together, and of `tasks` processes and threads at most.

        Raises OSError where the kernel refuses.
        """
        folder = self.top / name
        folder.mkdir()
        try:
            _write(folder / "memory.max", str(memory))
            _write(folder / "pids.max", str(tasks))
            _write(folder / "memory.oom.group", "1")
            with contextlib.suppress(FileNotFoundError):  # this kernel does not swap, or does not count swap
                _write(folder / "memory.swap.max", "0")
        except OSError:
            folder.rmdir()
            raise
        return ControlGroup(folder)

    def close(self) -> None:
        """Leave `top` as `take` found it. Raises OSError where the kernel refuses."""
        if self.enabled:
            _write(self.top / "cgroup.subtree_control", " ".join(f"-{name}" for name in self.enabled))
        if self.home != self.top:
            _move(_processes(self.home), self.top)
            _remove(self.home)


def take() -> Groups:
    """Make groups possible below the group of this process. That group may hold this process and its parent only.

    Raises:
        NoGroups: where that is not possible. Everything is as it was before then.
    """
    top = own_folder()
    with _told(), contextlib.ExitStack() as undo:
        there = (top / "cgroup.controllers").read_text().split()
        missing = [name for name in NEEDED if name not in there]
        if len(missing) == len(NEEDED):
            raise NoGroups(N_("it has no controller for memory and pids here"))
        if missing:
            raise NoGroups(N_("it has no controller for {name} here"), missing[0])
        before = set((top / "cgroup.subtree_control").read_text().split())
        enabled = tuple(name for name in NEEDED if name not in before)
        # Only the root group, which has no type, may hold both processes and groups with controllers.
        moves = (top / "cgroup.type").exists()
        inside = _processes(top) if moves else []
        if not {os.getpid(), os.getppid()}.issuperset(inside):
            raise NoGroups(N_("other processes are in the control group that the grader was started in"))
        home = top / f"grader-{os.getpid()}" if moves else top
        if moves:
            home.mkdir()
        undo.callback(Groups(top, home, ()).close)
        _move(inside, home)
        if enabled:
            _write(top / "cgroup.subtree_control", " ".join(f"+{name}" for name in enabled))
        groups = Groups(top, home, enabled)
        undo.pop_all()
        undo.callback(groups.close)
        trial = groups.new(f"trial-{os.getpid()}", 1 << 20, 1)
        try:
            trial.end()
            trial.remove()
        except OSError:
            trial.folder.rmdir()
            raise
        undo.pop_all()
        return groups


@contextlib.contextmanager
def _told() -> Generator[None]:
    """Tell what the kernel refuses as that no groups can be made."""
    try:
        yield
    except OSError as error:
        raise NoGroups("{name}", f"{error.strerror}: {error.filename}") from error


def own_folder(process: Path = Path("/proc/self")) -> Path:
    """The folder of the group of a process, which /proc has in a folder. Raises NoGroups where none can be found."""
    with _told():
        of = re.search(r"^0::(/.*)$", (process / "cgroup").read_text(), re.MULTILINE)
        mounts = (process / "mountinfo").read_text().splitlines()
    for line in mounts:
        left, _, right = line.partition(" - ")
        if of is not None and right.startswith("cgroup2 "):
            root, mounted = (_unescaped(part) for part in left.split()[3:5])
            if Path(of[1]).is_relative_to(root) and ".." not in Path(of[1]).parts:
                return Path(mounted) / Path(of[1]).relative_to(root)
    raise NoGroups(N_("no cgroup v2 is mounted that holds this process"))


def scope() -> list[str]:
    """The start of a command line that runs the rest in a new group, made by the user's systemd; empty without systemd."""
    manager = Path(os.environ.get("XDG_RUNTIME_DIR", ""), _MANAGER)
    program = shutil.which("systemd-run")
    if not (manager.is_absolute() and manager.exists() and program):
        return []
    return [program, "--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--"]


def _processes(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "cgroup.procs").read_text().split()]


def _move(processes: Iterable[int], folder: Path) -> None:
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
            _write(folder / "cgroup.procs", str(pid))


def _remove(folder: Path) -> None:
    """Remove a group, and the groups inside it, as soon as it is empty."""
    for within in [path for path in folder.iterdir() if path.is_dir()]:
        _remove(within)
    end = time.monotonic() + SECONDS_UNTIL_KILLED
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
    """Write to an existing file in one call: the kernel takes each call as one command."""
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        os.close(descriptor)


def _unescaped(text: str) -> str:
    """A path as /proc writes it, where a space is \\040."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
