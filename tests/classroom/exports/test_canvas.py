"""Canvas: its own table comes back with the scores that are known, on the scale of its column, and nothing else changes."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

import pytest

from grader.classroom.exports.canvas import canvas
from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import ByHand, Points, parsed
from grader.classroom.roster import Person, Roster
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from tests.classroom.exports.rows import WRONG, read, roster, row, sheet, verdict_of

TABLE = (
    "\ufeffStudent,ID,SIS Login ID,Section,Week 1 (4711),Week 2 (4712)\r\n"
    "    Points Possible,,,,2.00,5\r\n"
    '"Doe, Jane",101,ana,A,,4\r\n'
    "Ben,102,ben,A,2,\r\n"
    "Cy,103,cy,B,1,1\r\n"
    "Dan,104,dan,B,,\r\n"
    "=Eve,105,eve,B,,\r\n"
    "Not ours,106,zoe,B,3,3\r\n"
)


def test_canvas_gets_its_own_table_back_with_one_column_and_the_students_who_have_a_score() -> None:
    lines = read(canvas(sheet(template=TABLE)))
    assert lines == [
        ["Student", "ID", "SIS Login ID", "Section", "Week 1 (4711)"],
        ["    Points Possible", "", "", "", "2.00"],
        ["Doe, Jane", "101", "ana", "A", "2"],
        ["Ben", "102", "ben", "A", "0"],
        ["'=Eve", "105", "eve", "B", "0"],
    ]


class Canvas:
    """Canvas, as far as a score goes in: what its importer does with a CSV file (`gradebook_importer.rb` in its source).

    It finds assignments by the id in brackets, else by the title, and else creates one. It finds students by their ID, and
    a blank cell clears a score that is there.
    """

    def __init__(self, table: str) -> None:
        (header, points, *students) = read(table.removeprefix("\ufeff"))
        self.header, self.points, self.start = header, points, header.index("Section") + 1
        self.students = {row[header.index("ID")]: row for row in students}
        self.created: list[str] = []
        self.changed: dict[tuple[str, str], tuple[str, str]] = {}

    def take(self, text: str) -> None:
        header, *rows = read(text.removeprefix("\ufeff"))
        assert "Student" in header[0]
        assert "ID" in header[1]
        last = header.index("Section")
        for at in range(last + 1, len(header)):
            if header[at] not in self.header[self.start :]:
                self.created.append(header[at])
        for line in rows:
            if "Points Possible" in line[0]:
                continue
            known = self.students.get(line[header.index("ID")])
            if known is None:
                self.created.append(line[0])
                continue
            for at in range(last + 1, len(header)):
                there = self.header.index(header[at])
                if known[there] != line[at]:
                    self.changed[known[0], header[at]] = known[there], line[at]
                    known[there] = line[at]

    def export(self) -> str:
        out = io.StringIO(newline="")
        csv.writer(out).writerows([self.header, self.points, *self.students.values()])
        return "\ufeff" + out.getvalue()


def test_canvas_round_trip_changes_the_scores_that_are_known_and_nothing_else() -> None:
    there = Canvas(TABLE)
    there.take(canvas(sheet(template=there.export())))
    assert there.created == []
    assert there.changed == {
        ("Ben", "Week 1 (4711)"): ("2", "0"),
        ("Doe, Jane", "Week 1 (4711)"): ("", "2"),
        ("=Eve", "Week 1 (4711)"): ("", "0"),
    }
    there.changed.clear()
    there.take(canvas(sheet(template=there.export())))
    assert (there.created, there.changed) == ([], {}), "a second time there is nothing to change"


def test_canvas_creates_no_assignment_and_no_student() -> None:
    with pytest.raises(KitError, match=r"0 columns for 'Week 9'"):
        canvas(sheet(template=TABLE, title="Week 9"))
    some = sheet(template=TABLE, rows=[row("fay", verdict_of()), row("gil"), row("ana", verdict_of())])
    assert [line[2] for line in read(canvas(some))[2:]] == ["ana"]
    assert some.notes[1:] == [
        "Left out, because no single row of the table of Canvas is theirs: fay.",
        "1 grade filled in where nothing stood: ana.",
    ]
    with pytest.raises(KitError, match="--into"):
        canvas(sheet())


def test_canvas_takes_no_first_name_for_an_id() -> None:
    template = (
        "LastName,FirstName,ID,SIS Login ID,Section,Week 1 (7)\n    Points Possible,,,,,1\n"
        "Doe,jane,101,x1,A,\nRoe,Max,102,jane,A,\n"
    )
    lines = read(canvas(sheet(template=template, rows=[row("jane", verdict_of())])))
    assert [line[:4] for line in lines[2:]] == [["Roe", "Max", "102", "jane"]]


def test_canvas_in_a_language_with_semicolons() -> None:
    template = TABLE.replace('"Doe, Jane"', "Jane").replace(",", ";").replace("2.00", "2,00")
    assert '"Jane";"101";"ana";"A";"1.9"' in canvas(sheet("correct=1,prints=0.9", template=template))


def scores(text: str) -> list[str]:
    return [line[-1] for line in read(text)[2:]]


def test_scores_are_on_the_scale_of_the_column_and_a_line_says_so() -> None:
    one = sheet("correct=1,prints=0.9", template=TABLE.replace("2.00", "100,0"), roster=roster())
    with pytest.raises(KitError, match=r"line 2: it has 7 cells, and the header has 6"):
        canvas(one)
    one = sheet("correct=1,prints=0.9", template=TABLE.replace("2.00", "100.5"))
    assert scores(canvas(one)) == ["95.48", "0", "0"]  # 1.9 of 2 is 95.475
    assert one.notes[0].startswith(
        "Scaled: the problems here, glow (answered by 1), rope (answered by 5), give 2 at most, and Canvas counts to 100.5."
    )


@pytest.mark.parametrize("possible", ["", "0", "0.00", "(read only)", "1,234", "-5", "many"])
def test_a_column_without_points_possible_is_refused(possible: str) -> None:
    with pytest.raises(KitError, match=r"no number of points possible for 'Week 1 \(4711\)'"):
        canvas(sheet(template=TABLE.replace("2.00", f'"{possible}"')))
    with pytest.raises(KitError, match="no number of points possible"):
        canvas(sheet(template=TABLE.replace("    Points Possible,,,,2.00,5\r\n", "")))


def test_a_rule_that_gives_nothing_cannot_be_scaled() -> None:
    with pytest.raises(KitError, match="no points for anything"):
        canvas(sheet("correct=0", template=TABLE))


def test_a_short_line_is_one_clear_line_and_a_long_cell_is_read() -> None:
    with pytest.raises(KitError, match=r"line 5: it has 3 cells, and the header has 6"):
        canvas(sheet(template=TABLE.replace("Cy,103,cy,B,1,1", "Cy,103,cy")))
    assert scores(canvas(sheet(template=TABLE.replace("Not ours", "N" * 140_000)))) == ["2", "0", "0"]


def test_who_handed_in_nothing_keeps_the_row_and_no_score_changes() -> None:
    there = Canvas(TABLE)
    one = sheet(template=TABLE, roster=roster("ana", "ben", "cy", "dan", "eve", "zoe", "yan"))
    text = canvas(one)
    assert [line[2] for line in read(text)[2:]] == ["ana", "ben", "eve", "zoe"]
    there.take(text)
    assert "Not ours" not in {student for student, _ in there.changed}
    assert one.notes[0] == "Left out, because no single row of the table of Canvas is theirs: yan."


def test_a_number_of_canvas_is_looked_for_in_its_column_id_alone() -> None:
    """Cy (103) left the course; 103 is the SIS number of somebody else, who handed in nothing."""
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (7)\n    Points Possible,,,,,1\n"
    table = f"{head}Lo,114,103,lo14,A,\nAna,101,s1,ana,A,\n"
    rows = [row(one, verdict_of(), layout="canvas") for one in ("101", "103")]
    one = sheet(rows=rows, template=table)
    assert [(line[1], line[5]) for line in read(canvas(one))[2:]] == [("101", "1")]
    assert any("103" in note for note in one.notes)
    quiz = [row("101", verdict_of(), layout="canvas-quiz", called=called) for called in ("ana", "student")]
    assert [len(read(canvas(sheet(rows=[one], template=table)))) for one in quiz] == [3, 2]


def test_a_student_who_is_called_points_possible_is_a_student() -> None:
    table = TABLE.replace('"Doe, Jane"', 'Points Possible,107,pp,B,1,1\r\n"Doe, Jane"')
    one = sheet(rows=[row("ana", verdict_of()), row("pp", verdict_of())], template=table)
    assert [(line[2], line[4]) for line in read(canvas(one))[2:]] == [("pp", "2"), ("ana", "2")]


def test_two_students_of_one_row_are_left_out_and_no_other_is() -> None:
    rows = [row("101"), *(row(one, verdict_of()) for one in ("ana", "ben", "-2+3"))]  # the first is due
    one = sheet(rows=rows, template=TABLE.replace("2.00", "1"))
    assert [(line[1], line[-1]) for line in read(canvas(one))[2:]] == [("102", "1")]
    assert one.notes == [
        "Left out, because one row of the table of Canvas is that of several: 101, ana.",
        "Left out, because no single row of the table of Canvas is theirs: -2+3.",
        "1 grade that stands there changes: ben from 2 to 1.",
    ]


STANDS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (555),Week 1 bonus (556)\n,,,,,Manual Posting,\n"
    "    Points Possible,,,,,10.00,5.00\n"
    '"Lin, Ethan",102,0012,elin2,S1,7.5,1\n"Lin, Ethan",101,0011,elin1,S2,,2\n"New, Nell",109,0019,nnew,S1,3,3\n'
    '"Ex, Excused",110,0020,eex,S1,EX,\n"Same, Sam",111,0021,sam,S1,10.0,\n'
)
"""The shape `canvas_stand`: grades stand in the table, and somebody is excused."""


def standing(**more: Any) -> Sheet:
    right = {"101": "linethan", "110": "exexcused", "111": "samesam"}
    rows = [row(one, verdict_of(), layout="canvas", called=called) for one, called in right.items()]
    rows.append(row("102", WRONG, layout="canvas", called="linethan"))
    return sheet(rows=rows, template=STANDS, title="Week 1", **more)


def test_each_grade_that_stands_in_the_table_and_changes_is_told_and_no_other_is_touched() -> None:
    one = standing()
    assert {line[1]: line[5] for line in read(canvas(one))[3:]} == {"102": "0", "101": "10", "110": "EX", "111": "10.0"}
    assert one.notes[1:] == [
        "1 grade that stands there changes: 102 from 7.5 to 0.",
        "1 grade left as it stands (no number): 110 (EX).",
        "1 grade filled in where nothing stood: 101.",
    ]


def test_only_blank_cells_are_filled_in_where_that_is_asked_for() -> None:
    one = standing(only_blank=True)
    there = {line[1]: line[5] for line in read(canvas(one))[3:]}
    assert there == {"102": "7.5", "101": "10", "110": "EX", "111": "10.0"}
    assert "2 grades left as they stand (--only-blank): 102 (7.5), 110 (EX)." in one.notes
    assert one.written == there


def test_a_score_is_not_given_to_a_row_with_another_name() -> None:
    """The shape `canvas_labs`: a group `Lab_3`, whose file reads as one of user 3."""
    head = "Student,ID,SIS Login ID,Section,Week 1 (555)\n    Points Possible,,,,1\n"
    table = f'{head}"Zed, Zoe",3,,S1,\n"Doe_Smith, Jan",107,,S1,\n'
    rows = [
        row("3", verdict_of(), layout="canvas", called="lab"),
        row("107", verdict_of(), layout="canvas", called="doe_smithjan"),
    ]
    one = sheet(rows=rows, template=table)
    assert [(line[1], line[4]) for line in read(canvas(one))[2:]] == [("107", "1")]
    assert "has another name: 3 ('lab' in the download, 'Zed, Zoe' in the table). If teams handed in" in one.notes[0]
    team = Person("3", "Zoe Zed", "", (("id", "3"),), 2, teams=("Lab",))
    known = sheet(rows=rows[:1], template=table, roster=Roster([team]))
    assert [(line[1], line[4]) for line in read(canvas(known))[2:]] == [("3", "1")]


def test_what_could_not_be_graded_is_no_zero_and_the_cell_stays_away() -> None:
    """The shape `doubt_sum`: a right answer, and another that is in doubt."""
    head = "Student,ID,SIS Login ID,Section,Week 1 (5)\n    Points Possible,,,,2\n"
    table = f"{head}Two,102,,S1,9.5\nThree,103,,S1,\nFour,104,,S1,\n"
    rows = [
        row("103", verdict_of(), layout="canvas"),
        row("104", verdict_of(), layout="canvas"),
        row("104", verdict_of(), "glow"),
    ]
    unread = [
        Unread("two_102_9_rope.py", "no UTF-8.", student="102", problem="rope"),
        Unread("three_103_8_glow.py", "twice.", doubt=True, student="103", problem="glow"),
        Unread("four_104_1_notes.py", "another name.", student="104"),
    ]
    one = sheet(rows=rows, template=table, unread=unread)
    assert [(line[1], line[4]) for line in read(canvas(one))[2:]] == [("104", "2")]
    assert one.in_doubt
    assert one.unknown() == [
        "The sum of 102 is not known. two_102_9_rope.py: no UTF-8.",
        "The sum of 103 is not known. three_103_8_glow.py: twice.",
    ]


def test_who_is_excused_gets_the_mark_of_canvas_and_points_by_hand_find_their_row() -> None:
    points = Points(parsed("correct=10"), excused={"109": None}, by_hand={"102": {"rope": ByHand(Fraction("3.5"))}})
    rows = [row("101", verdict_of(), layout="canvas", called="linethan")]
    one = sheet(rows=rows, template=STANDS, points=points, title="Week 1")
    assert {line[1]: line[5] for line in read(canvas(one))[3:]} == {"102": "3.5", "101": "10", "109": "EX"}
    assert one.notes[0] == "2 grades that stand there change: 102 from 7.5 to 3.5, 109 from 3 to EX."


def test_members_of_a_team_without_their_roster_are_told_to_give_it() -> None:
    one = sheet(rows=[row("ana", verdict_of(), layout="roster", team="T1")], template=STANDS, title="Week 1")
    canvas(one)
    assert one.notes[-1].endswith(
        "theirs: ana. The members of teams have the ids of the roster: give it here too, with --roster."
    )


def test_a_name_of_a_quiz_that_fits_two_rows_is_given_to_neither() -> None:
    """A quiz writes `x123` for X, user 123, and for X1, user 23."""
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (4711)\n    Points Possible,,,,,1\n"
    quiz = [row("123", verdict_of(), layout="canvas-quiz", called="x")]
    one = sheet(rows=quiz, template=f'{head}X,123,,,A,\n"Two, Bo",23,,,A,\n')
    assert "X,123" in canvas(one).replace('"', "")
    both = sheet(rows=quiz, template=f"{head}X,123,,,A,\nX1,23,,,A,\n")
    assert "123" not in canvas(both)
    assert both.notes == ["Left out, because no single row of the table of Canvas is theirs: 123."]


def test_two_students_who_are_one_of_the_roster_get_no_row() -> None:
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (4711)\n    Points Possible,,,,,1\n"
    template = f'{head}"One, Ana",101,s1,ana,A,\n'
    both = [row(name, verdict_of(), layout="plain") for name in ("ana", "s1")]
    people = Roster([Person("s1", "Ana One", "", (("id", "s1"), ("username", "ana")), 2)], both)
    out = sheet(rows=both, roster=people, template=template)
    assert "101" not in canvas(out)
    assert out.notes == ["Left out, because no single row of the table of Canvas is theirs: ana, s1."]
