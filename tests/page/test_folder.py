"""A site's folder: what was written by a build is replaced and removed, and nothing else is touched unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.kit.kit import KitError
from grader.page.files import LIST_OF_FILES, write_site

ONE = {"index.html": b"1", "lessons/a.html": b"a", "lessons/b.html": b"b"}


def held(out: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(out)): one.read_bytes()
        for one in out.rglob("*")
        if one.is_file() and one.name != LIST_OF_FILES
    }


def test_a_new_build_removes_what_only_an_earlier_one_wrote(tmp_path: Path) -> None:
    out = tmp_path / "site"
    assert write_site(out, ONE) == []
    assert held(out) == ONE
    (out / "notes.txt").write_text("mine")
    assert write_site(out, {"index.html": b"2"}, force=True) == ["lessons/a.html", "lessons/b.html"]
    assert held(out) == {"index.html": b"2", "notes.txt": b"mine"}
    assert not (out / "lessons").exists()


def test_a_folder_that_holds_something_is_left_alone_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    (tmp_path / "other").write_text("too")
    with pytest.raises(KitError, match="--force"):
        write_site(tmp_path, ONE)
    assert held(tmp_path) == {"index.html": b"mine", "other": b"too"}
    write_site(tmp_path, ONE, force=True)
    assert held(tmp_path) == {**ONE, "other": b"too"}


def test_a_list_cannot_name_files_outside_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    out, outside = tmp_path / "site", tmp_path / "outside"
    outside.write_text("x")
    write_site(out, ONE)
    text = json.loads((out / LIST_OF_FILES).read_text())
    (out / LIST_OF_FILES).write_text(json.dumps(text | {"files": ["../outside", str(outside), *text["files"]]}))
    write_site(out, {"index.html": b"1"}, force=True)
    assert outside.read_text() == "x"
    for damaged in ("{", '{"schema": "grader/page/99", "files": []}', '{"files": 3}'):
        (out / LIST_OF_FILES).write_text(damaged)
        with pytest.raises(KitError, match="name another folder"):
            write_site(out, ONE, force=True)
