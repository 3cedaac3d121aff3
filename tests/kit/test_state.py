"""State files: a sound one is decoded, and a damaged one is set aside with one warning."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.kit import state
from grader.kit.state import Damaged, read_or_set_aside, read_state, take_warnings, warn_later
from grader.values.decode import Malformed

LIMIT = 100


def decoded(data: bytes) -> str:
    if not data.startswith(b"state: "):
        raise Malformed("not a state file.")
    return data.decode().removeprefix("state: ")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "malformed": (lambda path: path.write_text("{half"), "not a state file"),
    "too large": (sparse, "larger than it may be: 10 GB, of 100 bytes at most"),
    "folder": (Path.mkdir, "this is a folder, not a file"),
    "link": (lambda path: path.symlink_to("sound"), "a link, not a file: give the file itself"),
    "link to itself": (lambda path: path.symlink_to(path.name), "a link, not a file: give the file itself"),
    "FIFO": (os.mkfifo, "not a regular file"),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "sound").write_text("state: 1")
    return tmp_path / "file"


def test_a_sound_file_is_decoded_and_a_missing_one_is_none(file: Path) -> None:
    for read in (read_state, read_or_set_aside):
        assert read(file.with_name("sound"), LIMIT, decoded) == "1"
        assert read(file, LIMIT, decoded) is None
    assert take_warnings() == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_file_is_named_with_the_reason_and_left_in_place(fault: str, file: Path) -> None:
    make, reason = FAULTS[fault]
    make(file)
    with pytest.raises(Damaged) as raised:
        read_state(file, LIMIT, decoded)
    assert str(raised.value) == f"{file} is damaged ({reason})"
    assert os.path.lexists(file)
    assert take_warnings() == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_file_is_set_aside_with_one_warning(fault: str, file: Path) -> None:
    make, reason = FAULTS[fault]
    make(file)
    assert read_or_set_aside(file, LIMIT, decoded) is None
    assert not os.path.lexists(file)
    assert os.path.lexists(file.with_name("file.damaged"))
    assert take_warnings() == [
        f"{file} is damaged ({reason}): it is now file.damaged, and the grader goes on without it."
    ]
    assert file.with_name("sound").read_text() == "state: 1"


@pytest.mark.parametrize(
    ("error", "warnings"),
    [
        (FileNotFoundError(), []),  # another grader was faster, and warns
        (PermissionError(13, "Permission denied"), ["and cannot be renamed (Permission denied): the grader goes on"]),
    ],
)
def test_a_file_that_cannot_be_set_aside_does_not_stop_the_grader(
    error: OSError, warnings: list[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, free: Iterator[str]) -> Path:
        raise error

    monkeypatch.setattr(state, "move_to_new", refuse)
    file.write_text("{half")
    assert read_or_set_aside(file, LIMIT, decoded) is None
    given = take_warnings()
    assert len(given) == len(warnings)
    assert all(part in line for part, line in zip(warnings, given, strict=True))


def test_a_warning_is_given_once_and_in_order() -> None:
    for line in ("first", "second", "first"):
        warn_later(line)
    assert take_warnings() == ["first", "second"]
    assert take_warnings() == []
    warn_later("first")
    assert take_warnings() == ["first"]
