"""Files that are whole or not there, and files of others: read without trusting what lies at their path."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import tempfile
from pathlib import Path

LARGEST_TEXT = 1 << 20
"""Bytes of a text that is read: an answer, a stub."""

_FOLLOWED = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_UNFOLLOWED = _FOLLOWED | getattr(os, "O_NOFOLLOW", 0)


class Unreadable(Exception):
    """Why a file is not read, as a sentence without a capital: `there is no such file.`"""


class Missing(Unreadable):
    """There is no such file."""


def read_regular(path: str | Path, limit: int, *, below: Path | None = None) -> bytes:
    """The bytes of a regular file. Never waits, as opening a FIFO would, and never reads more than `limit` and one byte.

    Args:
        path: the file.
        limit: the most bytes that it may have.
        below: None where links are followed. Else a folder that is trusted: no part of the path below it may be a link.

    Raises:
        Unreadable: where there is no such file, or it is none that may be read.
    """
    with open_regular(path, below=below) as file:
        return _read(file, limit)


def _read(file: io.BufferedReader, limit: int) -> bytes:
    # A sparse file costs its whole size in memory, so its size is asked for first; it may still grow meanwhile.
    size = os.fstat(file.fileno()).st_size
    data = file.read(limit + 1) if size <= limit else b""
    if max(size, len(data)) > limit:
        raise Unreadable(_too_large(max(size, len(data)), limit))
    return data


def open_regular(path: str | Path, *, below: Path | None = None) -> io.BufferedReader:
    """Open a regular file for reading (see `read_regular`). Nothing else is opened, and nothing makes the caller wait.

    Raises:
        Unreadable: where there is no such file, or it is none that may be read.
    """
    try:
        descriptor = os.open(path, _checked(path, _FOLLOWED)) if below is None else _open_below(below, Path(path))
        try:
            _regular(os.fstat(descriptor))  # another file may have taken the place of the one that was looked at
            return os.fdopen(descriptor, "rb")
        except BaseException:
            os.close(descriptor)
            raise
    except (FileNotFoundError, NotADirectoryError):
        raise Missing("there is no such file.") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}.") from None


def read_text(path: Path, *, below: Path | None = None) -> str:
    """The text of an answer or a stub (see `read_regular`), its lines ended as on Linux.

    Where links are not followed, a second name of a file is one too: what it is the second name of may be private.

    Raises:
        Unreadable: where it cannot be read, or is no text.
    """
    with open_regular(path, below=below) as file:
        if below is not None and os.fstat(file.fileno()).st_nlink > 1:
            raise Unreadable("a hard link: the file has another name too; give a copy of it.")
        data = _read(file, LARGEST_TEXT)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"not a text file: byte {error.start} is not UTF-8.") from None
    if "\0" in text:
        raise Unreadable("not a text file: it holds a NUL character.")
    return text.replace("\r\n", "\n")


def trusted_folder(path: Path) -> Path:
    """The folder of an absolute path that the user is in, or owns by name; what lies below it may come from others.

    That is the current folder, as Python or as the shell writes it, or the home folder. Elsewhere it is the path's first
    folder, so that `/tmp` and `/home` may be links.
    """
    shell = Path(os.environ.get("PWD", os.curdir))
    here = [Path.cwd(), *([shell] if shell.is_absolute() and shell.exists() and shell.samefile(Path.cwd()) else [])]
    with contextlib.suppress(RuntimeError):  # no home folder is known
        here.append(Path.home())
    first = Path(*path.parts[: min(2, len(path.parts) - 1)])
    return max((one for one in (first, *here) if path.is_relative_to(one)), key=lambda one: len(one.parts))


def _open_below(below: Path, path: Path) -> int:
    """A descriptor of a file, each part of whose path below a folder is opened in turn and is no link."""
    parts = path.relative_to(below).parts
    if not parts:
        raise Unreadable("this is a folder, not a file.")
    if os.open not in os.supports_dir_fd:
        for count in range(1, len(parts)):
            _folder(os.lstat(below.joinpath(*parts[:count])), parts[count - 1])
        return os.open(path, _checked(path, _UNFOLLOWED))
    folder = os.open(below, _FOLLOWED)
    try:
        for part in parts[:-1]:
            _folder(os.stat(part, dir_fd=folder, follow_symlinks=False), part)
            inner = os.open(part, _UNFOLLOWED, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], _checked(parts[-1], _UNFOLLOWED, folder), dir_fd=folder)
    finally:
        os.close(folder)


def _checked(path: str | Path, flags: int, folder: int | None = None) -> int:
    """The flags to open a path with, once it is known that opening it does nothing but open a file."""
    _regular(os.stat(path, dir_fd=folder, follow_symlinks=flags == _FOLLOWED))
    return flags


def _regular(status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise Unreadable("a link, not a file: give the file itself.")
    if stat.S_ISDIR(status.st_mode):
        raise Unreadable("this is a folder, not a file.")
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable("not a regular file.")


def _folder(status: os.stat_result, part: str) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise Unreadable(f"the folder {part!r} on its path is a link: give a path without links.")


def _too_large(size: int, limit: int) -> str:
    return f"larger than it may be: {size_text(size)}, of {size_text(limit)} at most."


def put_aside(path: Path) -> Path:
    """Rename what lies at a path, whatever it is, to a free name beside it, which is returned.

    Raises:
        OSError: where it cannot be renamed.
    """
    aside, count = path.with_name(f"{path.name}.damaged"), 1
    while os.path.lexists(aside):
        aside, count = path.with_name(f"{path.name}.damaged-{count}"), count + 1
    os.rename(path, aside)
    return aside


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside the target and move into place; on any interruption the target is as it was and nothing is left.

    Raises:
        OSError: where the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def size_text(size: int) -> str:
    """Bytes in the largest unit that fits: 4 GB, 512 MB."""
    for unit, factor in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"
