"""What was handed in, as a tree: a folder on disk, or a zip as it was downloaded, which is never unpacked to disk."""

from __future__ import annotations

import contextlib
import io
import re
import stat
import struct
import unicodedata
import weakref
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from grader.kit.files import Unreadable, open_regular, read_handed_in, read_text, size_text, text_of

ZIP = ".zip"

LARGEST_ARCHIVE = 1 << 24
"""The most bytes of a zip that a student handed in."""

LARGEST_CONTENT = 1 << 26
"""The most bytes that are read out of one zip of a student, of all its files together."""

MOST_MEMBERS_OF_A_ZIP = 2_000
"""The most files and folders in a zip of a student."""

MOST_MEMBERS_OF_A_CLASS = 100_000
"""The most files and folders in the zip of a class."""

LONGEST_PATH, MOST_FOLDERS_OF_A_PATH = 1_000, 40
"""The most characters, and the most folders, of a path in a zip that is looked at."""

_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those methods alone unpack in memory that does not depend on the file."""

_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError),
)
"""What `zipfile` raises for a damaged file."""


@dataclass(frozen=True)
class Entry(ABC):
    """A file or a folder.

    Attributes:
        name: its own name.
        path: its path below the class, with `/`; empty for the class itself.
        is_folder: whether it is a folder.
        why: why it may not be read; empty where it may.
    """

    name: str
    path: str
    is_folder: bool
    why: str = ""

    @property
    def suffix(self) -> str:
        """`.py`, of `ROPE.PY` too; empty for a folder."""
        return "" if self.is_folder else Path(self.name).suffix.lower()

    @property
    def packed(self) -> bool:
        """Whether it lies in a zip that a student handed in."""
        return False

    @abstractmethod
    def inside(self) -> list[Entry]:
        """What a folder holds, by name.

        Raises:
            Unreadable: it cannot be read.
        """

    @abstractmethod
    def text(self, limit: int) -> str:
        """The text of a file of at most so many bytes.

        Raises:
            Unreadable: it cannot be read, is larger, or is no text.
        """

    @abstractmethod
    def stream(self) -> BinaryIO:
        """A file to seek and read in, of any size.

        Raises:
            Unreadable: it cannot be read.
        """

    @abstractmethod
    def data(self, limit: int) -> bytes:
        """The bytes of a file, at most so many.

        Raises:
            Unreadable: it cannot be read, or is larger.
        """


@dataclass(frozen=True)
class OnDisk(Entry):
    """An entry of a folder. No link is followed below `root`."""

    root: Path = field(default=Path())

    @staticmethod
    def of(root: Path) -> OnDisk:
        """A folder as the root of a tree."""
        return OnDisk(root.name or root.resolve().name, "", is_folder=True, root=root)

    @property
    def _where(self) -> Path:
        return self.root / self.path

    def inside(self) -> list[Entry]:
        try:
            paths = sorted(self._where.iterdir())
        except OSError as error:
            raise Unreadable(f"cannot be read: {error.strerror}.") from None
        return [self._entry(path) for path in paths]

    def _entry(self, path: Path) -> OnDisk:
        link = path.is_symlink()
        why = "a link: put what it leads to in its place." if link else ""
        inner = path.relative_to(self.root).as_posix()
        return OnDisk(path.name, inner, is_folder=path.is_dir() and not link, why=why, root=self.root)

    def text(self, limit: int) -> str:
        return read_text(self._where, below=self.root, limit=limit)

    def stream(self) -> BinaryIO:
        return open_regular(self._where, below=self.root)

    def data(self, limit: int) -> bytes:
        return read_handed_in(self._where, limit, below=self.root)


@dataclass
class _Content:
    """The file of a zip. `left` is how many bytes may still be read out of it; None: any number."""

    file: zipfile.ZipFile
    left: int | None

    def read(self, info: zipfile.ZipInfo, limit: int) -> bytes:
        if info.file_size > limit:
            raise Unreadable(f"larger than it may be: {size_text(info.file_size)}, of {size_text(limit)} at most.")
        if self.left is not None and info.file_size > self.left:
            raise Unreadable(f"the archive holds more than {size_text(LARGEST_CONTENT)}: hand in the answers alone.")
        if info.flag_bits & 1:
            raise Unreadable("it is encrypted: hand it in without a password.")
        if info.compress_type not in _PACKED:
            raise Unreadable("it is packed in a way that is not read here: unpack it in its place.")
        if self.left is not None:
            self.left -= info.file_size
        try:
            with self.file.open(info) as file:
                data = file.read(limit + 1)  # the size that the archive states need not be so
        except _BROKEN as error:
            raise Unreadable(f"it cannot be read from the archive ({error}).") from None
        if self.left is not None:
            self.left -= max(len(data) - info.file_size, 0)
        if len(data) > limit:
            raise Unreadable(f"larger than it may be: {size_text(limit)} at most.")
        return data


@dataclass(frozen=True)
class InZip(Entry):
    """An entry of a zip: its names are checked, and its bytes are read when somebody asks for them."""

    content: _Content | None = field(default=None, compare=False)
    info: zipfile.ZipInfo | None = field(default=None, compare=False)
    held: dict[str, InZip] = field(default_factory=dict[str, "InZip"], compare=False)

    @property
    def packed(self) -> bool:
        return self.content is not None and self.content.left is not None

    def inside(self) -> list[Entry]:
        return [self.held[name] for name in sorted(self.held)]

    def text(self, limit: int) -> str:
        return text_of(self.data(limit), python=self.suffix == ".py")

    def stream(self) -> BinaryIO:
        return io.BytesIO(self.data(LARGEST_ARCHIVE))

    def data(self, limit: int) -> bytes:
        assert self.content is not None
        if self.info is None:
            raise Unreadable("this is a folder, not a file.")
        return self.content.read(self.info, limit)


@contextlib.contextmanager
def opened_class(path: Path) -> Generator[Entry]:
    """The tree of a class: of a folder, or of a zip.

    Raises:
        Unreadable: it is neither.
    """
    if path.is_dir():
        yield OnDisk.of(path)
        return
    if path.exists() and path.suffix.lower() != ZIP:
        raise Unreadable("this is neither a folder nor a zip.")
    with open_regular(path) as file:
        yield _of_zip(file, path.stem, "", None, MOST_MEMBERS_OF_A_CLASS)


def class_in(entry: Entry) -> Entry:
    """A zip of a whole class, as the folder that it is.

    Raises:
        Unreadable: it is no zip.
    """
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(entry.stream())
        top = _of_zip(file, Path(entry.name).stem, entry.path, None, MOST_MEMBERS_OF_A_CLASS)
        weakref.finalize(top.content, stack.pop_all().close)  # which every entry of the zip holds
    return top


def unpacked(entry: Entry) -> Entry:
    """A zip that a student handed in, as the folder that it is.

    Raises:
        Unreadable: it is no zip, or larger than one may be.
    """
    file = io.BytesIO(entry.data(LARGEST_ARCHIVE))
    return _of_zip(file, Path(entry.name).stem, entry.path, LARGEST_CONTENT, MOST_MEMBERS_OF_A_ZIP)


def _of_zip(file: BinaryIO, name: str, path: str, left: int | None, most: int) -> InZip:
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as error:
        raise Unreadable(f"this is no zip that can be read ({error}): download it again.") from None
    members = archive.infolist()
    if len(members) > most:
        raise Unreadable(f"{len(members)} files and folders are in it, and {most} at most are read.")
    top = InZip(name, path, is_folder=True, content=_Content(archive, left))
    parts = {id(info): _parts(info) for info in members}
    counted = Counter(tuple(one) for one in parts.values())
    for info in members:
        _put(top, info, parts[id(info)], twice=counted[tuple(parts[id(info)])] > 1)
    return top


def _parts(info: zipfile.ZipInfo) -> list[str]:
    name = info.filename
    if not info.flag_bits & 0x800:  # macOS writes UTF-8 and does not say so
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name).replace("\\", "/").removesuffix("/").split("/")


def _put(top: InZip, info: zipfile.ZipInfo, parts: list[str], *, twice: bool) -> None:
    """Add a member to a tree. What nobody can place safely is an entry that says why it is not read."""
    whole = "/".join(parts)
    if len(whole) > LONGEST_PATH or len(parts) > MOST_FOLDERS_OF_A_PATH:
        _refuse(top, f"{whole[:40]}…", "its path in the archive is longer or deeper than that of an answer.")
        return
    if any(one in ("", ".", "..") for one in parts) or re.match("[A-Za-z]:", parts[0]):
        _refuse(top, whole, "its name in the archive leads out of the archive.")
        return
    folder = top
    for part in parts[:-1]:
        inner = folder.held.get(part)
        if inner is None or not inner.is_folder:
            if inner is not None:
                _refuse(folder, part, "a file and a folder of the archive have this name.")
                return
            inner = InZip(part, _joined(folder.path, part), is_folder=True, content=top.content)
            folder.held[part] = inner
        folder = inner
    name, is_folder = parts[-1], info.is_dir() or info.filename.endswith("\\")
    known = folder.held.get(name)
    if is_folder and (known is None or known.is_folder):
        folder.held.setdefault(name, InZip(name, _joined(folder.path, name), is_folder=True, content=top.content))
    elif known is not None or twice:
        _refuse(folder, name, "two files of the archive have this name: nobody can say which of them counts.")
    else:
        link = stat.S_ISLNK(info.external_attr >> 16)
        why = "a link: put what it leads to in its place." if link else ""
        folder.held[name] = InZip(name, _joined(folder.path, name), False, why, top.content, info)


def _refuse(folder: InZip, name: str, why: str) -> None:
    shown = name.lstrip("./") or "?"  # a name that begins with a dot would be one of a hidden file
    folder.held[name] = InZip(shown, _joined(folder.path, name), is_folder=False, why=why, content=folder.content)


def _joined(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name
