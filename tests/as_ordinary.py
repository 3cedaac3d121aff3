"""Commands as an ordinary user, where the tests run as root: root may do what others may not, and the other way round.

Where the tests run as an ordinary user, everything is that user's, and nobody else is tried. Run as a script by root, this
becomes an ordinary user and then the command of its arguments:

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
"""Where the tests do not run as root, both are whoever runs them."""
UID = 4711
"""A number that no account has: none is needed."""

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
_NEEDED = (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).resolve().parents[1])
_NEW_MOUNTS, _BIND, _ALL, _PRIVATE = 0x20000, 0x1000, 0x4000, 0x40000


def command(user: str, arguments: Sequence[str]) -> list[str]:
    """A command, run as that user."""
    return [*((sys.executable, "-P", __file__) if AS_ROOT and user == ORDINARY else ()), *arguments]


@cache
def why_not() -> str:
    """Why no ordinary user can run the tests' Python here, as a sentence; nothing where one can."""
    script = "import importlib.util, grader; assert importlib.util.find_spec('jax')"
    done = subprocess.run(command(ORDINARY, [sys.executable, "-c", script]), cwd="/", capture_output=True)
    if done.returncode == 0:
        return ""
    return "No ordinary user can run this Python or read this checkout: they lie in folders that are closed to others."


def users() -> list[Any]:
    """Whom to run commands as, as parameters of tests: an ordinary user and, where the tests run as root, root too."""
    import pytest  # not where this runs as a script

    if not AS_ROOT:
        return [pytest.param(ORDINARY, id=ORDINARY)]
    marks = [pytest.mark.skip(reason=why_not())] if why_not() else []
    return [pytest.param(ORDINARY, id=ORDINARY, marks=marks), pytest.param(ROOT, id=ROOT)]


def main_user() -> str:
    """Who runs everything; another user runs what can come out otherwise."""
    return ROOT if AS_ROOT and why_not() else ORDINARY


def give(path: Path, user: str) -> None:
    """Make a file, or a folder with all that is in it, that user's."""
    if AS_ROOT and user == ORDINARY:
        for one in (path, *path.rglob("*")):
            os.chown(one, UID, UID, follow_symlinks=False)


@contextlib.contextmanager
def folder(user: str) -> Generator[Path]:
    """A folder that is that user's; those of pytest's are closed to others."""
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
    """Let this process and its children alone reach what Python needs: a closed folder on the way (root's home, say) is
    covered by one in which nothing else is."""
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
