"""Runs commands as an ordinary user where the tests run as root: the kernel allows root other things than ordinary users.

Where the tests run as an ordinary user, that user runs every command. If root runs this file as a script, the process
becomes an ordinary user and runs the command in its arguments:

    python tests/as_ordinary.py COMMAND ...
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ORDINARY, ROOT = "ordinary", "root"
"""The two users. Where the tests do not run as root, both mean the user who runs them."""
UID = 4711
"""A user number without an account: none is needed."""

AS_ROOT = os.geteuid() == 0
_NEEDED = (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).resolve().parents[1])
_NEW_MOUNTS, _BIND, _ALL, _PRIVATE = 0x20000, 0x1000, 0x4000, 0x40000


def command(user: str, arguments: Sequence[str]) -> list[str]:
    """The command line that runs a command as that user."""
    return [*((sys.executable, "-P", __file__) if AS_ROOT and user == ORDINARY else ()), *arguments]


@cache
def why_not() -> str:
    """The reason why no ordinary user can run the tests' Python here; empty where one can."""
    script = "import importlib.util, grader; assert importlib.util.find_spec('jax')"
    done = subprocess.run(command(ORDINARY, [sys.executable, "-c", script]), cwd="/", capture_output=True)
    if done.returncode == 0:
        return ""
    return "No ordinary user can run this Python or read this checkout: they lie in folders that are closed to others."


def users() -> list[Any]:
    """The users to run commands as, as parameters of tests: an ordinary user, and root where the tests run as root."""
    import pytest  # not at the top: this file also runs as a script

    if not AS_ROOT:
        return [pytest.param(ORDINARY, id=ORDINARY)]
    marks = [pytest.mark.skip(reason=why_not())] if why_not() else []
    return [pytest.param(ORDINARY, id=ORDINARY, marks=marks), pytest.param(ROOT, id=ROOT)]


def main_user() -> str:
    """The user who runs every test of this kind; the other user runs only tests that may end otherwise."""
    return ROOT if AS_ROOT and why_not() else ORDINARY


def give(path: Path, user: str) -> None:
    """Make that user the owner of a file, or of a folder and everything in it."""
    if AS_ROOT and user == ORDINARY:
        for one in (path, *path.rglob("*")):
            os.chown(one, UID, UID, follow_symlinks=False)


@contextlib.contextmanager
def folder(user: str) -> Generator[Path]:
    """A temporary folder that belongs to that user. Folders of pytest are closed to other users."""
    made = Path(tempfile.mkdtemp(prefix=f"grader-{user}-")).resolve()
    try:
        give(made, user)
        yield made
    finally:
        shutil.rmtree(made)


def main() -> None:
    _open_closed_folders()
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)
    os.execv(sys.argv[1], sys.argv[1:])


def _open_closed_folders() -> None:
    """Open the way to the folders that Python needs, for this process and its children only.

    A closed folder on the way, such as root's home, is covered by a tmpfs that shows nothing but those folders.
    """
    closed: dict[Path, list[Path]] = {}
    for path in _NEEDED:
        for parent in reversed(path.parents):
            if not parent.stat().st_mode & stat.S_IXOTH:
                closed.setdefault(parent, []).append(path)
                break
    if not closed:
        return
    _checked(ctypes.CDLL(None, use_errno=True).unshare(_NEW_MOUNTS))
    _mount("none", "/", "", _ALL | _PRIVATE)
    for parent, paths in closed.items():
        opened = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths}
        _mount("none", str(parent), "tmpfs", 0, "mode=755")
        for path, descriptor in opened.items():
            path.mkdir(parents=True, exist_ok=True)
            _mount(f"/proc/self/fd/{descriptor}", str(path), "", _BIND | _ALL)


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    texts = [text.encode() for text in (source, target, kind, data)]
    _checked(ctypes.CDLL(None, use_errno=True).mount(*texts[:3], ctypes.c_ulong(flags), texts[3]))


def _checked(result: int) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


if __name__ == "__main__":
    main()
