"""Canvas: its own table comes back with the scores that are known, on the scale of its column, and nothing else changes."""

from __future__ import annotations

import csv
import io

import pytest

from grader.classroom.exports.canvas import canvas
from grader.kit.kit import KitError
from tests.classroom.exports.rows import json_of, read, roster, row, sheet

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
    some = sheet(template=TABLE, rows=[row("fay", json_of()), row("gil"), row("ana", json_of())])
    assert [line[2] for line in read(canvas(some))[2:]] == ["ana"]
    assert some.notes[1:] == ["Left out, because no single row of the table of Canvas is theirs: fay."]
    with pytest.raises(KitError, match="--into"):
        canvas(sheet())


def test_canvas_takes_no_first_name_for_an_id() -> None:
    template = (
        "LastName,FirstName,ID,SIS Login ID,Section,Week 1 (7)\n    Points Possible,,,,,1\n"
        "Doe,jane,101,x1,A,\nRoe,Max,102,jane,A,\n"
    )
    lines = read(canvas(sheet(template=template, rows=[row("jane", json_of())])))
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
    assert one.notes == ["Left out, because no single row of the table of Canvas is theirs: yan."]


def test_a_number_of_canvas_is_looked_for_in_its_column_id_alone() -> None:
    """Cy (103) left the course; 103 is the SIS number of somebody else, who handed in nothing."""
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (7)\n    Points Possible,,,,,1\n"
    table = f"{head}Lo,114,103,lo14,A,\nAna,101,s1,ana,A,\n"
    rows = [row(one, json_of(), layout="canvas") for one in ("101", "103")]
    one = sheet(rows=rows, template=table)
    assert [(line[1], line[5]) for line in read(canvas(one))[2:]] == [("101", "1")]
    assert any("103" in note for note in one.notes)
    quiz = [row("101", json_of(), layout="canvas-quiz", called=called) for called in ("ana", "student")]
    assert [len(read(canvas(sheet(rows=[one], template=table)))) for one in quiz] == [3, 2]


def test_a_student_who_is_called_points_possible_is_a_student() -> None:
    table = TABLE.replace('"Doe, Jane"', 'Points Possible,107,pp,B,1,1\r\n"Doe, Jane"')
    one = sheet(rows=[row("ana", json_of()), row("pp", json_of())], template=table)
    assert [(line[2], line[4]) for line in read(canvas(one))[2:]] == [("pp", "2"), ("ana", "2")]


def test_two_students_of_one_row_are_left_out_and_no_other_is() -> None:
    rows = [row("101"), *(row(one, json_of()) for one in ("ana", "ben", "-2+3"))]  # the first is due
    one = sheet(rows=rows, template=TABLE.replace("2.00", "1"))
    assert [(line[1], line[-1]) for line in read(canvas(one))[2:]] == [("102", "1")]
    assert one.notes == [
        "Left out, because one row of the table of Canvas is that of several: 101, ana.",
        "Left out, because no single row of the table of Canvas is theirs: -2+3.",
    ]
