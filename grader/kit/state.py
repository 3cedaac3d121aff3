"""The grader's own files, in a kit's `.grader/` and in the user's folders. A damaged one is set aside with a warning."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from grader.kit.files import Missing, Unreadable, free_names, move_to_new, private_folder, read_regular
from grader.locale.language import gettext
from grader.values.decode import Malformed

APPLICATION = "grader"


def cache_folder() -> Path:
    """The folder of what can be made again, such as figures of pages. Raises OSError if others can write it."""
    import platformdirs  # when it is needed: most commands keep nothing here

    return _own(platformdirs.user_cache_path(APPLICATION, appauthor=False))


def state_folder() -> Path:
    """The folder of what the user has said, as which stubs are their own. Raises OSError if others can write it."""
    import platformdirs

    return _own(platformdirs.user_state_path(APPLICATION, appauthor=False))


def folder_of_kit(root: Path) -> Path:
    """The folder of what is kept of one kit. Raises OSError as `state_folder`."""
    return state_folder() / "kits" / hashlib.sha256(os.fsencode(root)).hexdigest()[:32]


def _own(folder: Path) -> Path:
    if not folder.is_absolute():
        raise OSError(errno.EINVAL, "it depends on the current folder", str(folder))
    private_folder(folder)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.ENOTDIR, "it is a link, or a file, and no folder", str(folder))
    shared = os.name == "posix" and (status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    if shared:
        raise OSError(errno.EPERM, "another user can write it", str(folder))
    return folder


T = TypeVar("T")

SECONDS_BEFORE_A_WRITE, SECONDS_BEFORE_A_READ = 5.0, 0.2
"""Seconds to wait for another grader that writes the same file: before a write, before a read. A grader holds a lock for
some milliseconds."""

_warnings: deque[str] = deque()


def warn_later(line: str) -> None:
    """Have a command print a line on stderr after its own report; the same line only once."""
    if line not in _warnings:
        _warnings.append(line)


def take_warnings() -> list[str]:
    """The lines to print now. They are not returned a second time."""
    return [_warnings.popleft() for _ in range(len(_warnings))]


class NotSaved(Exception):
    """Something could not be saved; the message is a clause that says why."""


@contextmanager
def locked(lock: Path, patience: float) -> Generator[None]:
    """Hold a lock against other graders; the folder of its file is made.

    Args:
        patience: seconds to wait for it.

    Raises:
        NotSaved: where another grader keeps it, or its file, or what the block writes, cannot be written.
    """
    from filelock import FileLock, Timeout

    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        # No soft lock where the filesystem has no locks: its file would stay after a kill, and block every later run.
        with FileLock(lock, timeout=patience, fallback_to_soft=False):
            yield
    except Timeout as error:
        said = gettext("{path} has been locked by another grader for more than {seconds} s")
        raise NotSaved(said.format(path=lock, seconds=f"{patience:g}")) from error
    except OSError as error:
        said = gettext("{path} cannot be written ({why})")
        raise NotSaved(said.format(path=error.filename or lock, why=error.strerror or error)) from error


def decoded_text(data: bytes) -> str:
    """The text of a state file, with the line endings of Linux. Raises Malformed if it is not UTF-8."""
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Malformed(gettext("not UTF-8 text")) from error


class Damaged(Exception):
    """What lies at the path of a state file is not one; the message names the path and the reason."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} is damaged ({reason})")
        self.path, self.reason = path, reason


def read_state(path: Path, limit: int, decode: Callable[[bytes], T]) -> T | None:
    """Read and decode a state file; return None if there is no file.

    Args:
        limit: the most bytes that the file may have.
        decode: turns the bytes into a value, or raises Malformed.

    Raises:
        Damaged: where the file is too large, malformed, cannot be read, or is not a regular file.
    """
    try:
        # The grader writes no links. Following one could show a private file, or wait for a pipe.
        return decode(read_regular(path, limit, below=path.parent))
    except Missing:
        return None
    except (Unreadable, Malformed) as error:
        raise Damaged(path, str(error).rstrip(".")) from error


def read_or_set_aside(path: Path, limit: int, decode: Callable[[bytes], T]) -> T | None:
    """What `read_state` gives; None for a damaged file too, which is renamed, and the user is warned."""
    try:
        return read_state(path, limit, decode)
    except Damaged as error:
        damaged = error
    try:
        aside = move_to_new(path, free_names(f"{path.name}.damaged"))
        said = gettext("{path} is damaged ({reason}): it is now {name}, and the grader goes on without it.")
        warn_later(said.format(path=path, reason=damaged.reason, name=aside.name))
    except FileNotFoundError:
        pass  # another grader has set it aside, and has warned
    except OSError as error:
        said = gettext("{path} is damaged ({reason}) and cannot be renamed ({why}): the grader goes on without it.")
        warn_later(said.format(path=path, reason=damaged.reason, why=error.strerror))
    return None
