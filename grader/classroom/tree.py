"""What was handed in, as a tree: a folder on disk, or an archive as it was downloaded, which is never unpacked to disk."""

from __future__ import annotations

import contextlib
import gzip
import io
import re
import stat
import struct
import tarfile
import unicodedata
import weakref
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import BinaryIO, Self

from grader.classroom.file_names import SUFFIXES, ignored
from grader.classroom.submission import OfStudent, UploadNumber
from grader.kit.files import Unreadable, open_regular, read_handed_in, size_text, text_of

ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")

LARGEST_ARCHIVE = 1 << 24
"""The most bytes of an archive that a student handed in."""

LARGEST_CONTENT = 1 << 26
"""The most bytes that are read out of one archive of a student, of all its files together."""

LARGEST_TAR_OF_A_CLASS = 1 << 28
"""The most bytes that a tar file of a whole class holds: unlike a zip, it is in memory as a whole."""

MOST_MEMBERS_OF_A_ZIP = 2_000
"""The most files and folders in an archive of a student."""

MOST_MEMBERS_OF_A_CLASS = 100_000
"""The most files and folders in the archive of a class."""

LONGEST_PATH, MOST_FOLDERS_OF_A_PATH = 1_000, 40
"""The most characters, and the most folders, of a path in an archive that is looked at."""

_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The methods of compression that unpack in memory that does not depend on the file."""

_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError, tarfile.TarError),
)
"""What `zipfile`, `tarfile` and `gzip` raise for a damaged file."""


def archive_suffix(name: str) -> str:
    """What the name of an archive ends in: `.zip`, of `WEEK1.ZIP` too; empty if it is no such name."""
    return next((archive for archive in ARCHIVES if name.lower().endswith(archive)), "")


@dataclass(frozen=True)
class TreeEntry(ABC):
    """A file or a folder.

    Attributes:
        path: its path below the class, with `/`; empty for the class itself.
        why: why it may not be read; empty where it may.
    """

    name: str
    path: str
    is_folder: bool
    why: str = ""

    @property
    def suffix(self) -> str:
        """`.py`, of `ROPE.PY` too; empty for a folder."""
        return "" if self.is_folder else archive_suffix(self.name) or Path(self.name).suffix.lower()

    @property
    def packed(self) -> bool:
        """Whether it lies in an archive that a student handed in."""
        return False

    def to_do(self, change: str) -> str:
        """How to change it: `move it to ...`."""
        return change

    @abstractmethod
    def inside(self) -> list[TreeEntry]:
        """What a folder holds, by name.

        Raises:
            Unreadable: it cannot be read.
        """

    @abstractmethod
    def data(self, limit: int) -> bytes:
        """The bytes of a file, at most so many.

        Raises:
            Unreadable: it cannot be read, or is larger.
        """

    def text(self, limit: int) -> str:
        """The text of a file of at most so many bytes.

        Raises:
            Unreadable: it cannot be read, is larger, or is no text.
        """
        return text_of(self.data(limit), python=self.suffix == ".py")


@dataclass(frozen=True)
class OnDisk(TreeEntry):
    """An entry of a folder. No link is followed below `root`."""

    root: Path = field(default=Path())

    @staticmethod
    def of(root: Path) -> OnDisk:
        """A folder as the root of a tree."""
        return OnDisk(root.name or root.resolve().name, "", is_folder=True, root=root)

    @property
    def _where(self) -> Path:
        return self.root / self.path

    def inside(self) -> list[TreeEntry]:
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

    def stream(self) -> BinaryIO:
        """A file to seek and read in, of any size.

        Raises:
            Unreadable: it cannot be read.
        """
        return open_regular(self._where, below=self.root)

    def data(self, limit: int) -> bytes:
        return read_handed_in(self._where, limit, below=self.root)


class _Zip:
    """What a zip holds. `left` is how many bytes may still be read out of it; None: any number."""

    def __init__(self, file: zipfile.ZipFile, left: int | None) -> None:
        self.file, self.left, self.members = file, left, file.infolist()

    def read(self, number: int, limit: int) -> bytes:
        info = self.members[number]
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


class _Tar:
    """A tar file, which is read once from its beginning to its end. All bytes count that come out of its compression."""

    def __init__(self, left: int | None) -> None:
        self.left = left
        self.members: list[bytes] = []

    def read(self, number: int, limit: int) -> bytes:
        data = self.members[number]
        if len(data) > limit:
            raise Unreadable(f"larger than it may be: {size_text(len(data))}, of {size_text(limit)} at most.")
        return data


class _Counted(io.RawIOBase):
    """A stream of which no more than some bytes are read: what a file states of its own size is not believed."""

    def __init__(self, file: BinaryIO | gzip.GzipFile, most: int) -> None:
        super().__init__()
        self.file, self.left, self.most = file, most, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self.file.read(min(len(buffer), self.left + 1))
        self.left -= len(data)
        if self.left < 0:
            raise Unreadable(f"the archive holds more than {size_text(self.most)}: hand in the answers alone.")
        buffer[: len(data)] = data
        return len(data)


_Content = _Zip | _Tar


@dataclass(frozen=True)
class _Member:
    """A member of an archive: its name, whether it is a folder, why it may not be read, and its number in the content."""

    parts: list[str]
    is_folder: bool
    why: str
    number: int


@dataclass(frozen=True)
class InArchive(TreeEntry):
    """An entry of an archive: its names are checked, and its bytes are read when somebody asks for them.

    Attributes:
        number: of a file, its number in the content.
        held: what a folder holds, by name.
    """

    content: _Content | None = field(default=None, compare=False)
    number: int | None = None
    held: dict[str, InArchive] = field(default_factory=dict[str, "InArchive"], compare=False)

    @property
    def packed(self) -> bool:
        return self.content is not None and self.content.left is not None

    def to_do(self, change: str) -> str:
        return f"unpack the archive, and {change}"

    def inside(self) -> list[TreeEntry]:
        return [self.held[name] for name in sorted(self.held)]

    def data(self, limit: int) -> bytes:
        assert self.content is not None
        if self.number is None:
            raise Unreadable("this is a folder, not a file.")
        return self.content.read(self.number, limit)


@contextlib.contextmanager
def opened_class(path: Path) -> Generator[TreeEntry]:
    """The tree of a class: of a folder, or of an archive.

    Raises:
        Unreadable: it is neither.
    """
    if path.is_dir():
        yield OnDisk.of(path)
        return
    if path.exists() and not archive_suffix(path.name):
        raise Unreadable(f"this is neither a folder nor an archive that is read: {', '.join(ARCHIVES)}.")
    with open_regular(path) as file:
        yield _opened(file, path.name, "", None, MOST_MEMBERS_OF_A_CLASS)


def class_in(entry: TreeEntry) -> TreeEntry:
    """An archive of a whole class, as the folder that it is.

    Raises:
        Unreadable: it is no archive.
    """
    with contextlib.ExitStack() as stack:
        file = entry.stream() if isinstance(entry, OnDisk) else io.BytesIO(entry.data(LARGEST_ARCHIVE))
        top = _opened(stack.enter_context(file), entry.name, entry.path, None, MOST_MEMBERS_OF_A_CLASS)
        weakref.finalize(top.content, stack.pop_all().close)  # which every entry of the archive holds
    return top


def unpacked(entry: TreeEntry) -> TreeEntry:
    """An archive that a student handed in, as the folder that it is.

    Raises:
        Unreadable: it is no archive, or larger than one may be.
    """
    file = io.BytesIO(entry.data(LARGEST_ARCHIVE))
    return _opened(file, entry.name, entry.path, LARGEST_CONTENT, MOST_MEMBERS_OF_A_ZIP)


def _opened(file: BinaryIO, name: str, path: str, left: int | None, most: int) -> InArchive:
    suffix = archive_suffix(name)
    content, members = _of_zip(file, left, most) if suffix == ".zip" else _of_tar(file, suffix, left, most)
    top = InArchive(name[: -len(suffix)], path, is_folder=True, content=content)
    counted = Counter(tuple(member.parts) for member in members)
    for member in members:
        _put(top, member, twice=counted[tuple(member.parts)] > 1)
    return top


def _of_zip(file: BinaryIO, left: int | None, most: int) -> tuple[_Content, list[_Member]]:
    try:
        content = _Zip(zipfile.ZipFile(file), left)
    except _BROKEN as error:
        raise Unreadable(f"this is no zip that can be read ({error}): download it again.") from None
    if len(content.members) > most:
        raise Unreadable(f"{len(content.members)} files and folders are in it, and {most} at most are read.")
    members: list[_Member] = []
    for number, info in enumerate(content.members):
        name = info.filename
        if not info.flag_bits & 0x800:  # macOS writes UTF-8 and does not say so
            with contextlib.suppress(UnicodeError):
                name = name.encode("cp437").decode("utf-8")
        why = _LINK if stat.S_ISLNK(info.external_attr >> 16) else ""
        members.append(_Member(_parts(name), info.is_dir() or name.endswith("\\"), why, number))
    return content, members


class _Header(tarfile.TarInfo):
    """A header of a tar. A damaged one is an error: tarfile takes it, and the place where a file was cut, for the end."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):
                raise
            raise tarfile.ReadError(f"it is damaged or not whole: {error}") from None


def _of_tar(file: BinaryIO, suffix: str, left: int | None, most: int) -> tuple[_Content, list[_Member]]:
    content, members = _Tar(left), list[_Member]()
    plain = file if suffix == ".tar" else gzip.GzipFile(fileobj=file)
    stream = _Counted(plain, LARGEST_TAR_OF_A_CLASS if left is None else left)
    try:
        # As a stream: nothing is sought, so that each byte that comes out is counted once.
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive:
            for info in archive:
                data = archive.extractfile(info) if info.isreg() and not info.issparse() else None
                content.members.append(data.read() if data is not None else b"")
                why = "" if data is not None or info.isdir() else _LINK if info.issym() or info.islnk() else _NO_FILE
                members.append(_Member(_parts(info.name.removeprefix("./")), info.isdir(), why, len(members)))
                if len(members) > most:
                    raise Unreadable(f"more than {most} files and folders are in it, and so many at most are read.")
    except _BROKEN as error:
        raise Unreadable(f"this is no tar file that can be read ({error}): pack it again, as a zip.") from None
    return content, [member for member in members if member.parts != ["."]]


_LINK = "a link: hand in what it leads to."
_NO_FILE = "neither a file nor a folder: hand in the file itself."


def _parts(name: str) -> list[str]:
    return unicodedata.normalize("NFC", name).replace("\\", "/").removesuffix("/").split("/")


def _put(top: InArchive, member: _Member, *, twice: bool) -> None:
    """Add a member to a tree. What nobody can place safely is an entry that says why it is not read."""
    parts, whole = member.parts, "/".join(member.parts)
    if len(whole) > LONGEST_PATH or len(parts) > MOST_FOLDERS_OF_A_PATH:
        _refuse(top, f"{whole[:40]}…", "its path in the archive is longer or deeper than that of an answer.")
        return
    if any(part in ("", ".", "..") for part in parts) or re.match("[A-Za-z]:", parts[0]):
        _refuse(top, whole, "its name in the archive leads out of the archive.")
        return
    folder = top
    for part in parts[:-1]:
        inner = folder.held.get(part)
        if inner is None or not inner.is_folder:
            if inner is not None:
                _refuse(folder, part, "a file and a folder of the archive have this name.")
                return
            inner = InArchive(part, _joined(folder.path, part), is_folder=True, content=top.content)
            folder.held[part] = inner
        folder = inner
    name = parts[-1]
    known, place = folder.held.get(name), _joined(folder.path, name)
    if member.is_folder and (known is None or known.is_folder):
        folder.held.setdefault(name, InArchive(name, place, is_folder=True, content=top.content))
    elif known is not None or twice:
        _refuse(folder, name, "two files of the archive have this name: nobody can say which of them counts.")
    else:
        folder.held[name] = InArchive(name, place, False, member.why, top.content, member.number)


def _refuse(folder: InArchive, name: str, why: str) -> None:
    shown = name.lstrip("./") or "?"  # a name that begins with a dot would be one of a hidden file
    folder.held[name] = InArchive(shown, _joined(folder.path, name), False, why, folder.content)


def _joined(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


@dataclass(frozen=True)
class Whose(OfStudent):
    """Whose a file or a folder is.

    Attributes:
        student: the id that the system gives. Of a team without members, the team.
        called: the name that the system writes beside the id: one id has one name.
        assignment: what it answers, where the name tells: all of a class answer one.
        file: what the student called the file; empty for a folder.
        problem: where something else than the name of the file says it.
        submitted: ISO 8601 in UTC; empty where the name does not tell.
        late: whether the system marks it as late.
        team: the id of those who handed it in together.
        others: what else the name may say: a name of a student may hold what stands between the parts of a name.
    """

    student: str
    called: str = ""
    file: str = ""
    assignment: str = ""
    problem: str = ""
    attempt: UploadNumber | None = None
    submitted: str = ""
    late: bool = False
    team: str = ""
    others: tuple[Whose, ...] = ()


def may_hold_answers(entry: TreeEntry) -> bool:
    """Whether it is a folder, an archive, or a file of Python or of Jupyter, that may be read."""
    return not entry.why and (entry.is_folder or entry.suffix in (*SUFFIXES, *ARCHIVES))


@dataclass(frozen=True)
class Listing:
    """What a rule looks at.

    Attributes:
        entries: what lies in it, but for hidden files and what programs save.
        zone: of the times that name none; None for that of this machine.
        holds: which of the entries the rule is for.
    """

    name: str
    entries: Sequence[TreeEntry]
    problems: Collection[str]
    zone: tzinfo | None = None
    holds: Callable[[TreeEntry], bool] = may_hold_answers

    @property
    def answers(self) -> list[TreeEntry]:
        """What may hold answers."""
        return [entry for entry in self.entries if self.holds(entry)]


def held_in(entry: TreeEntry) -> list[TreeEntry]:
    """What a folder holds, but for hidden files and what programs save; nothing where it cannot be read."""
    try:
        return [child for child in entry.inside() if not ignored(child.name)]
    except Unreadable:
        return []


Whom = Mapping[str, Sequence[Whose]]
"""By the name of an entry that the system wrote, whose it is: several people where it names several, nobody where it tells
none."""
