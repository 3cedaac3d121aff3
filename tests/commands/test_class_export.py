"""`class export` from a gradebook: every format by its name, and nothing of an older export mixed in."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from grader import cli
from grader.classroom.commands import export
from grader.classroom.commands.export import FORMATS
from grader.classroom.journal import Journal, KeptRoster
from grader.classroom.row import Outcome
from grader.classroom.submission import Submission, Unread
from tests.classroom.exports.rows import WRONG
from tests.conftest import FLAGSHIP, copy_kit

BOOK = "week1.gradebook"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wrong answer, and one that is due."""
    monkeypatch.chdir(tmp_path)
    with Journal(tmp_path / "week1.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in ("ana", "ben")]
        journal.hand_in("/week1", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        work = [identity for identity, _ in journal.due(["rope"])]
        journal.record([(work[0], Outcome(WRONG, graded_at="then"))])
    return tmp_path


@pytest.mark.parametrize("form", ["csv", "json", "junit", "moodle"])
def test_each_format_is_written(form: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", BOOK, form, "--out", "out", "--no-color"]) == 0
    assert (place / "out").is_file()
    assert "Without a verdict, and so without points: 1 of 2 answers." in capsys.readouterr().out


def test_canvas_fills_its_table(place: Path) -> None:
    table = "Student,ID,SIS Login ID,Section,week1 (7)\n    Points Possible,,,,1\nA,1,ana,x,\nB,2,ben,x,\n"
    (place / "canvas.csv").write_text(table, encoding="utf-8")
    assert cli.run(["class", "export", BOOK, "canvas", "--out", "out.csv", "--into", "canvas.csv"]) == 0
    assert (place / "out.csv").read_text(encoding="utf-8").splitlines()[2:] == ['"A","1","ana","x","0"']


@pytest.mark.parametrize("form", ["check50", "dolos", "exercism", "github", "gradescope", "classroom50"])
def test_what_is_no_format_is_one_line(form: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", BOOK, form, "--out", "out"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is not one of" in line


def test_a_rule_that_is_none_is_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", BOOK, "csv", "--out", "out", "--points", "rihgt=1"]) == 2
    assert "there is no such outcome" in capsys.readouterr().err
    assert not (place / "out").exists()


def test_nothing_that_is_there_is_overwritten(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gradebook = place / "week1.gradebook"
    before = gradebook.read_bytes()
    for out in ("week1.gradebook", "."):
        assert cli.run(["class", "export", BOOK, "csv", "--out", out]) == 2
        assert "is there already" in capsys.readouterr().err
    assert gradebook.read_bytes() == before


def test_points_for_a_problem_that_there_is_not_are_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "points.toml").write_text('[problems]\nroppe = "correct=2"\n')
    assert cli.run(["class", "export", BOOK, "csv", "--out", "out", "--points", "points.toml"]) == 2
    assert "points.toml names roppe, and no problem is called so." in capsys.readouterr().err


def test_who_is_left_out_or_unknown_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "people.csv").write_text("id,name\nana,Ana\n")
    assert cli.run(["class", "export", BOOK, "csv", "--out", "out", "--roster", "people.csv"]) == 0
    assert (
        'Matched with the roster: 1 by "id".\nNot in the roster: ben (no value of it is this id).\n'
        in capsys.readouterr().err
    )
    table = "Student,ID,SIS Login ID,Section,week1 (7)\nB,2,ben,x,\n"
    (place / "canvas.csv").write_text(table.replace("\n", "\nPoints Possible,,,,1\n", 1))
    assert cli.run(["class", "export", BOOK, "canvas", "--out", "out.csv", "--into", "canvas.csv"]) == 0
    assert "Left out" in (said := capsys.readouterr().err)
    assert "ana" in said


OPTIONS = {
    "--points": "correct=2",
    "--due": "2026-09-24T23:59:00Z",
    "--roster": "people.csv",
    "--column": "Week 1",
    "--into": "table.csv",
    "--feedback": "verdict",
    "--only-blank": "",
}


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("form", export.CHOICES)
def test_an_option_that_does_nothing_is_refused_and_says_what_it_is_for(
    form: str, option: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into = ["--into", "table.csv"] if form == "canvas" or (form == "moodle" and option == "--into") else []
    heeds = FORMATS[f"{form} --into" if form == "moodle" and into else form].heeds
    value = filter(None, (option, OPTIONS[option]))
    given = ["--out", "out", *into, *(() if option == "--into" and into else value)]
    status, said = cli.run(["class", "export", BOOK, form, *given]), capsys.readouterr().err
    assert (f"{option} does nothing with {form}: it is for " in said) == (option not in heeds)
    assert status == 2 or option in heeds


def test_only_blank_is_for_a_table(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", BOOK, "csv", "--only-blank", "--out", "out"]) == 2
    assert capsys.readouterr().err.strip() == "--only-blank does nothing with csv: it is for canvas, moodle --into."


def test_a_time_without_a_zone_is_one_line_with_an_example(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", BOOK, "csv", "--due", "2026-09-24T23:59", "--out", "out"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "has no zone: write one such as 2026-09-24T23:59:00+02:00" in line
    assert not (place / "out").exists()


def test_what_is_not_known_of_times_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", BOOK, "csv", "--due", "2026-09-24T23:59Z", "--out", "out"]) == 0
    assert "When it was handed in is not known of 2 of 2 answers" in capsys.readouterr().err


def test_a_worksheet_of_moodle_is_filled_in_byte_for_byte(place: Path) -> None:
    sheet = "\ufeffIdentifier,Full name,Grade,Maximum Grade,Last modified (grade)\r\nParticipant 7,Ana,,1.00,-\r\n"
    (place / "worksheet.csv").write_bytes(sheet.encode())
    (place / "people.csv").write_text("username,name,identifier\nana,Ana,Participant 7\n")
    options = ["--into", "worksheet.csv", "--roster", "people.csv", "--out", "out.csv"]
    assert cli.run(["class", "export", BOOK, "moodle", *options]) == 0
    assert (place / "out.csv").read_bytes() == sheet.replace("Ana,,", "Ana,0,").encode()


def test_a_table_that_is_no_utf_8_is_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "x.csv").write_bytes(b"\xff\xfeI\0")
    assert cli.run(["class", "export", BOOK, "moodle", "--into", "x.csv", "--out", "out"]) == 2
    assert capsys.readouterr().err.strip() == "x.csv is not UTF-8: download it again, and do not edit it."


def test_one_id_that_looks_like_a_formula_stops_no_export(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    students = ("-2+3", "=1", "ana", "ben")
    with Journal(place / "odd.gradebook", write=True) as journal:
        journal.hand_in("/odd", ["rope"], [Submission(one, "rope", f"{one}/rope.py", one) for one in students], [])
        journal.grades_with("rope", "print", "policy")
        work = [identity for identity, _ in journal.due(["rope"])]
        journal.record([(one, Outcome(WRONG, graded_at="then")) for one in work])
    for form in ("csv", "json", "junit", "moodle"):
        assert cli.run(["class", "export", "odd.gradebook", form, "--out", form]) == 0
        assert {"ana", "ben"} <= {*re.findall(r"\b(?:ana|ben)\b", (place / form).read_text(encoding="utf-8"))}
    lines = [line.split(",")[0] for line in (place / "moodle").read_text(encoding="utf-8").splitlines()[1:]]
    assert lines == ['"ana"', '"ben"']
    assert "takes their id for a formula" in (said := " ".join(capsys.readouterr().err.split()))
    assert ": -2+3, =1. Give a roster with e-mails" in said


STANDS = "Student,ID,SIS Login ID,Section,week1 (7)\n    Points Possible,,,,1\nA,1,ana,x,0.5\nB,2,ben,x,\n"


def test_every_change_in_a_table_is_told_and_the_gradebook_remembers_the_export(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "canvas.csv").write_text(STANDS)
    words = ["class", "export", BOOK, "canvas", "--into", "canvas.csv", "--force", "--out", "out.csv"]
    assert cli.run(words) == 0
    assert "1 grade that stands there changes: ana from 0.5 to 0." in capsys.readouterr().err
    assert cli.run([*words, "--only-blank"]) == 0
    assert "1 grade left as it stands (--only-blank): ana (0.5)." in capsys.readouterr().err
    assert cli.run(["class", "export", BOOK, "csv", "--out", "all.csv"]) == 0
    with Journal(place / BOOK) as journal:
        told = [(one.format, Path(one.path).name, one.scores) for one in journal.exports()]
    assert told == [
        ("canvas", "out.csv", {"ana": "0"}),
        ("canvas", "out.csv", {"ana": "0.5"}),
        ("csv", "all.csv", {"ana": "0", "ben": ""}),
    ]


@pytest.mark.parametrize("form", ["csv", "json", "junit", "moodle"])
def test_what_could_not_be_graded_is_told_and_ends_with_status_1(
    form: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacks = [
        Unread("cy/rope.py", "no UTF-8.", student="cy", problem="rope"),
        Unread("x.py", "whose?", doubt=True),
    ]
    with Journal(place / BOOK, write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in ("ana", "ben")]
        journal.hand_in("/week1", ["rope"], handed, lacks)
    assert cli.run(["class", "export", BOOK, form, "--out", "out"]) == 1
    said = capsys.readouterr().err
    assert "The sum of cy is not known. cy/rope.py: no UTF-8." in said
    assert "These files are graded for nobody, because it is not known who handed them in." in said
    assert "Their students have no points for them here: x.py." in said
    assert ("cy" in (place / "out").read_text(encoding="utf-8")) == (form != "moodle")


def test_verdicts_of_before_a_problem_changed_are_told_as_such(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(export, "stale", lambda *_: ["rope"])
    copy_kit(place / "kit", FLAGSHIP)
    assert cli.run(["class", "export", BOOK, "csv", "--out", "out", "--kit", "kit"]) == 0
    assert "or in its software: rope. The verdicts are of before: `class grade`" in capsys.readouterr().err


def test_the_roster_of_class_grade_is_used_as_long_as_it_is_there(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = place / "people.csv"
    roster.write_text("id,name\nana,Ana\nzoe,Zoe\n")
    with Journal(place / BOOK, write=True) as journal:
        journal.keep_roster(KeptRoster(str(roster), hashlib.sha256(roster.read_bytes()).hexdigest()))
    assert cli.run(["class", "export", BOOK, "csv", "--out", "out"]) == 0
    assert '"zoe","Zoe"' in (place / "out").read_text(encoding="utf-8")
    roster.unlink()
    assert cli.run(["class", "export", BOOK, "csv", "--out", "again"]) == 0
    assert "people.csv" in capsys.readouterr().err
    assert "zoe" not in (place / "again").read_text(encoding="utf-8")


def test_the_points_of_class_grade_count_where_none_are_given(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / BOOK, write=True) as journal:
        journal.keep_points('points = "correct=2,wrong=1"\nattempt = "best"\n[excused]\nwho = true\n')
    assert cli.run(["class", "export", BOOK, "moodle", "--out", "out"]) == 0
    assert '"ana","1"' in (place / "out").read_text(encoding="utf-8")
    said = capsys.readouterr().err
    assert "Points are counted by what `class grade` was given with --points." in said
    assert "The points file names ids that nobody here or in a roster has: who." in said
    (place / "points.toml").write_text('attempt = "last"\n')
    assert cli.run(["class", "export", BOOK, "moodle", "--points", "points.toml", "--out", "no"]) == 2
    assert 'in the gradebook it is "best": give the file to `class grade` first' in capsys.readouterr().err


def test_feedback_fills_in_the_column_of_a_worksheet(place: Path) -> None:
    sheet = (
        "Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments\nParticipant 7,Ana,,1.00,-,\n"
    )
    (place / "worksheet.csv").write_text(sheet, encoding="utf-8")
    (place / "people.csv").write_text("username,name,identifier\nana,Ana,Participant 7\n")
    options = ["--into", "worksheet.csv", "--roster", "people.csv", "--out", "out.csv"]
    assert cli.run(["class", "export", BOOK, "moodle", *options, "--feedback", "verdict"]) == 0
    assert (place / "out.csv").read_text(encoding="utf-8").endswith("Participant 7,Ana,0,1.00,-,rope: wrong\n")


def test_an_export_is_written_while_somebody_grades_and_a_line_says_that_it_is_not_remembered(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(place / BOOK, write=True):
        assert cli.run(["class", "export", BOOK, "csv", "--out", "out"]) == 0
    assert "The gradebook does not remember this export" in capsys.readouterr().err
    assert (place / "out").is_file()
    with Journal(place / BOOK) as journal:
        assert journal.exports() == []


def test_points_that_name_a_student_by_another_id_of_the_roster_count(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "people.csv").write_text("id,username\nana,a.one\nben,b.two\n")
    (place / "points.toml").write_text("[by_hand.'a.one']\nrope = 3\n[excused]\n'b.two' = true\n")
    options = ("--points", "points.toml", "--roster", "people.csv", "--out", "out")
    assert cli.run(["class", "export", BOOK, "moodle", *options]) == 0
    assert '"ana","3"' in (place / "out").read_text(encoding="utf-8")
    assert "Excused, and so without a sum: ben." in capsys.readouterr().err
