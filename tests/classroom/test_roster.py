"""Lists of students as platforms export them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.roster import Roster, read_roster
from grader.kit.kit import KitError

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (4711)
    Points Possible,,,,,3
"Doe, Jane",101,s1,jdoe,A,2
"Roe, Rick",102,s2,rroe,A,
"""
MOODLE = """\ufeffFirst name,Surname,ID number,Institution,Email address,Week 1
Jane,Doe,77,,jane@example.org,2
Rick,Roe,78,,rick@example.org,
"""
WORKSHEET = """Identifier,Full name,Email address,Status,Grade
Participant 12345,Jane Doe,jane@example.org,Submitted,
Participant 12346,Rick Roe,rick@example.org,Submitted,
"""
GITHUB = "identifier,github_username,github_id,name\nJane Doe,jdoe-gh,5,Jane\nRick,rroe-gh,6,Rick\n"
PLAIN = "id;name;email\njane;Jane Doe;jane@example.org\n\nrick;Rick Roe;rick@example.org\n"


def roster(folder: Path, text: str) -> Roster:
    (folder / "roster.csv").write_text(text, encoding="utf-8", newline="")
    return read_roster(folder / "roster.csv")


@pytest.mark.parametrize(
    ("text", "students"),
    [
        (CANVAS, ("101", "s1", "JDoe")),
        (MOODLE, ("77", "jane@example.org", "Jane@Example.org", "Jane Doe_999")),
        (WORKSHEET, ("Jane Doe_12345", "Someone Else_12345", "Participant 12345", "jane@example.org")),
        (GITHUB, ("jdoe-gh", "JDOE-GH", "5", "Jane Doe")),
        (PLAIN, ("jane", "jane@example.org", "Jane Doe_3")),
        ("student\njane\nrick\n", ("jane",)),
        (CANVAS.replace("\n", "\r\n"), ("101",)),
    ],
)
def test_a_student_is_found_by_any_column(tmp_path: Path, text: str, students: tuple[str, ...]) -> None:
    found = roster(tmp_path, text)
    assert [found.of(student) for student in students] == [found.people[0]] * len(students)
    assert len(found.people) == 2


@pytest.mark.parametrize(
    ("text", "name"), [(CANVAS, "Doe, Jane"), (MOODLE, "Jane Doe"), (WORKSHEET, "Jane Doe"), (PLAIN, "Jane Doe")]
)
def test_the_name_of_a_person(tmp_path: Path, text: str, name: str) -> None:
    assert roster(tmp_path, text).people[0].name == name


def test_the_number_of_a_moodle_folder_is_no_id_number(tmp_path: Path) -> None:
    assert roster(tmp_path, MOODLE).of("Nobody Here_77") is None


def test_a_name_that_two_share_finds_neither(tmp_path: Path) -> None:
    found = roster(tmp_path, "id,name\n1,Jane Doe\n2,Jane Doe\n")
    assert found.of("Jane Doe_9") is None


def test_who_is_unknown_and_who_is_without_work(tmp_path: Path) -> None:
    found = roster(tmp_path, PLAIN)
    assert found.unknown(["zoe", "jane", "ben", "zoe"]) == ["ben", "zoe"]
    assert [person.id for person in found.without_work(["JANE@example.org", "zoe"])] == ["rick"]


def test_ids_that_differ_in_capitals_alone_are_two_students(tmp_path: Path) -> None:
    found = roster(tmp_path, "id,name\nana,Ana Abe\nAna,Ana Berg\n")
    assert [person and person.name for person in map(found.of, ("ana", "Ana", "ANA"))] == ["Ana Abe", "Ana Berg", None]
    assert [person.name for person in found.without_work(["Ana"])] == ["Ana Abe"]
    alone = roster(tmp_path, "id\nana\n")
    assert alone.unknown(["ana", "Ana"]) == ["Ana"]


def test_the_same_letters_written_in_two_ways_are_one_student(tmp_path: Path) -> None:
    assert roster(tmp_path, "id\nJose\u0301\n").of("Jos\u00e9") is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: no column names the students"),
        ("name,section\nJane,A\n", "line 1: no column names the students"),
        ("id,name\n1,Jane\n\n1,Rick\n", "line 4: '1' names the student of line 2 too"),
        ("id,email\n1,a@b.c\n2,A@b.c\n", "line 3: 'A@b.c' names the student of line 2 too"),
        ("id,username\nJane,x\ny,jane\n", "line 3: 'jane' names the student of line 2 too"),
        ("id,username\nx,jane\nJane,y\n", "line 3: 'Jane' names the student of line 2 too"),
        ("id,username\n1,2\n2,x\n", "line 3: '2' names the student of line 2 too"),
        ('id,name\n1,"two\nlines"\n1,x\n', "line 4: '1' names the student of line 2 too"),
        ("id,name\n,Jane\n", "line 2: nothing in this row names a student"),
        ("id,ID\n1,2\n", "line 1: two columns are called 'id'"),
        ('id,name\n1,"open\n', "line 2: no CSV"),
    ],
)
def test_what_is_wrong_has_one_line_with_its_number(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(KitError) as caught:
        roster(tmp_path, text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="there is no such file"):
        read_roster(tmp_path / "roster.csv")
