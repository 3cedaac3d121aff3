"""What of a folder may hold answers."""

from __future__ import annotations

import os
from pathlib import Path

from grader.classroom.tree import Listing, OnDisk, held_in, may_hold_answers

NAMES = ("a.py", "b.ipynb", "c.zip", "d.tar.gz", "e.TGZ", "f.pdf", "g.py.txt", "h.gz", ".hidden.py", "__MACOSX")


def test_what_may_hold_answers(tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).write_text("")
    (tmp_path / "folder").mkdir()
    os.symlink(tmp_path / "folder", tmp_path / "link")
    inside = held_in(OnDisk.of(tmp_path))
    listing = Listing("x", inside, ())
    assert [one.name for one in listing.answers] == ["a.py", "b.ipynb", "c.zip", "d.tar.gz", "e.TGZ", "folder"]
    others = Listing("x", inside, (), holds=lambda one: not may_hold_answers(one))
    assert [one.name for one in others.answers] == ["f.pdf", "g.py.txt", "h.gz", "link"]


def test_a_folder_that_cannot_be_read_holds_nothing(tmp_path: Path) -> None:
    assert held_in(OnDisk("x", "x", is_folder=True, root=tmp_path)) == []
