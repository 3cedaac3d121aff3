"""The list of a class: the one that is given counts, else the one that the gradebook remembers, and no change is silent."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.classroom.commands.gradebook import roster_of, tell_absent, tell_matches
from grader.classroom.journal import Journal, KeptRoster
from tests.classroom.exports.rows import row


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "x.gradebook", write=True) as journal:
        yield journal


def write(path: Path, *ids: str) -> KeptRoster:
    path.write_text("\n".join(("id", *ids, "")))
    return KeptRoster(str(path), hashlib.sha256(path.read_bytes()).hexdigest())


def ids(journal: Journal, given: Path | None = None) -> list[str] | None:
    people = roster_of(journal, given)
    return None if people is None else [one.id for one in people.people]


def test_what_is_given_counts_before_what_is_remembered(
    journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ids(journal) is None
    journal.keep_roster(write(tmp_path / "kept.csv", "ana"))
    write(tmp_path / "given.csv", "ben")
    assert ids(journal) == ["ana"]
    assert ids(journal, tmp_path / "given.csv") == ["ben"]
    assert capsys.readouterr().err == ""


def test_a_roster_that_changed_or_is_gone_is_told(
    journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kept.csv"
    journal.keep_roster(write(path, "ana"))
    write(path, "cy")
    assert ids(journal) == ["cy"]
    assert "has changed since the last `class grade`" in capsys.readouterr().err
    for broken in (lambda: path.write_text("colour\nred\n"), path.unlink):
        broken()
        assert ids(journal) is None
        (line,) = capsys.readouterr().err.splitlines()
        assert "cannot be read. Give --roster FILE." in line
        assert "kept.csv" in line


def test_matches_and_who_is_absent_are_told_by_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "kept.csv", "ana", "ben")
    with Journal(tmp_path / "y.gradebook", write=True) as journal:
        people = roster_of(journal, tmp_path / "kept.csv")
    assert people is not None
    rows = [row("ana"), row("zoe")]
    tell_matches(people, rows)
    tell_absent(people, rows)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Matched with the roster: 1 by ")
    assert lines[1].startswith("Not in the roster: zoe (")
    assert lines[2] == "In the roster, and without any answer here: ben."
