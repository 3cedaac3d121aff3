"""CSV for people, Moodle and Canvas: no formula, no blank where a blank is a change, no number without a verdict."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace

import pytest

from grader.classroom.exports.tables import canvas, cell, everything, moodle
from grader.classroom.roster import Person
from grader.kit.kit import KitError
from tests.classroom.exports.rows import ROWS, json_of, row, sheet

TABLE = (
    "\ufeffStudent,ID,SIS Login ID,Section,Week 1 (4711),Week 2 (4712)\r\n"
    "    Points Possible,,,,3,5\r\n"
    '"Doe, Jane",101,ana,A,,4\r\n'
    "Ben,102,ben,A,2,\r\n"
    "Cy,103,cy,B,1,1\r\n"
    "Dan,104,dan,B,,\r\n"
    "=Eve,105,eve,B,,\r\n"
    "Not ours,106,zoe,B,3,3\r\n"
)


@dataclass(frozen=True)
class Someone:
    name: str
    email: str
    ids: tuple[str, ...] = ()


class Emails:
    def __init__(self, known: str) -> None:
        self.known = known.split()

    def of(self, student: str) -> Someone | None:
        return Someone(student.title(), f"{student}@example.org") if student in self.known else None


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\r\n=1", "＝1"])
def test_no_cell_of_text_is_a_formula(text: str) -> None:
    assert cell(text).startswith("'")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("text", ["cy;=1+1", "x; =HYPERLINK(1)", "x;-1", "a;@b", 'x";=1', "x;＝1", 'x;"=1', 'x; "" -1'])
def test_no_cell_is_a_formula_where_another_character_separates_cells(text: str, delimiter: str) -> None:
    rows = [replace(ROWS[0], student=text), *ROWS[1:]]
    for line in csv.reader(io.StringIO(everything(replace(sheet(), rows=rows)), newline=""), delimiter=delimiter):
        assert not [one for one in line if one.lstrip('" ').startswith(("=", "+", "-", "@", "＝"))]


def test_everything_has_one_line_for_each_answer_and_no_number_without_a_verdict() -> None:
    header, *lines = read(everything(sheet("correct=1,prints=0.9")))
    told = {(line[0], line[3]): dict(zip(header, line, strict=True)) for line in lines}
    assert len(told) == 6
    assert {key: (one["outcome"], one["points"]) for key, one in told.items()} == {
        ("ana", "glow"): ("correct", "0.9"),
        ("ana", "rope"): ("correct", "1"),
        ("ben", "rope"): ("wrong", "0"),
        ("cy", "rope"): ("fault", ""),
        ("dan", "rope"): ("due", ""),
        ("eve", "rope"): ("error", "0"),
    }


def test_canvas_gets_its_own_table_back_with_one_column_and_the_students_who_have_a_score() -> None:
    lines = read(canvas(sheet(template=TABLE)))
    assert lines == [
        ["Student", "ID", "SIS Login ID", "Section", "Week 1 (4711)"],
        ["    Points Possible", "", "", "", "3"],
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
    assert some.notes == ["Left out, because the table of Canvas has no line of its own for it: fay."]
    with pytest.raises(KitError, match="--into"):
        canvas(sheet())


def test_canvas_takes_no_first_name_for_an_id() -> None:
    template = "LastName,FirstName,ID,SIS Login ID,Section,Week 1 (7)\nDoe,jane,101,x1,A,\nRoe,Max,102,jane,A,\n"
    lines = read(canvas(sheet(template=template, rows=[row("jane", json_of())])))
    assert [line[:4] for line in lines[1:]] == [["Roe", "Max", "102", "jane"]]


def test_canvas_in_a_language_with_semicolons() -> None:
    template = TABLE.replace('"Doe, Jane"', "Jane").replace(",", ";")
    assert '"Jane";"101";"ana";"A";"1.9"' in canvas(sheet("correct=1,prints=0.9", template=template))


def test_moodle_has_whole_points_and_only_students_whose_score_is_known() -> None:
    lines = read(moodle(sheet()))
    assert [line[:2] for line in lines] == [["ID number", "Week 1"], ["ana", "2"], ["ben", "0"], ["eve", "0"]]
    with pytest.raises(KitError, match="whole points"):
        moodle(sheet("correct=0.5"))


def test_moodle_gets_no_id_that_a_spreadsheet_would_change() -> None:
    with pytest.raises(KitError, match="takes the id '-k1' for a formula"):
        moodle(sheet(rows=[row("-k1", json_of())]))


def test_moodle_gets_one_line_for_each_student() -> None:
    class Ana:
        def of(self, student: str) -> Person:
            return Person("1", "Ana", "ana@x.org", ("1",), 2)

    with pytest.raises(KitError, match=r"Two students of the gradebook are ana@x\.org in the roster"):
        moodle(sheet(rows=[row("a", json_of()), row("b", json_of())], roster=Ana()))


def test_moodle_gets_all_e_mails_or_none() -> None:
    assert read(moodle(sheet(roster=Emails("ana ben cy dan eve"))))[1][0] == "ana@example.org"
    with pytest.raises(KitError, match="no e-mail of 'eve'"):
        moodle(sheet(roster=Emails("ana ben cy dan")))
