"""The file of a gradebook: one writer at a time, and one clear line for whatever else lies there or goes wrong."""

from __future__ import annotations

import os
import signal
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from grader.classroom.database import Database, Unusable
from grader.classroom.journal import TABLES, Journal
from grader.classroom.row import Outcome
from grader.classroom.submission import Submission
from grader.marking.verdict import Status, Verdict
from grader.values.message import NO_MESSAGE
from tests.conftest import ROOT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "week 1%.gradebook"


def refused(path: Path, *, write: bool) -> str:
    """The one line that says why a gradebook cannot be opened."""
    with pytest.raises(Unusable) as raised:
        Journal(path, write=write)
    (line,) = str(raised.value).splitlines()
    assert str(path) in line
    return line


def other_program(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE songs (name TEXT)")


def of_version(version: int, path: Path) -> None:
    with Journal(path, write=True) as journal:
        journal.keep("fresh", "7")
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {version}")


def damaged(path: Path) -> None:
    with Journal(path, write=True) as journal:
        journal.keep("fresh", "7" * 9000)
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


FOREIGN: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_text("ana,rope,1\n" * 100), "is not a gradebook"),
    "another program's": (other_program, "is not a gradebook"),
    "an earlier version's": (partial(of_version, 8), "grade FOLDER --gradebook FILE` grades the class into a new one"),
    "a later version's": (
        partial(of_version, 99),
        "of version 99, and this grader reads version 9. It stays as it is",
    ),
    "a folder": (Path.mkdir, "is not a file"),
    "a pipe": (os.mkfifo, "is not a file"),
    "a link to nothing": (lambda path: path.symlink_to("/nowhere/at/all"), ""),
}


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_no_gradebook_is_refused_in_one_line_and_left_as_it_is(kind: str, write: bool, path: Path) -> None:
    make, said = FOREIGN[kind]
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    assert said in refused(path, write=write)
    assert before == (path.read_bytes() if path.is_file() else b"")


def test_a_damaged_gradebook_is_told_in_one_line(path: Path) -> None:
    damaged(path)
    with pytest.raises(Unusable, match="the file is damaged") as raised, Journal(path) as journal:
        journal.rows()
    assert len(str(raised.value).splitlines()) == 1


def test_a_gradebook_that_is_not_there_is_made_only_for_writing(path: Path) -> None:
    assert "no such gradebook" in refused(path, write=False)
    assert not path.exists()
    Journal(path, write=True).__exit__()
    assert Journal(path).rows() == []


def test_a_folder_that_is_missing_or_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "does not exist" in refused(tmp_path / "none" / "week1.gradebook", write=True)
    assert not (tmp_path / "none").exists()
    if sys.platform == "linux":
        assert "cannot be made or locked" in refused(Path("/proc/week1.gradebook"), write=True)


def test_a_full_disk_keeps_what_was_told_and_says_that_the_same_command_goes_on(path: Path) -> None:
    with Journal(path, write=True) as journal:
        journal.keep("told", "1")
        journal._database.all("PRAGMA max_page_count = 1")  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(Unusable, match=r"no space is left.*it goes on"):
            journal.keep("too much", "x" * 100_000)
        assert (journal.setting("told"), journal.setting("too much")) == ("1", None)
    assert Journal(path).setting("told") == "1"


def test_no_second_process_writes_and_any_may_read(path: Path) -> None:
    with Journal(path, write=True) as journal:
        journal.keep("fresh", "7")
        assert "Another process is grading into" in refused(path, write=True)
        assert Journal(path).setting("fresh") == "7"
    Journal(path, write=True).__exit__()


HOLD = """
import sys, time
from pathlib import Path
from grader.classroom.journal import Journal
journal = Journal(Path(sys.argv[1]), write=True)
journal.keep("held", "yes")
print("held", flush=True)
time.sleep(60)
"""


def test_the_lock_of_a_writer_dies_with_its_process(path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], cwd=ROOT, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    assert "Another process" in refused(path, write=True)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with Journal(path, write=True) as journal:
        assert journal.setting("held") == "yes"


def test_statements_are_done_together_or_not_at_all(path: Path) -> None:
    database = Database(path, TABLES, write=True)
    keep = "INSERT INTO setting VALUES (?, ?)"
    with pytest.raises(Unusable):
        database.change(keep, ("a", "1"), ("a", "2"))
    assert database.all("SELECT * FROM setting") == []
    database.close()


def test_each_change_is_on_the_disk_before_it_is_told(path: Path) -> None:
    database = Database(path, TABLES, write=True)
    assert database.all("PRAGMA synchronous") == [(3,)], (
        "EXTRA: with a rollback journal, FULL may lose the last change in a power cut"
    )
    assert database.all("PRAGMA journal_mode") == [("delete",)], (
        "no WAL: home folders of clusters are network filesystems"
    )
    database.close()


def test_a_gradebook_is_for_its_owner_alone(path: Path) -> None:
    Journal(path, write=True).__exit__()
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def made(path: Path) -> Path:
    """A gradebook with one verdict."""
    with Journal(path, write=True) as journal:
        journal.hand_in("/week1", ["toy"], [Submission("ana", "toy", "ana/toy.py", "x = 1\n")], [])
        journal.grades_with("toy", "f", "p")
        ((identity, _),) = journal.due(["toy"])
        journal.record([(identity, Outcome(Verdict("toy", Status.WRONG, NO_MESSAGE)))])
    return path


def test_a_journal_that_names_a_super_journal_deletes_nothing(made: Path, tmp_path: Path) -> None:
    """The format is that of SQLite's documentation. The grader's own journals name none, and are played back."""
    victim = tmp_path / "victim.txt"
    victim.write_text("mine")
    page = struct.unpack(">H", made.read_bytes()[16:18])[0]
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    head = magic + struct.pack(">IIIII", 0, 0, made.stat().st_size // page, 512, page)
    tail = struct.pack(">I", (0x40000000 // page) + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    beside = made.with_name(f"{made.name}-journal")
    beside.write_bytes(head.ljust(512, b"\0") + tail)
    for write in (False, True):
        with pytest.raises(Unusable, match="is not a file that this grader makes"):
            Journal(made, write=write)
    assert victim.read_text() == "mine"
    beside.write_bytes(b"")  # as a writer that was stopped may leave it
    with Journal(made) as journal:
        assert len(journal.rows()) == 1


def test_a_journal_beside_the_file_that_a_link_leads_to_is_looked_at(made: Path, tmp_path: Path) -> None:
    """SQLite looks for it there."""
    (tmp_path / "linked.gradebook").symlink_to(made)
    made.with_name(f"{made.name}-journal").write_bytes(bytes.fromhex("d9d505f920a163d7"))
    with pytest.raises(Unusable, match="is not a file that this grader makes"):
        Journal(tmp_path / "linked.gradebook")


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
def test_what_lies_beside_a_gradebook_is_no_link_and_no_file_of_another_mode(
    ending: str, made: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("mine")
    made.with_name(made.name + ending).symlink_to(tmp_path / "mine")
    with pytest.raises(Unusable, match=f"{ending} is not a file that this grader makes"):
        Journal(made, write=True)
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE VIEW extra AS SELECT 1", "look at 'extra' in it"),
        ("CREATE TRIGGER extra AFTER INSERT ON setting BEGIN DELETE FROM text; END", "look at 'extra' in it"),
        ("DROP TABLE unread; CREATE VIEW unread AS SELECT 1 AS folder, 2 AS path, 3 AS why", "look at 'unread' in it"),
        ("ALTER TABLE unread ADD COLUMN more TEXT AS (folder || 'x')", "look at 'unread' in it"),
        ("UPDATE text SET text = 1000000000", "values of other types in 'text'"),
        ("UPDATE outcome SET verdict = x'00'", "values of other types in 'outcome'"),
        ("UPDATE outcome SET verdict = '[1]'", "is none that this grader wrote"),
        ("UPDATE outcome SET verdict = '{'", "is none that this grader wrote"),
    ],
)
def test_a_gradebook_that_something_else_made_is_one_line(statement: str, said: str, made: Path) -> None:
    with sqlite3.connect(made) as database:
        database.executescript(statement)
    with pytest.raises(Unusable, match=said), Journal(made) as journal:
        journal.rows()


def test_the_lock_of_a_gradebook_is_not_made_through_a_link(path: Path, tmp_path: Path) -> None:
    path.with_name(f".{path.name}.lock").symlink_to(tmp_path / "nowhere")
    with pytest.raises(Unusable, match="cannot be made or locked"):
        Journal(path, write=True)
    assert not (tmp_path / "nowhere").exists()
