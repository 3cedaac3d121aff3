"""Reading what the grader keeps in a kit's `.grader/`: whatever lies there is used, or put aside with one line."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from grader.kit.decode import Malformed
from grader.kit.files import Missing, Unreadable, put_aside, read_regular

T = TypeVar("T")

_notes: deque[str] = deque()


def note(line: str) -> None:
    """Have a line told on stderr once the command's own report stands."""
    if line not in _notes:
        _notes.append(line)


def taken_notes() -> list[str]:
    """The lines that wait; they are told once."""
    return [_notes.popleft() for _ in range(len(_notes))]


class Damaged(Exception):
    """A file that is not what the grader keeps there; its text says which, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} is damaged ({reason})")


def read_sound(path: Path, limit: int, decode: Callable[[bytes], T]) -> T | None:
    """What a file of the grader's own holds; None where there is none.

    Args:
        limit: bytes that the file may have.
        decode: raises Malformed for bytes that are no such file.

    Raises:
        Damaged: where something else lies there.
    """
    try:
        # The grader writes no links, and following one would show, or wait for, what lies elsewhere.
        return decode(read_regular(path, limit, below=path.parent))
    except Missing:
        return None
    except (Unreadable, Malformed) as error:
        raise Damaged(path, str(error).rstrip(".")) from error


def read_kept(path: Path, limit: int, decode: Callable[[bytes], T]) -> T | None:
    """As `read_sound`, but what is damaged is put aside with a line, and is as if it were not there."""
    try:
        return read_sound(path, limit, decode)
    except Damaged as error:
        damaged = str(error)
    try:
        note(f"{damaged}: it is now {put_aside(path).name}, and the grader goes on without it.")
    except FileNotFoundError:
        pass  # another grader has put it aside, and said so
    except OSError as error:
        note(f"{damaged} and cannot be renamed ({error.strerror}): the grader goes on without it.")
    return None
