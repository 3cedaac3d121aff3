"""What a report reads of a gradebook: who is absent, and teams of the roster alone where the class handed in by teams."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.commands.export import ClassRecord, all_ids, as_teams, in_teams, read_record
from grader.classroom.journal import Journal, KeptRoster
from grader.classroom.points import Points, parsed
from grader.classroom.roster import read_roster
from grader.classroom.submission import Submission, Unread
from grader.marking.verdict import Status
from tests.classroom.exports.rows import row, verdict_of

RULE = Points(parsed("correct=1"))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "x.gradebook"
    (tmp_path / "people.csv").write_text("id,group\nana,red\nben,red\ncy,\nnew,\n")
    with Journal(path, write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", "x = 1") for one in ("ana", "ben", "zoe")]
        journal.hand_in("/x", ["rope"], handed, [Unread("cy/rope.py", "why", student="cy", problem="rope")])
        journal.grades_with("rope", "print", "policy")
    return path


def test_who_handed_in_what_could_not_be_read_is_not_absent(book: Path) -> None:
    people = read_roster(book.with_name("people.csv"))
    with Journal(book) as journal:
        held = read_record(journal, people, RULE, hides=False)
        assert read_record(journal, None, RULE, hides=False).listing is None
    assert held.listing is not None
    assert (held.listing.absent, held.listing.strange) == (("new",), ("zoe",))
    assert [one.student for one in held.lacking()] == ["cy"]


def test_who_may_have_handed_in_a_file_in_doubt_is_not_absent(book: Path) -> None:
    people = read_roster(book.with_name("people.csv"))
    lines = [Unread("x", "whose?", doubt=True, student=one, problem="rope") for one in ("new", "cy")]
    with Journal(book, write=True) as journal:
        journal.hand_in("/y", ["rope"], [], lines)
        held = read_record(journal, people, RULE, hides=False)
    assert held.listing is not None
    assert held.listing.absent == ()
    assert {held.sheet().total(one) for one in ("new", "cy")} == {None}


def test_a_stub_in_the_place_of_an_answer_is_lacking(book: Path) -> None:
    stub, earlier = row("ana", verdict_of(Status.UNATTEMPTED)), Unread("a.py", "why", student="ana", problem="rope")
    assert ClassRecord([stub], [earlier], [], RULE, None).lacking() == [earlier]
    assert ClassRecord([row("ana", verdict_of())], [earlier], [], RULE, None).lacking() == []


def test_codes_stand_for_all_ids(book: Path) -> None:
    people = read_roster(book.with_name("people.csv"))
    with Journal(book) as journal:
        held = read_record(journal, people, RULE, hides=True)
        known = set(all_ids(journal, people)) - {""}
    assert held.codes is not None
    assert known == {"ana", "ben", "cy", "new", "red", "zoe"} == {*held.codes.by_id}
    assert held.listing is not None
    assert held.listing.absent == (held.code("new"),)
    assert [row.student for row in held.rows] == sorted(map(held.code, ("ana", "ben", "zoe")))
    assert [one.student for one in held.lacking()] == [held.code("cy")]


def test_teams_of_the_roster_count_where_the_class_handed_in_by_teams(book: Path) -> None:
    people = read_roster(book.with_name("people.csv"))
    for teams in (False, True):
        with Journal(book, write=True) as journal:
            journal.keep_roster(KeptRoster(str(book.with_name("people.csv")), "", teams=teams))
            found = as_teams(journal, people)
            assert found == ({"ana": "red", "ben": "red"} if teams else {})
            held = read_record(journal, people, RULE, hides=True)
        rows = in_teams(held, found)
        assert {row.team for row in rows} == ({held.code("red"), ""} if teams else {""})
