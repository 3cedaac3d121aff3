"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.files import write_atomically


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
