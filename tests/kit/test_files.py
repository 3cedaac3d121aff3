"""Files are never half-written, and files of others are read safely, whatever lies at their path."""

from __future__ import annotations

import ast
import os
import socket
import sys
import tracemalloc
from pathlib import Path

import pytest

from grader.kit.files import (
    LARGEST_TEXT,
    PRIVATE,
    Missing,
    Unreadable,
    free_names,
    in_utf8,
    move_to_new,
    read_regular,
    read_text,
    rewrite_text,
    size_text,
    text_of,
    trusted_folder,
    write_atomically,
)

LIMIT = 100


def reason(path: Path, below: Path | None = None, limit: int = LIMIT) -> str:
    with pytest.raises(Unreadable) as raised:
        read_regular(path, limit, below=below)
    return str(raised.value)


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new" / "file", b"text")
    assert (tmp_path / "new" / "file").read_bytes() == b"text"


def test_an_interruption_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("followed", [True, False])
def test_a_regular_file_is_read_whole_up_to_the_limit(followed: bool, tmp_path: Path) -> None:
    below = None if followed else tmp_path
    (tmp_path / "a" / "b").mkdir(parents=True)
    path = tmp_path / "a" / "b" / "file"
    path.write_bytes(b"x" * LIMIT)
    assert read_regular(path, LIMIT, below=below) == b"x" * LIMIT
    path.write_bytes(b"x" * (LIMIT + 1))
    assert reason(path, below) == "larger than it may be: 101 bytes, of 100 bytes at most."


def test_a_path_may_go_up_from_the_trusted_folder(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "file").write_bytes(b"text")
    assert read_regular(tmp_path / "here" / ".." / "file", LIMIT, below=tmp_path / "here") == b"text"


@pytest.mark.parametrize("followed", [True, False])
def test_a_missing_file_and_a_folder_are_named_as_such(followed: bool, tmp_path: Path) -> None:
    below = None if followed else tmp_path
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Missing, match=r"^there is no such file\.$"):
        read_regular(tmp_path / "none" / "file", LIMIT, below=below)
    assert reason(tmp_path / "folder", below) == "this is a folder, not a file."
    assert reason(tmp_path, below) == "this is a folder, not a file."
    with pytest.raises(Missing):
        read_regular(tmp_path / "file" / "file", LIMIT, below=below)


@pytest.mark.parametrize("followed", [True, False])
def test_nothing_that_would_wait_is_opened(followed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = None if followed else tmp_path
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for name in ("fifo", "socket"):
            assert reason(tmp_path / name, below) == "not a regular file."
    assert reason(Path("/dev/zero")) == "not a regular file."


@pytest.mark.parametrize("target", ["secret", "folder", "nowhere", "self"])
def test_a_link_is_not_followed_where_files_come_from_others(target: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "folder").mkdir()
    (tmp_path / "self").symlink_to(target)
    assert reason(tmp_path / "self", tmp_path) == "a link, not a file: give the file itself."


def test_a_folder_on_the_path_that_is_a_link_is_not_followed_either(tmp_path: Path) -> None:
    (tmp_path / "private" / "inner").mkdir(parents=True)
    (tmp_path / "private" / "inner" / "file").write_bytes(b"secret")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "alice").symlink_to(tmp_path / "private")
    path = tmp_path / "class" / "alice" / "inner" / "file"
    assert reason(path, tmp_path) == "the folder 'alice' on its path is a link: give a path without links."
    assert read_regular(path, LIMIT) == b"secret"
    assert read_regular(path, LIMIT, below=tmp_path / "class" / "alice") == b"secret"


def test_a_second_name_of_a_file_is_read_only_where_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("x = 1\n")
    os.link(tmp_path / "private", tmp_path / "second")
    assert read_text(tmp_path / "second") == "x = 1\n"
    with pytest.raises(Unreadable, match="a hard link: the file has another name too; give a copy"):
        read_text(tmp_path / "second", below=tmp_path)
    (tmp_path / "private").unlink()
    assert read_text(tmp_path / "second", below=tmp_path) == "x = 1\n"


@pytest.mark.parametrize("swapped", ["folder", "file"])
def test_a_link_that_appears_between_the_check_and_the_opening_is_not_followed(
    swapped: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("folder", "private"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_bytes(folder.encode())
    look = os.stat

    def swap(path: str, **options: object) -> os.stat_result:
        seen = look(path, **options)  # type: ignore[arg-type]
        if str(path) == swapped:
            place = tmp_path / ("folder" if swapped == "folder" else "folder/file")
            place.rename(tmp_path / "away")
            place.symlink_to(tmp_path / ("private" if swapped == "folder" else "private/file"))
        return seen

    monkeypatch.setattr(os, "stat", swap)
    assert reason(tmp_path / "folder" / "file", tmp_path).startswith("cannot be read: ")


def test_a_fifo_that_appears_between_the_check_and_the_opening_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").write_bytes(b"")
    file = os.stat(tmp_path / "file")
    monkeypatch.setattr(os, "stat", lambda *_, **__: file)
    assert reason(tmp_path / "fifo", tmp_path) == "not a regular file."
    assert reason(tmp_path / "fifo") == "not a regular file."


def test_a_file_larger_than_the_limit_is_not_read(tmp_path: Path) -> None:
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(3 << 30)
    tracemalloc.start()
    try:
        assert reason(tmp_path / "sparse", tmp_path, LARGEST_TEXT) == (
            "larger than it may be: 3 GB, of 512 KB at most."
        )
        assert tracemalloc.get_traced_memory()[1] < LARGEST_TEXT
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that says it is empty and is not")
def test_of_a_file_that_hides_its_size_no_more_than_the_limit_and_one_byte_is_read() -> None:
    assert os.stat("/proc/cpuinfo").st_size == 0
    assert reason(Path("/proc/cpuinfo")) == "larger than it may be: 101 bytes, of 100 bytes at most."


def test_a_private_file_makes_private_folders_and_leaves_others_as_they_are(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        (tmp_path / "there").mkdir(mode=0o755)
        write_atomically(tmp_path / "there" / "a" / "b" / "file", b"x", mode=PRIVATE)
        write_atomically(tmp_path / "other" / "file", b"x")
    finally:
        os.umask(before)
    modes = {str(path.relative_to(tmp_path)): f"{path.stat().st_mode & 0o777:o}" for path in tmp_path.rglob("*")}
    assert modes == {
        **{"there": "755", "there/a": "700", "there/a/b": "700", "there/a/b/file": "600"},
        **{"other": "777", "other/file": "644"},
    }


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ("# -*- coding: cp1252 -*-\n", "cp1252"),
        ("#!/usr/bin/env python\r\n# vim: set fileencoding=latin-1 :\r\n", "latin-1"),
        ("\n# coding: iso-8859-15-unix\n", "iso-8859-15"),
        ("# coding: shift_jis\n# coding: cp1252\n", "shift_jis"),
        ("# -*- coding: utf-8-unix -*-\n", "utf-8"),
        ("# -*- coding: utf8 -*-\n", "utf-8-sig"),
        ("# coding: cp1252\n", "utf-8-sig"),
        ("# on coding: read this\n", "utf-8"),
        ("# coding: rot13\n", "utf-8"),
        ("# coding: punycode\n", "utf-8"),
        ("x = 1\n# coding: cp1252\n", "utf-8"),
        ("# one\n# two\n# coding: cp1252\n", "utf-8"),
    ],
)
@pytest.mark.parametrize("name", ["a.py", "A.PY"])
def test_a_file_of_python_is_read_in_the_encoding_that_it_declares(
    tmp_path: Path, head: str, codec: str, name: str
) -> None:
    body = "a = 'カ'\n" if codec == "shift_jis" else "a = 'é'\n"
    (tmp_path / name).write_bytes((head + body).encode(codec))
    text = read_text(tmp_path / name)
    assert text.splitlines()[-1] == body.strip()
    assert text.count("\n") == (head + body).count("\n")
    if not codec.startswith("utf-8"):
        assert ast.parse(text.encode()).body, "it is kept as UTF-8, and says so"
    assert text_of((head + body).encode(codec), python=True) == text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"# coding: ascii\n\nx = '\xe9'", "line 3 has a byte (0xe9) that is not ascii, which the file declares: save"),
        (b"# coding: cp1252\nx = '\x81'", "line 2 has a byte (0x81) that is not cp1252, which the file declares: save"),
        (b"# coding: rot13\nx = '\xe9'", "line 2 has a byte (0xe9) that is not UTF-8: save"),
        (b"\xff\xfex\x00", "line 1 has a byte (0xff) that is not UTF-8: save"),
    ],
)
def test_a_byte_that_is_not_of_its_encoding_is_told_with_its_line(data: bytes, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        text_of(data, python=True)
    assert str(caught.value).startswith(said)


def test_only_python_declares_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# coding: cp1252\n\xe9")
    with pytest.raises(Unreadable, match="is not UTF-8"):
        read_text(tmp_path / "a.md")


def test_a_text_is_utf_8_with_or_without_its_mark_and_lines_of_any_system(tmp_path: Path) -> None:
    path = tmp_path / "text"
    for data in ("a\nü\n".encode(), "a\r\nü\r\n".encode("utf-8-sig")):
        path.write_bytes(data)
        assert read_text(path) == "a\nü\n"
    for data, said in (
        (b"a\n\n\xe9", r"^line 3 has a byte \(0xe9\) that is not UTF-8: save"),
        (b"a\0", "NUL"),
    ):
        path.write_bytes(data)
        with pytest.raises(Unreadable, match=said):
            read_text(path)


def test_the_folders_that_the_user_names_are_trusted_and_what_lies_below_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The current folder, as Python and the shell name it; the home folder; else the first one, which only root can make."""
    home, here, link = tmp_path / "home", tmp_path / "home" / "course", tmp_path / "link"
    here.mkdir(parents=True)
    link.symlink_to(here)
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PWD", str(link))
    first = Path(*tmp_path.parts[:2])
    assert trusted_folder(here / "class" / "a.py") == here
    assert trusted_folder(link / "class" / "a.py") == link
    assert trusted_folder(home / "class" / "a.py") == home
    assert trusted_folder(tmp_path / "class" / "a.py") == first
    monkeypatch.setenv("PWD", str(tmp_path))
    assert trusted_folder(tmp_path / "class" / "a.py") == first
    assert trusted_folder(Path(first.anchor) / "a.py") == Path(first.anchor)


def test_a_file_set_aside_replaces_no_other(tmp_path: Path) -> None:
    for text in ("one", "two", "three"):
        (tmp_path / "file").write_text(text)
        move_to_new(tmp_path / "file", free_names("file.damaged"))
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"file.damaged": "one", "file.damaged-1": "two", "file.damaged-2": "three"}


def test_sizes_come_in_the_largest_unit_that_fits() -> None:
    assert [size_text(size) for size in (4 << 30, 512 << 20, 1536 << 20, 1000)] == [
        "4 GB",
        "512 MB",
        "1.5 GB",
        "1000 bytes",
    ]


def test_another_text_in_somebodys_file_leaves_its_mode_link_line_ends_and_mark(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "stub.py"
    real.write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    real.chmod(0o600)
    link.symlink_to(real.name)
    assert rewrite_text(link, "a = 1\nc = 3\n")
    assert real.read_bytes() == b"\xef\xbb\xbfa = 1\r\nc = 3\r\n"
    assert (real.stat().st_mode & 0o777, link.is_symlink()) == (0o600, True)


def test_a_text_that_is_there_already_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "stub.py"
    path.write_bytes(b"a = 1\r\n")
    before = path.stat()
    assert not rewrite_text(path, "a = 1\n")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_another_text_makes_a_file_where_there_is_none_and_replaces_no_folder(tmp_path: Path) -> None:
    assert rewrite_text(tmp_path / "new.py", "a\n")
    assert (tmp_path / "new.py").read_bytes() == b"a\n"
    with pytest.raises(Unreadable, match="a folder"):
        rewrite_text(tmp_path, "a\n")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("# -*- coding: latin-1 -*-\né\n", "# -*- coding: utf-8 -*-\né\n"),
        (
            "#!/usr/bin/python\n# coding=cp1252\nx = 'coding: x'\n",
            "#!/usr/bin/python\n# coding=utf-8\nx = 'coding: x'\n",
        ),
        ("# coding: utf-8\né\n", "# coding: utf-8\né\n"),
        ("x = 'coding: latin-1'\n", "x = 'coding: latin-1'\n"),
    ],
)
def test_a_text_that_is_written_declares_how_it_is_written(given: str, kept: str, tmp_path: Path) -> None:
    assert in_utf8(given) == kept
    rewrite_text(tmp_path / "stub.py", in_utf8(given))
    assert read_text(tmp_path / "stub.py") == kept
