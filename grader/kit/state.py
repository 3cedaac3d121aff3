"""Reads the grader's own files in a kit's `.grader/` (`Kit.state`): a damaged one is set aside, and the user is warned."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from grader.kit.decode import Malformed
from grader.kit.files import Missing, Unreadable, read_regular, set_aside
from grader.locale.language import gettext

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
        said = gettext("{path} is damaged ({reason}): it is now {name}, and the grader goes on without it.")
        warn_later(said.format(path=path, reason=damaged.reason, name=set_aside(path).name))
    except FileNotFoundError:
        pass  # another grader has set it aside, and has warned
    except OSError as error:
        said = gettext("{path} is damaged ({reason}) and cannot be renamed ({why}): the grader goes on without it.")
        warn_later(said.format(path=path, reason=damaged.reason, why=error.strerror))
    return None
