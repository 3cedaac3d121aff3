"""Reads files of others without trusting what lies at their path, and writes files so that none is ever half-written."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import itertools
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.values.message import Message, message, plural_message, verbatim

LARGEST_TEXT = 1 << 19
"""The most bytes of a text file of the kit that is read."""

LARGEST_ANSWER = 1 << 16
"""The most bytes of an answer. Python parses any text of this size in less than a second, in a process without a limit."""

PRIVATE = 0o600
"""The mode of a file that nobody else may read."""

_FOLLOWED = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_UNFOLLOWED = _FOLLOWED | os.O_NOFOLLOW

_DECLARED = re.compile(rb"(?:[ \t\f]*(?:#[^\n]*)?\r?\n)??[ \t\f]*#[^\n]*?coding[:=][ \t]*(?P<name>[-\w.]+)")
"""The encoding that a file of Python declares: in its first line, or in the second after a comment or a blank."""
_CODING = re.compile(r"(coding[:=][ \t]*)[-\w.]+")
_ENCODINGS = re.compile(r"ascii|(?:iso8859|mac|koi8)-\w+|cp\d+|gb\w+|big5\w*|euc_\w+|shift_jis\w*")
"""Encodings of texts, by Python's names. Others do other things to bytes, and may take very long."""


class Unreadable(Exception):
    """A file cannot be read; `why` says it as a sentence without a capital: `there is no such file.`"""

    def __init__(self, why: Message | str) -> None:
        super().__init__(why)
        self.why = verbatim(why) if isinstance(why, str) else why


class Missing(Unreadable):
    """There is no such file."""


def read_regular(path: str | Path, limit: int, *, below: Path | None = None) -> bytes:
    """The bytes of a regular file. It never waits, as opening a FIFO would, and never reads more than `limit` + 1 bytes.

    Args:
        below: None to follow links. Else a trusted folder: no part of the path below it may be a link.

    Raises:
        Missing: where there is no such file.
        Unreadable: where it is too large, not a regular file, a link that may not be followed, or cannot be read.
    """
    with open_regular(path, below=below) as file:
        return _read(file, limit)


def _read(file: io.BufferedReader, limit: int) -> bytes:
    # Reading a sparse file takes memory for its whole size, so the size is checked first. The file may still grow meanwhile.
    size = os.fstat(file.fileno()).st_size
    data = file.read(limit + 1) if size <= limit else b""
    if max(size, len(data)) > limit:
        said = message("larger than it may be: {size}, of {most} at most.")
        raise Unreadable(said.with_fields(size=size_text(max(size, len(data))), most=size_text(limit)))
    return data


def open_regular(path: str | Path, *, below: Path | None = None) -> io.BufferedReader:
    """Open a regular file for reading, without waiting (see `read_regular`).

    Raises:
        Missing: where there is no such file.
        Unreadable: where it is not a regular file, a link that may not be followed, or cannot be opened.
    """
    try:
        descriptor = os.open(path, _checked(path, _FOLLOWED)) if below is None else _open_below(below, Path(path))
        try:
            _regular(os.fstat(descriptor))  # another file may have replaced the one that was checked
            return os.fdopen(descriptor, "rb")
        except BaseException:
            os.close(descriptor)
            raise
    except (FileNotFoundError, NotADirectoryError):
        raise Missing(message("there is no such file.")) from None
    except OSError as error:
        raise Unreadable(message("cannot be read: {why}.", why=str(error.strerror))) from None


def read_text(path: Path, *, below: Path | None = None, limit: int = LARGEST_TEXT) -> str:
    """The text of a file (see `read_handed_in`, `text_of`). Raises Unreadable where it cannot be read, or is none."""
    data = read_regular(path, limit) if below is None else read_handed_in(path, limit, below=below)
    return text_of(data, python=path.suffix.lower() == ".py")


def text_if_readable(path: Path) -> str | None:
    """The text of a file; None where it cannot be read."""
    try:
        return read_text(path)
    except Unreadable:
        return None


def read_handed_in(path: Path, limit: int, *, below: Path) -> bytes:
    """The bytes of a file that somebody else put below a trusted folder (see `read_regular`).

    A file with a second hard link is refused too: it may be somebody's private file.

    Raises:
        Unreadable: where it cannot be read.
    """
    with open_regular(path, below=below) as file:
        if os.fstat(file.fileno()).st_nlink > 1:
            raise Unreadable(message("a hard link: the file has another name too; give a copy of it."))
        return _read(file, limit)


def text_of(data: bytes, *, python: bool = False) -> str:
    """The text of a file, with the line endings of Linux.

    Args:
        python: whether the file is one of Python, which may declare its encoding in its first two lines (PEP 263). The text
            then declares UTF-8 there, since it is kept so from here on.

    Raises:
        Unreadable: where the bytes are not text in UTF-8, or in the encoding that is declared.
    """
    codec = _declared(data) if python else "utf-8"
    try:
        text = data.decode("utf-8-sig" if codec == "utf-8" else codec)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        said = (
            message("line {line} has a byte ({byte}) that is not UTF-8: save the file as UTF-8.")
            if codec == "utf-8"
            else message(
                "line {line} has a byte ({byte}) that is not {encoding}, which the file declares: save the file as UTF-8."
            )
        )
        raise Unreadable(said.with_fields(line=line, byte=f"0x{data[error.start]:02x}", encoding=codec)) from None
    if "\0" in text:
        raise Unreadable(message("not a text file: it holds a NUL character."))
    if codec != "utf-8":
        text = _CODING.sub(r"\1utf-8", text, count=1)
    return text.replace("\r\n", "\n")


def _declared(data: bytes) -> str:
    """The encoding that a file of Python declares; UTF-8 if it declares none, or none of texts."""
    found = None if data.startswith(codecs.BOM_UTF8) else _DECLARED.match(data)
    try:
        codec = codecs.lookup(re.sub("-(?:unix|dos|mac)$", "", found["name"].decode())).name if found else ""
    except LookupError:
        codec = ""
    return codec if _ENCODINGS.fullmatch(codec) else "utf-8"


def trusted_folder(path: Path) -> Path:
    """The longest start of an absolute path that is trusted to hold no hostile link; what lies below may come from others.

    It is the current folder, as Python or as the shell writes it, or the home folder. For any other path it is the path's
    first folder, so that `/tmp` and `/home` may be links.
    """
    shell = Path(os.environ.get("PWD", os.curdir))
    here = [Path.cwd(), *([shell] if shell.is_absolute() and shell.exists() and shell.samefile(Path.cwd()) else [])]
    with contextlib.suppress(RuntimeError):  # no home folder is known
        here.append(Path.home())
    first = Path(*path.parts[: min(2, len(path.parts) - 1)])
    return max(
        (folder for folder in (first, *here) if path.is_relative_to(folder)), key=lambda folder: len(folder.parts)
    )


def _open_below(below: Path, path: Path) -> int:
    """Open a file without following links: open each folder on its path below `below` in turn. Returns the descriptor."""
    parts = path.relative_to(below).parts
    if not parts:
        raise Unreadable(message("this is a folder, not a file."))
    folder = os.open(below, _FOLLOWED)
    try:
        for part in parts[:-1]:
            if stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode):
                said = message(
                    "the folder {folder} on its path is a link: give a path without links.", folder=repr(part)
                )
                raise Unreadable(said)
            inner = os.open(part, _UNFOLLOWED, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], _checked(parts[-1], _UNFOLLOWED, folder), dir_fd=folder)
    finally:
        os.close(folder)


def _checked(path: str | Path, flags: int, folder: int | None = None) -> int:
    """These flags, once it is checked that the path is a regular file: opening another kind could wait, or act."""
    _regular(os.stat(path, dir_fd=folder, follow_symlinks=flags == _FOLLOWED))
    return flags


def _regular(status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise Unreadable(message("a link, not a file: give the file itself."))
    if stat.S_ISDIR(status.st_mode):
        raise Unreadable(message("this is a folder, not a file."))
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(message("not a regular file."))


def free_names(stem: str, suffix: str = "") -> Iterator[str]:
    """A name, and others that may be free where it is taken: `stub.py`, `stub-1.py`, `stub-2.py`, ..."""
    yield f"{stem}{suffix}"
    for count in itertools.count(1):
        yield f"{stem}-{count}{suffix}"


def write_new(folder: Path, free: Iterator[str], data: bytes, *, mode: int = 0o644) -> Path:
    """Write a whole file under the first name that is free, and return its path. No file is written over.

    Raises:
        FileExistsError: where no name is free.
        OSError: where the folder cannot be written.
    """
    temporary = _written(folder, data, mode)
    try:
        return _at_a_free_name(folder, free, lambda path: _put(temporary, path))
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _put(temporary: str, path: Path) -> None:
    """Give a file a name that is free."""
    try:
        os.link(temporary, path)  # it fails if the name is there
    except FileExistsError:
        raise
    except OSError:  # a filesystem without links
        _move(Path(temporary), path)


def move_to_new(path: Path, free: Iterator[str]) -> Path:
    """Rename whatever lies at a path to the first free name beside it, and return that. Raises OSError where it cannot."""
    return _at_a_free_name(path.parent, free, lambda aside: _move(path, aside))


def _move(path: Path, aside: Path) -> None:
    """Rename what lies at a path to a name that is free: the name is taken first, since a rename would write over it."""
    folder = path.is_dir() and not path.is_symlink()
    if folder:
        aside.mkdir(mode=0o700)
    else:
        os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    try:
        os.replace(path, aside)
    except BaseException:
        os.rmdir(aside) if folder else os.unlink(aside)
        raise


def _at_a_free_name(folder: Path, free: Iterator[str], take: Callable[[Path], None]) -> Path:
    for name in free:
        with contextlib.suppress(FileExistsError):
            take(folder / name)
            return folder / name
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def private_folder(path: Path) -> None:
    """Make a folder, and those on its path that are missing, which nobody else may enter. One that is there stays as it is.

    Raises:
        OSError: where it cannot be made.
    """
    for folder in reversed([folder for folder in (path, *path.parents) if not folder.exists()]):
        folder.mkdir(mode=0o700, exist_ok=True)


def write_atomically(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a temporary file beside the target, and rename it to the target.

    After an interruption the target is as it was, and no temporary file is left.

    Args:
        mode: who may read and write the file. Folders that are missing are made: for a `PRIVATE` file, private ones.

    Raises:
        OSError: where the folder cannot be written.
    """
    temporary = _written(path.parent, data, mode, prefix=f".{path.name}.")
    try:
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _written(folder: Path, data: bytes, mode: int, prefix: str = ".new.") -> str:
    """Write a temporary file in a folder, which is made if it is missing. Returns its path."""
    if mode == PRIVATE:
        private_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=prefix)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    return temporary


def in_utf8(text: str) -> str:
    """A text of Python that declares UTF-8 where it declared another encoding: it is kept so (see `text_of`)."""
    return text if _declared(text.encode()) == "utf-8" else _CODING.sub(r"\1utf-8", text, count=1)


def rewrite_text(path: Path, text: str) -> bool:
    """Put another text into somebody's own file, which keeps its mode, its line ends, and its mark of UTF-8.

    Where the path is a link, the file that it leads to is written. Where there is no file, one is made.

    Args:
        text: with the line endings of Linux, as `read_text` gives it.

    Returns:
        whether there was anything to write.

    Raises:
        Unreadable: where there is something else than a text in UTF-8, or in the encoding that it declares.
        OSError: where it cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        before, mode = read_regular(target, LARGEST_TEXT), stat.S_IMODE(target.stat().st_mode)
    except Missing:
        before, mode = b"", 0o644
    if before and text_of(before, python=path.suffix.lower() == ".py") == text:
        return False
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    ends = "\r\n" if before.count(b"\r\n") * 2 > before.count(b"\n") else "\n"
    write_atomically(target, mark + text.replace("\n", ends).encode(), mode=mode)
    return True


def size_text(size: int) -> str:
    """A number of bytes in the largest unit that fits: 4 GB, 512 MB."""
    for unit, factor in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= factor:
            return f"{size / factor:.0f} {unit}" if size >= 100 * factor else f"{size / factor:.3g} {unit}"
    return str(plural_message("{count} bytes", "{count} bytes", size))
