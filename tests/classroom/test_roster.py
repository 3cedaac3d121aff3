"""A roster says who is behind an id, and what is wrong with a file that cannot say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.roster import Roster, RosterError, read_roster

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Week 1 (901)\n"
    "    Points Possible,,,,,10\n"
    '"García, Ana",12345,s-1,ana@example.org,A,7\n'
    '"Öz, Cem",12346,s-2,cem@example.org,A\n'
)
MOODLE = "First name,Surname,ID number,Email address\nAna,García,4711,ana@example.org\n"


def roster(folder: Path, text: str) -> Roster:
    (folder / "roster.csv").write_text(text, encoding="utf-8")
    return read_roster(folder / "roster.csv")


def test_a_person_is_found_by_any_id(tmp_path: Path) -> None:
    read = roster(tmp_path, CANVAS)
    people = [read.of(one) for one in ("12345", "s-1", "ana@example.org")]
    assert people[0] is not None
    assert people == [people[0]] * 3
    assert (people[0].name, people[0].row["Section"]) == ("García, Ana", "A")
    assert read.columns[-1] == "Week 1 (901)"
    assert read.of("García, Ana") is None
    assert [one.name for one in read.people] == ["García, Ana", "Öz, Cem"]


def test_first_and_last_names_are_one_name(tmp_path: Path) -> None:
    person = roster(tmp_path, MOODLE).of("4711")
    assert person is not None
    assert (person.name, person.email) == ("Ana García", "ana@example.org")


def test_who_is_unknown_and_who_handed_in_nothing_is_told(tmp_path: Path) -> None:
    read = roster(tmp_path, "id,name\n1,Ana\n2,Ben\n")
    assert read.unknown(["3", "1", "3"]) == ["3"]
    assert [one.name for one in read.without_work(["1", "3"])] == ["Ben"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("grade,room\n1,2\n", "line 1: no column says who somebody is"),
        ("id,name\n1,Ana\n\n1,Ben\n", "line 4: 1 is the id of somebody in line 2 too"),
        ("id,email\n1,a@b.c\n2,a@b.c\n", "line 3: a@b.c is the id of somebody in line 2 too"),
        ("id,name\n1,Ana,9\n", "line 2: 3 cells, and the header has 2"),
        ('id,name\n1,"Ana\n', "it is no CSV file"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(RosterError, match=why) as raised:
        roster(tmp_path, text)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RosterError, match="there is no such file"):
        read_roster(tmp_path / "none.csv")
