"""What a command writes: whole, where it was asked for, and over nothing unless that is asked for too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.kit.kit import KitError
from grader.kit.output import check_new, write_new


@pytest.mark.parametrize("content", [b"x", {"a/x.txt": b"x"}], ids=["file", "folder"])
def test_nothing_that_is_there_is_overwritten_unless_that_is_asked_for(
    content: bytes | Mapping[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "new" / "out"
    write_new(out, content)
    kept = out if out.is_file() else out / "a/x.txt"
    kept.write_text("mine")
    with pytest.raises(KitError, match=r"is there already: name another \w+, or give --force"):
        write_new(out, content)
    assert kept.read_text() == "mine"
    write_new(out, content, force=True)
    assert kept.read_text() == "x"


def test_an_empty_folder_is_as_good_as_none_and_other_files_of_a_folder_stay(tmp_path: Path) -> None:
    write_new(tmp_path, {"x.txt": b"x"})
    write_new(tmp_path, {"y.txt": b"y"}, force=True)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.txt", "y.txt"]


@pytest.mark.parametrize("folder", [True, False])
def test_a_link_and_what_is_of_another_kind_are_never_overwritten(folder: bool, tmp_path: Path) -> None:
    other = tmp_path / "other"
    if folder:
        other.write_text("mine")
    else:
        other.mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=folder)
    for taken in (other, tmp_path / "link"):
        with pytest.raises(KitError, match=f"and no {'folder' if folder else 'file'}: name another"):
            check_new(taken, force=True, folder=folder)


@pytest.mark.parametrize("name", ["../../x/1.py", "/etc/x", "a/../../x"])
def test_no_file_lies_outside_of_its_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(KitError, match="nothing was written"):
        write_new(tmp_path / "out", {"fine.txt": b"x", name: b"x"})
    assert not (tmp_path / "out").exists()


def test_what_is_private_is_for_its_owner_alone(tmp_path: Path) -> None:
    write_new(tmp_path / "out", {"ana/x.txt": b"x"}, private=True)
    write_new(tmp_path / "one.csv", b"x", private=True)
    modes = [(tmp_path / one).stat().st_mode & 0o077 for one in ("out", "out/ana/x.txt", "one.csv")]
    assert modes == [0, 0, 0]


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(KitError, match="file cannot be written: "):
        write_new(tmp_path / "file" / "out", b"x")
