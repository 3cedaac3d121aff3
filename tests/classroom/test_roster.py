"""Lists of students as platforms export them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.classroom.columns import (
    EMAILS,
    FIRST,
    IDS,
    LAST,
    LOGINS,
    MARKED,
    NAMES,
    TEAMS,
    column,
)
from grader.classroom.roster import UNKNOWN, Roster, read_roster
from grader.kit.kit import KitError
from tests.classroom.list_systems import LIST_SYSTEMS, ListSystem

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (4711)
    ,,,,,Manual Posting
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
        (MOODLE, ("77", "jane@example.org", "Jane@Example.org")),
        (WORKSHEET, ("Jane Doe_12345", "DOE JANE_12345", "Participant 12345", "Participant_12345", "jane@example.org")),
        (GITHUB, ("jdoe-gh", "JDOE-GH", "5", "Jane Doe")),
        (PLAIN, ("jane", "jane@example.org")),
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


def test_who_is_without_work(tmp_path: Path) -> None:
    found = roster(tmp_path, PLAIN)
    assert [person.id for person in found.without_work(["JANE@example.org", "zoe"])] == ["rick"]


def test_ids_that_differ_in_capitals_alone_are_two_students(tmp_path: Path) -> None:
    found = roster(tmp_path, "id,name\nana,Ana Abe\nAna,Ana Berg\n")
    assert [person and person.name for person in map(found.of, ("ana", "Ana", "ANA"))] == ["Ana Abe", "Ana Berg", None]
    assert [person.name for person in found.without_work(["Ana"])] == ["Ana Abe"]
    alone = roster(tmp_path, "id\nana\n")
    assert (alone.of("Ana"), alone.match("Ana").why) == (None, UNKNOWN)


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


WORKSHEETS = {
    "English": "Identifier,Full name,Email address,Group\nParticipant 4711,Jané O'Doe,j@x.org,Team A\n",
    "German": "ID,Vollständiger Name,E-Mail-Adresse,Gruppe\nTeilnehmer/in 4711,Jané O'Doe,j@x.org,Team A\n",
    "Spanish": "Identificador,Nombre completo,Grupo\nParticipante4711,Jané O'Doe,Team A\n",
    "unknown to us": "Tunniste,Full name,Group\nOsallistuja 4711,Jané O'Doe,Team A\n",
}


@pytest.mark.parametrize("language", WORKSHEETS)
def test_a_number_of_moodle_is_a_participant_only_with_the_name(tmp_path: Path, language: str) -> None:
    found = roster(tmp_path, WORKSHEETS[language])
    for student in ("Jané ODoe_4711", "jane\u0301 odoe_4711", "ODoe Jané_4711", "ODoe, Jané_4711"):
        assert (found.of(student), found.match(student).why) == (found.people[0], "participant number and name"), (
            student
        )
    for student in ("Team A_4711", "Default group_4711", "Jane ODoe_4711", "Jané ODoe_4712", "Jané ODoe", "4711"):
        assert found.of(student) is None, student
    assert found.match("Team A_4711").why == "this number is there that of a participant with another name"
    assert "another assignment" in found.match("Jané ODoe_4712").why
    assert [one.name for one in found.members("Team A")] == ["Jané O'Doe"]


@pytest.mark.parametrize(("word", "blind"), [("Participant", "Participant"), ("Teilnehmer/in", "Teilnehmerin")])
def test_a_participant_without_a_name_is_found_by_a_blind_id_alone(tmp_path: Path, word: str, blind: str) -> None:
    found = roster(tmp_path, f"Identifier,Status\n{word} 4711,Submitted\n{word} 4712,\n")
    assert found.people[0].name == ""
    match = found.match(f"{blind}_4711")
    assert (match.person, match.why) == (found.people[0], "participant number")
    assert found.of("Team A_4711") is None
    assert "may be that of a team" in found.match("Jane Doe_4711").why


@dataclass(frozen=True)
class Of:
    """A student of a gradebook."""

    student: str
    layout: str = ""
    called: str = ""


def test_a_name_alone_is_no_identity(tmp_path: Path) -> None:
    found = roster(tmp_path, "id,name\n1,Jane Doe\n3,Rick Roe\n")
    assert "it has no numbers of participants" in found.match("Jane Doe_9").why
    assert found.of("Jane Doe_9") is None


def test_the_system_says_which_columns_may_hold_its_ids(tmp_path: Path) -> None:
    """A number of Canvas is no SIS number, and a user name of GitHub no identifier: each would be somebody else's."""
    canvas = CANVAS.replace(",s1,", ",102,").replace("102,s2", "999,s2")
    found = roster(tmp_path, canvas).among([Of("102", "canvas", "roerick")])
    assert found.of("102") is None
    plain = roster(tmp_path, canvas).among([Of("102", "plain")]).of("102")
    assert plain is not None
    assert plain.id == "101"
    github = roster(tmp_path, "identifier,github_username,id\nasmith,annie99,zed\nbob,bobby,x\n")
    known = [Of("asmith", "github"), Of("annie99", "github"), Of("zed", "github")]
    assert [person and person.line for person in map(github.among(known).of, ("asmith", "annie99", "zed"))] == [
        None,
        2,
        None,
    ]
    alone = roster(tmp_path, "id,name\nasmith,Anna\n")
    assert alone.among([Of("asmith", "github")]).of("asmith") is alone.people[0]
    assert roster(tmp_path, CANVAS).among([Of("anon_aB3xZ", "canvas-anonymous")]).of("101") is not None


@pytest.mark.parametrize(
    ("called", "found"), [("doejane", True), ("janedoe", True), ("", True), ("roerick", False), ("groupone", False)]
)
def test_a_number_of_a_system_s_own_needs_its_name_too(called: str, found: bool, tmp_path: Path) -> None:
    among = roster(tmp_path, CANVAS).among([Of("101", "canvas", called)])
    assert (among.of("101") is not None) == found
    if not found:
        assert among.match("101").why == f"the system calls it {called!r}, and the list 'Doe, Jane'"


def test_two_students_of_a_gradebook_are_not_one_of_the_list(tmp_path: Path) -> None:
    among = roster(tmp_path, PLAIN).among([Of("jane"), Of("jane@example.org"), Of("rick")])
    assert [among.of(one) is None for one in ("jane", "jane@example.org", "rick")] == [True, True, False]
    why = "jane and jane@example.org are the same person on the list: keep one of them"
    assert [among.match(one).why for one in ("jane", "jane@example.org")] == [why, why]
    assert [among.shares(one) for one in ("jane", "rick")] == [True, False]
    assert among.without_work(["jane", "jane@example.org"]) == [among.people[1]]  # an answer of hers was read


def test_who_has_the_id_of_a_student_of_another_name_is_not_told_to_have_handed_in_nothing(tmp_path: Path) -> None:
    people = roster(tmp_path, "ID,Student\n3,Zoe Zed\n4,Bo Two\n").among([Of("3", "canvas", "lab")])
    assert people.of("3") is None
    assert [one.id for one in people.without_work(["3"])] == ["4"]


def test_names_in_a_first_column_are_no_participants(tmp_path: Path) -> None:
    found = roster(tmp_path, "name,id\nStudent 1,a\nStudent 2,b\n")
    assert [(person.id, person.name) for person in found.people] == [("a", "Student 1"), ("b", "Student 2")]
    found = roster(tmp_path, "section,id,name\nSection 1,a,Jane Doe\nSection 1,b,Rick Roe\n")
    assert [person.id for person in found.people] == ["a", "b"]


@pytest.mark.parametrize("system", LIST_SYSTEMS, ids=lambda system: system.name)
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_each_column_of_each_system_is_read(tmp_path: Path, system: ListSystem, mark: str, encoding: str) -> None:
    header = tuple({column(one): one for one in reversed(system.header)}.values())[::-1]

    def value(one: str, who: str) -> str:
        key = column(one)
        group = "Team é" if key in TEAMS else f"{who} {one}, Jr."
        return f"#{group}" if system.name == "Brightspace" and key in MARKED else group

    rows = [header, *([value(one, who) for one in header] for who in ("jane", "rick"))]
    text = "".join(mark.join(f'"{cell}"' for cell in row) + "\r\n" for row in rows)
    (tmp_path / "people.xls").write_bytes(text.encode(encoding))
    found = read_roster(tmp_path / "people.xls")
    assert len(found.people) == 2
    for one in header:
        match = found.match(f"rick {one}, Jr.")
        if column(one) in IDS:
            assert (match.person, match.why) == (found.people[1], f'"{one}"')
            login = found.of(f"RICK {one}, JR.".replace(one.upper(), one))
            assert (login is not None) == (column(one) in LOGINS), one
        else:
            assert match.person is None
    person = found.people[0]
    assert bool(person.name) == bool({*map(column, header)} & {*NAMES, *FIRST, *LAST})
    assert bool(person.email) == bool({*map(column, header)} & {*EMAILS})
    assert len(found.members("Team e\u0301")) == (2 if system.teams else 0)


def test_the_groups_of_canvas(tmp_path: Path) -> None:
    head = "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
    body = "Jane,1,s1,jdoe,A,Team A,70,\nRick,2,s2,rroe,A,Team A,70,\nZoe,3,s3,zpoe,A,70,71,\nBen,4,s4,b,A,,,\n"
    found = roster(tmp_path, head + body)
    assert [one.id for one in found.members("Team A")] == ["1", "2"]
    assert [one.id for one in found.members("71")] == ["3"]
    assert found.members("70") == (), "it is the id of one team, and the name of another"
    assert found.members("") == found.members("Team B") == ()
    assert [one.team for one in found.people] == ["Team A", "Team A", "70", ""]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("id,name\nx,Zoë\n".encode("cp1252"), 'line 2: a byte (0xeb) that is no text: save it as "CSV UTF-8"'),
        ("id,name\nx,y\n".encode("utf-16-le"), "it holds a NUL character"),
        (b"PK\x03\x04 and so on", "a workbook, and no CSV"),
        (b"\xd0\xcf\x11\xe0 and so on", "a workbook, and no CSV"),
        (b"\xff\xfei", "that is no text"),
    ],
)
def test_what_is_no_text_has_one_line_that_says_how_to_save_it(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "roster.csv").write_bytes(data)
    with pytest.raises(KitError) as caught:
        read_roster(tmp_path / "roster.csv")
    assert said in str(caught.value)
    assert 'save it as "CSV UTF-8" in a spreadsheet' in str(caught.value)


def test_a_list_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="there is no such file"):
        read_roster(tmp_path / "roster.csv")


@pytest.mark.parametrize(
    ("lines", "student", "value"),
    [("id,name\n42,Ana\n", "0042", "42"), ("id,name\n0042,Ana\n", "42", "0042"), ("id\n0\n", "00", "")],
)
def test_zeros_that_a_spreadsheet_may_have_taken_are_asked_for(
    tmp_path: Path, lines: str, student: str, value: str
) -> None:
    match = roster(tmp_path, lines).match(student)
    said = f"it has {value}: did a spreadsheet take the zeros? Give the list as its system exports it"
    assert (match.person, match.why) == (None, said if value else UNKNOWN)


def test_a_name_of_a_quiz_that_fits_two_of_the_list_is_nobody_s(tmp_path: Path) -> None:
    known = [Of("123", "canvas-quiz", "x"), Of("101", "canvas-quiz", "oneana")]
    people = roster(tmp_path, "ID,Student\n123,X\n23,X1\n101,Ana One\n").among(known)
    assert people.match("123").why == "a quiz writes name and number in one, and 123 and 23 of the list fit"
    assert [people.of(one.student) is not None for one in known] == [False, True]


def test_a_number_of_canvas_is_listed_with_its_name_or_that_of_its_team(tmp_path: Path) -> None:
    people = roster(tmp_path, "canvas_user_id,name,group_name\n101,Ana One,Lab 3\n")
    assert [people.lists(*one) for one in (("101", "oneana"), ("101", "lab_3"), ("101", "lab"), ("3", "lab"))] == [
        *(True, True),
        *(False, None),
    ]
