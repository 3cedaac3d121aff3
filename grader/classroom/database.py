"""The file of a gradebook: where it lies, its one writer, and one clear line for whatever is wrong with it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from grader.classroom.tree import archive_suffix
from grader.kit.files import Missing, Unreadable, open_regular
from grader.kit.kit import KitError

APPLICATION, VERSION = 0x67726164, 9
"""What SQLite keeps in the head of a file: whose it is, and the version of its tables, and of the form of a `Verdict`."""

TYPES = {
    "TEXT": "('text', 'null')",
    "INTEGER": "('integer', 'null')",
    "REAL": "('real', 'integer')",
    "BLOB": "('blob')",
}
"""What SQLite's `typeof` says of values in columns of each type. What may not be null cannot be: SQLite sees to that."""

SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""What a journal ends with that names a super-journal (SQLite's file format, section 3)."""

SECONDS_FOR_A_LOCK = 30.0
"""Seconds to wait while another process reads, or writes one verdict."""


class Unusable(KitError):
    """A gradebook that cannot be used. The message is one line that says why, and what to do."""


class Database:
    """An open file. Only one process at a time may write to it; others may read it meanwhile.

    Args:
        write: whether to write: the file is then made if there is none.

    Raises:
        Unusable: where it cannot be opened, is no gradebook, or another process writes to it. Every method raises this where
            the file cannot be read or written.
    """

    def __init__(self, path: Path, tables: str, *, write: bool) -> None:
        self.path, self._writes = path, write
        self._held = contextlib.ExitStack()
        _check_kind(path, write)
        try:
            if write:
                self._held.enter_context(_only_writer(path))
            _check_beside(Path(os.path.realpath(path)))  # where SQLite looks for them
            with self._telling():
                self._database = self._open(tables, write)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._held.close()

    def _open(self, tables: str, write: bool) -> sqlite3.Connection:
        mode = "rwc" if write else "rw"
        where = f"file:{quote(os.fsencode(os.path.abspath(self.path)))}?mode={mode}"
        database = sqlite3.connect(where, uri=True, isolation_level=None, timeout=SECONDS_FOR_A_LOCK)
        self._held.callback(database.close)
        database.execute("PRAGMA trusted_schema = OFF")
        ((application,),) = database.execute("PRAGMA application_id")
        ((version,),) = database.execute("PRAGMA user_version")
        ((count,),) = database.execute("SELECT count(*) FROM sqlite_master")
        if write and not (application or version or count):
            # Not WAL: it fails on the network filesystems where the home folders of clusters lie.
            database.execute("PRAGMA journal_mode = DELETE")
            heads = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            database.executescript(f"BEGIN IMMEDIATE; {tables} {heads} COMMIT;")
        elif application != APPLICATION:
            raise Unusable(f"{self.path} is not a gradebook of this grader: give another --gradebook FILE.")
        elif version != VERSION:
            raise Unusable(
                f"{self.path} is a gradebook of version {version}, and this grader reads version {VERSION}. It stays as it "
                "is, for the grader that made it: `class grade FOLDER --gradebook FILE` grades the class into a new one."
            )
        self._check_tables(database, tables)
        database.execute("PRAGMA synchronous = EXTRA")
        return database

    def _check_tables(self, database: sqlite3.Connection, tables: str) -> None:
        """Refuse views, triggers, generated columns and values of other types: somebody else may have made the file."""
        with contextlib.closing(sqlite3.connect(":memory:")) as empty:
            empty.executescript(tables)
            expected = _schema(empty)
        found = _schema(database)
        if found != expected:
            other = min(found.keys() ^ expected.keys(), default=None) or min(
                entry for entry in found if found[entry] != expected[entry]
            )
            raise Unusable(f"{self.path} is no gradebook that this grader made: look at {other[1]!r} in it.")
        for (kind, table), columns in expected.items():
            if kind == "table" and columns:
                wrong = " OR ".join(f"typeof({name}) NOT IN {TYPES[type_]}" for name, type_, *_ in columns)
                if database.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchone():
                    raise Unusable(f"{self.path} holds values of other types in {table!r}: something else wrote it.")

    def all(self, query: str, *values: Any) -> list[Any]:
        """The rows that a query gives."""
        with self._telling():
            return self._database.execute(query, values).fetchall()

    def change(self, statement: str, *rows: Sequence[Any]) -> None:
        """Do a statement with each of some rows of values, in one transaction: for all of them, or for none."""
        with self.together():
            self._database.executemany(statement, rows)

    @contextlib.contextmanager
    def together(self) -> Generator[None]:
        """Do all changes of a block in one transaction. Who opened the file to read is its writer meanwhile."""
        if self._database.in_transaction:
            yield  # it is a part of another one
            return
        with contextlib.nullcontext() if self._writes else _only_writer(self.path), self._telling():
            try:
                self._database.execute("BEGIN IMMEDIATE")
                yield
                self._database.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    if self._database.in_transaction:
                        self._database.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _telling(self) -> Generator[None]:
        """Turn an error of SQLite into one line."""
        try:
            yield
        except sqlite3.Error as error:
            raise Unusable(_said(self.path, error)) from error


def _schema(database: sqlite3.Connection) -> dict[tuple[str, str], frozenset[tuple[Any, ...]]]:
    """What a file holds, by kind and name: of a table its columns, each with its type and whether it is computed."""
    listed = database.execute(
        "SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).fetchall()
    return {
        (kind, name): frozenset(
            (column, type_, hidden)
            for _, column, type_, _, _, _, hidden in database.execute(
                "SELECT * FROM pragma_table_xinfo(?)", (name if kind == "table" else "",)
            )
        )
        for kind, name in listed
    }


def _check_beside(path: Path) -> None:
    """Refuse what SQLite would follow to other files.

    The journal that a stopped writer leaves is played back. One that names a super-journal makes SQLite delete files, and no
    journal of this grader does.
    """
    for ending in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        try:
            with open_regular(beside, below=beside.parent) as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - len(SUPER_JOURNAL)))
                whole = ending == "-journal" and file.read() != SUPER_JOURNAL
        except Missing:  # as it mostly is, or as soon as the writer has ended its transaction
            continue
        except Unreadable:
            whole = False
        if not whole:
            raise Unusable(
                f"{beside} is not a file that this grader makes: move it away, and look at where it comes from."
            )


def _check_kind(path: Path, write: bool) -> None:
    """Refuse what is not a regular file before SQLite opens it: opening a FIFO would wait."""
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        if write and path.parent.is_dir():
            return
        if write:
            raise Unusable(f"{path} cannot be made: the folder {path.parent} does not exist.") from None
        raise Unusable(f"{path}: there is no such gradebook. `class grade FOLDER` makes one.") from None
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}.") from None
    if not stat.S_ISREG(kind):
        raise Unusable(f"{path} is not a file, and so it is no gradebook: give another --gradebook FILE.")


@contextlib.contextmanager
def _only_writer(path: Path) -> Generator[None]:
    """Hold the lock of a gradebook's writer. The system releases it when this process ends, however it ends."""
    from filelock import FileLock, Timeout

    lock = path.with_name(f".{path.name}.lock")
    try:
        _make(lock)  # here, because `FileLock` takes some errors of it for another holder
        with FileLock(lock, timeout=0, fallback_to_soft=False):
            _make(path)
            yield
    except Timeout:
        raise Unusable(f"Another process is grading into {path}: wait until it ends, or stop it first.") from None
    except (OSError, NotImplementedError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Unusable(f"{path} cannot be made or locked ({why}): give a --gradebook FILE elsewhere.") from error


def _make(path: Path) -> None:
    """Make an empty file if there is none, which SQLite takes for a new one. Nobody else may read answers of students."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))


def _said(path: Path, error: sqlite3.Error) -> str:
    name = str(getattr(error, "sqlite_errorname", ""))
    if name == "SQLITE_FULL":
        return f"{path}: no space is left on its device. Make room, and run the same command again: it goes on."
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"{path} cannot be written: give a --gradebook FILE in a folder that you may write to."
    if name == "SQLITE_NOTADB":
        return f"{path} is not a gradebook: give another --gradebook FILE."
    if name.startswith("SQLITE_BUSY"):
        return f"{path} is in use by another program: close it there, and run the same command again."
    return f"{path}: {error}. If its disk is sound, the file is damaged: go on from a copy, or with a new --gradebook FILE."


SUFFIX = ".gradebook"


def gradebook_beside(folder: Path) -> Path:
    """The gradebook of a folder or of an archive: `week1` and `week1.zip` have `week1.gradebook`."""
    whole = Path(os.path.abspath(folder))
    if not whole.name:
        raise Unusable(f"{folder} has no place beside it for a gradebook: give --gradebook FILE.")
    return whole.with_name(f"{_bare(whole).name}{SUFFIX}")


def is_archive(path: Path) -> bool:
    """Whether it is called as an archive is."""
    return bool(archive_suffix(path.name)) and not path.is_dir()


def _bare(path: Path) -> Path:
    """The path of an archive without what its name ends in: that of the folder that it would be unpacked to."""
    return path.with_name(path.name[: -len(archive_suffix(path.name))]) if is_archive(path) else path


def find_gradebook(given: Path) -> Path:
    """The gradebook that a command means: one that is named, or that of the folder that is named."""
    class_of = given.is_dir() or is_archive(given) or (not given.exists() and gradebook_beside(given).exists())
    return gradebook_beside(given) if class_of else given


def name_of(folder: Path) -> str:
    """A folder as gradebooks hold it: its whole path, in which every character can be written."""
    whole = Path(os.path.realpath(folder))
    named = _bare(whole)  # an archive and the folder that was unpacked from it are one class
    return str(named).encode("utf-8", "backslashreplace").decode()


def recorded_path(path: Path) -> str:
    """A file or a folder as gradebooks tell it: where it was given, in characters that can be written."""
    return os.path.abspath(path).encode("utf-8", "backslashreplace").decode()


def shortest_path(path: Path) -> Path:
    """A path as it is, or from the current folder if that is shorter."""
    return Path(min(os.path.relpath(path), str(path), key=len))
