"""`class report`: each number is a count of answers, and a page goes to each student."""

from __future__ import annotations

import hashlib
import re
import zipfile
from html import unescape
from pathlib import Path

import pytest

from grader import cli
from grader.classroom.commands.report import MOST_LISTED
from grader.classroom.journal import Journal, KeptRoster
from grader.classroom.row import Outcome
from grader.classroom.submission import Submission, Unread
from grader.kit.kit import Kit
from grader.kit.text import visible
from tests.classroom.exports.rows import WRONG, verdict_of
from tests.classroom.reported import EVIL, fill
from tests.classroom.test_clusters import raised, wrong
from tests.conftest import FLAGSHIP, copy_kit, document

VERDICTS = {
    "ana": verdict_of(),
    "ben": wrong(),
    "cy": wrong(),
    "dan": wrong(0.7, fails="ff"),
    "eve": WRONG,
    "fay": raised("bad shape (3, 4)"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with Journal(tmp_path / "week1.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in VERDICTS]
        journal.hand_in("/week1", ["rope"], handed, [])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
        due = journal.due(["rope"])
        journal.record((one, Outcome(VERDICTS[text], graded_at="then")) for one, text in due)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_it_says_that_something_was_not_graded(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week1.gradebook", write=True) as journal:
        journal.hand_in("/other", ["rope"], [], [Unread("a.txt", "why"), Unread("b.txt", "why")])
    assert cli.run(["class", "report", "week1.gradebook", "--json"]) == 0
    assert "Not in this report: 2 lines of `class status` on what is not graded." in capsys.readouterr().err


def test_what_is_in_the_report_is_not_said_to_be_left_out(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week1.gradebook", write=True) as journal:
        journal.hand_in("/other", ["rope"], [], [Unread("a.txt", "why", student="zoe"), Unread("b.txt", "why")])
    cli.run(["class", "report", "week1.gradebook"])
    assert "Not in this report: 1 line of `class status` on what is not graded." in capsys.readouterr().err


def test_it_says_what_is_wrong_how_often_and_with_whom(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "report", "week1.gradebook", "--no-color"]) == 0
    out = said(capsys)
    for part in (
        "rope 6 answers: 4 wrong, 1 correct, 1 error",
        "half-exponent - 1",
        "2 wrong answers that are not explained in full give the same: ben, cy.",
        "At T=2, row 0: 1.5000 is expected, and 2.0000 given.",
        "1 wrong answer is not explained in full: dan.",
        "1 answer raised: fay. TypeError: bad shape (3, 4)",
        "Cases that alone caught wrong answers, and how many: (2) 2.",
        "Attempted, and not right yet: ben, cy, dan, eve, fay.",
        "To begin a pitfall from it: python -m grader class pitfall week1.gradebook rope ",
        "student not right yet answers problems ben 1 1 rope",
        "No verdict moved.",
    ):
        assert part in out, out


def test_a_case_that_caught_nobody_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week2.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in ("ben", "cy")]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
        journal.record((one, Outcome(wrong(), graded_at="then")) for one, _ in journal.due(["rope"]))
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    assert "Cases that none of 2 wrong answers failed on: (1)." in said(capsys)


def test_many_students_are_counted(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week2.gradebook", write=True) as journal:
        handed = [Submission(f"s{number}", "rope", f"s{number}/rope.py", "same") for number in range(MOST_LISTED + 3)]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
        journal.record((one, Outcome(wrong(), graded_at="then")) for one, _ in journal.due(["rope"]))
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    assert "and 3 more." in said(capsys)


def test_a_page_goes_to_each_student(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "report", "week1.gradebook", "--students", "-o", "pages", "--feedback", "verdict"]) == 0
    assert "6 pages, one for each student" in said(capsys)
    assert sorted(path.stem for path in (place / "pages").iterdir()) == sorted(VERDICTS)
    assert "<td>rope</td><td>wrong</td><td>0 of 1</td>" in (place / "pages" / "ben.html").read_text()
    assert "half" not in (place / "pages" / "eve.html").read_text()
    assert cli.run(["class", "report", "week1.gradebook", "--students", "-o", "pages"]) == 2


def test_a_page_goes_to_some_students_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some = ["--student", "ben", "--student", "eve", "--student", "ben", "--points", "correct=3"]
    assert cli.run(["class", "report", "week1.gradebook", "--students", "-o", "pages", *some]) == 0
    assert sorted(path.name for path in (place / "pages").iterdir()) == ["ben.html", "eve.html"]
    assert "0 of 3" in (place / "pages" / "ben.html").read_text()
    capsys.readouterr()
    assert (
        cli.run(
            ["class", "report", "week1.gradebook", "--students", "-o", "more", "--student", "ben", "--student", "zoe"]
        )
        == 2
    )
    assert capsys.readouterr().err.strip() == "The gradebook has no student 'zoe': --student takes an id of it."
    assert not (place / "more").exists()


@pytest.mark.parametrize("form", [[], ["--json"], ["-o", "x.html"]])
@pytest.mark.parametrize("option", [["--feedback", "verdict"], ["--student", "ben"], ["--points", "correct=2"]])
def test_an_option_that_does_nothing_is_refused(
    form: list[str], option: list[str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["class", "report", "week1.gradebook", *form, *option]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{option[0]} does nothing")
    assert "it is for --students" in line


def test_who_was_late_is_in_every_form_and_on_the_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = str(tmp_path / "x.gradebook")
    (tmp_path / "points.toml").write_text('points = "correct=10"\ndue = "2026-06-01T00:00:00Z"\nlate = "10% a day"\n')
    points = ["--points", str(tmp_path / "points.toml")]
    with Journal(Path(book), write=True) as journal:
        times = {"ana": "2026-06-02T10:00:00+00:00", "ben": "", "cy": "2026-05-30T00:00:00+00:00"}
        handed = [Submission(one, "rope", f"{one}/rope.py", "x", at, late=not at) for one, at in times.items()]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
        journal.record((one, Outcome(verdict_of(), graded_at="then")) for one, _ in journal.due(["rope"]))
    assert cli.run(["class", "report", book, *points, "--no-color"]) == 0
    shown = capsys.readouterr()
    assert "Late: 2 answers, of ana (2 days), ben (marked)." in shown.out
    assert "so without points: ben." in shown.err
    assert cli.run(["class", "report", book, "--due", "2026-06-02T00:00:00Z", "--json"]) == 0
    (rope,) = document(capsys.readouterr().out)["problems"]
    assert rope["late"] == [{"student": "ana", "days": 1}, {"student": "ben", "days": None}]
    assert cli.run(["class", "report", book, *points, "-o", str(tmp_path / "x.html")]) == 0
    assert "<p>Late: 2 answers, of ana (2 days), ben (marked).</p>" in (tmp_path / "x.html").read_text()
    capsys.readouterr()
    assert cli.run(["class", "report", book, *points, "--students", "-o", str(tmp_path / "pages")]) == 0
    assert "so without points: ben." in capsys.readouterr().err
    pages = {path.stem: path.read_text() for path in (tmp_path / "pages").iterdir()}
    assert "<td>rope</td><td>correct</td><td>8 of 10 (2 days late, 10 before that)</td>" in pages["ana"]
    assert "<td>rope</td><td>correct</td><td>not known (late, 10 before that)</td>" in pages["ben"]
    assert "<td>rope</td><td>correct</td><td>10 of 10</td>" in pages["cy"]


def test_terminal_page_and_document_give_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path / "week1.gradebook")
    for way in ([], ["--json"], ["-o", "page.html"]):
        assert cli.run(["class", "report", "week1.gradebook", "--no-color", *way]) == 0
    out = capsys.readouterr().out
    text, rest = out.split("{", 1)
    whole = document("{" + rest[: rest.rindex("}") + 1])
    assert "\x1b" not in out
    text = " ".join(text.split())
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    tagged = re.sub("<[^>]*>", " ", page)
    html = " ".join(unescape(tagged).split())
    (rope,) = whole["problems"]
    for name, count in rope["outcomes"].items():
        assert (f"{count} {name}" in text) == (f"{count} {name}" in html) == (count > 0)
    for one in rope["mistakes"]:
        assert f"{one['name']} {one['alone'] or '-'} {one['together'] or '-'}" in text
        assert f"{one['name']} {one['alone'] + one['together']} {one['alone']} {one['together']}" in html
    (same,) = rope["equal"]
    assert (same["same_text"], same["statements"], len(same["students"])) == (False, 1, 9)
    assert [party for party in same["students"] if party == ["gus"] or EVIL in party] == [], "a stub, and no Python"
    who = ", ".join(name for (name,) in same["students"])
    assert f"1 statement, the same but for names, comments and layout: {who}" in text
    assert f"{who} 1 the same but for names, comments and layout" in html
    assert "This proves nothing by itself" in text
    assert "This proves nothing by itself" in html
    near = [(group["id"], one) for group in rope["groups"] for one in group["near"]]
    assert len(near) == 2
    for own, one in near:
        assert f"Perhaps one mistake with {one['id']}" in text
        assert f"at most {one['tolerances']:g} tolerances apart" in text
        assert f'id="p1-{own}"' in page
        assert f'href="#p1-{own}"' in page
    for one in whole["help"]:
        counts = f"{len(one['not_right']) + len(one['unattempted'])} {one['answers']} rope"
        assert f"{visible(one['student'])} {counts}" in html
        assert f"{one['student']} {counts}" in text or one["student"] == EVIL  # whose name is folded there
    for one in whole["moved"]:
        assert f"{one['problem']} {one['before']} {one['now']} {one['why']} {one['count']}" in html
    assert whole["moves"]
    for one in whole["moves"]:
        assert one["why"] in text
        assert {one["student"], *one["before"].split()} <= {*text.split()}
        assert f"{one['student']} {one['problem']} {one['before']} {one['now']} {one['why']}" in html
    commands = [one["command"] for one in rope["groups"] if one["command"]]
    assert len(commands) > 2
    for one in commands:
        assert one in text
        assert one in html


def test_members_of_a_team_are_one_in_the_list_of_equal_answers(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(place / "week2.gradebook", write=True) as journal:
        pairs = {"ana": "red", "ben": "red", "cy": "", "dan": "blue", "eve": "blue"}
        texts = {**dict.fromkeys(("ana", "ben", "cy"), "x = 1\n"), **dict.fromkeys(("dan", "eve"), "y = 2\n")}
        handed = [Submission(one, "rope", f"{one}/rope.py", texts[one], team=team) for one, team in pairs.items()]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    out = said(capsys)
    assert "1 statement, the same text: ana + ben, cy" in out
    assert "dan" not in out
    assert cli.run(["class", "report", "week1.gradebook", "--no-color"]) == 0
    assert "Equal answers" not in said(capsys)


def test_what_moved_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(place / "week2.gradebook")
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    out = said(capsys)
    assert "What moved, the latest first student problem before now why ana rope wrong: half-exponent" in out
    assert "correct another problem" in out
    assert "1 moved: 1 of rope." in out


def test_the_page_replaces_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (place / "week1.gradebook").read_bytes()
    (place / "old.html").write_text("mine")
    for out, why in (("week1.gradebook", "should end with .html or .json"), ("old.html", "is there already")):
        assert cli.run(["class", "report", "week1.gradebook", "-o", out]) == 2
        assert why in capsys.readouterr().err
    assert (place / "week1.gradebook").read_bytes() == before
    assert (place / "old.html").read_text() == "mine"
    assert cli.run(["class", "report", "week1.gradebook", "-o", "old.html", "--force"]) == 0
    assert (place / "old.html").read_text().startswith("<!doctype html>")
    assert cli.run(["class", "report", "week1.gradebook", "-o", "new/report.json"]) == 0
    assert document((place / "new" / "report.json").read_text())["schema"] == "grader/class-report/1"
    capsys.readouterr()
    assert cli.run(["class", "report", "week1.gradebook", "-o", "new/page.html"]) == 0
    assert "Written to new/page.html: the report on 6 answers" in said(capsys)
    assert (place / "new" / "page.html").read_text().startswith("<!doctype html>")


def test_only_one_form_at_a_time(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "report", "week1.gradebook", "-o", "a.html", "--json"]) == 2
    assert "a.html is called as a page is: give -o FILE.json" in capsys.readouterr().err
    assert cli.run(["class", "report", "week1.gradebook", "--students", "--json", "-o", "a"]) == 2
    assert "give one of them" in capsys.readouterr().err
    assert not [*place.glob("a*")]


@pytest.mark.parametrize("name", ["report.json", "report.txt", "report"])
def test_json_goes_to_the_file_that_is_named(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "report", "week1.gradebook", "--json", "-o", name]) == 0
    assert f"Written to {name}" in said(capsys)
    assert document((place / name).read_text())["answers"] == 6


def test_an_empty_gradebook_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal(tmp_path / "x.gradebook", write=True).__exit__()
    assert cli.run(["class", "report", str(tmp_path / "x.gradebook")]) == 0
    assert said(capsys) == "The gradebook holds no answer."


def canvas_class(place: Path) -> str:
    """A class of Canvas with two answers that were read, and one that could not be."""
    with Journal(place / "canvas.gradebook", write=True) as journal:
        handed = [
            Submission("101", "rope", "oneana_101_9001_stub.py", "x = 1", called="oneana", layout="canvas"),
            Submission("102", "rope", "twobo_LATE_102_9003_rope.ipynb", "x = 2", called="twobo", layout="canvas"),
        ]
        lacking = Unread("threecy_103_9006_rope.py", "line 3: no text.", student="103", problem="rope")
        journal.hand_in("/canvas", ["rope"], handed, [lacking, Unread("notes.txt", "no answer.")])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
        journal.record((one, Outcome(verdict_of(), graded_at="then")) for one, _ in journal.due(["rope"]))
    return str(place / "canvas.gradebook")


def test_feedback_goes_back_to_canvas_in_a_zip(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = canvas_class(place)
    # An answer could not be read, so that something is in doubt.
    assert cli.run(["class", "report", book, "--students", "--for", "canvas", "-o", "back.zip"]) == 1
    assert "3 pages, of 101, 102, 103. In Canvas, open the assignment and choose Upload Submissions." in said(capsys)
    assert (place / "back.zip").stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(place / "back.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(pages) == [
        "oneana_101_9001_stub.py",
        "threecy_103_9006_rope.py",
        "twobo_LATE_102_9003_rope.ipynb.txt",
    ]
    assert pages["oneana_101_9001_stub.py"] == "rope: correct. Points: 1 of 1\n\nPoints: 1 of 1.\n"
    assert "is not graded: line 3: no text." in pages["threecy_103_9006_rope.py"]
    before = (place / "back.zip").read_bytes()
    assert cli.run(["class", "report", book, "--students", "--for", "canvas", "-o", "back.zip"]) == 2
    some = ["--student", "101", "--force"]
    assert cli.run(["class", "report", book, "--students", "--for", "canvas", "-o", "back.zip", *some]) == 1
    assert zipfile.ZipFile(place / "back.zip").namelist() == ["oneana_101_9001_stub.py"]
    assert before != (place / "back.zip").read_bytes()


def test_feedback_goes_back_to_moodle_in_a_zip(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "moodle.gradebook", write=True) as journal:
        path = "Ana García_4711_assignsubmission_file_/rope.py"
        handed = [Submission("Ana García_4711", "rope", path, "x = 1", layout="moodle")]
        handed.append(Submission("Team A", "rope", "Team A_4711_assignsubmission_file_/rope.py", "x", team="Team A"))
        journal.hand_in("/moodle", ["rope"], handed, [])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
    assert cli.run(["class", "report", "moodle.gradebook", "--students", "--for", "moodle", "-o", "back.zip"]) == 0
    assert "number of a team for that of a student: Team A." in capsys.readouterr().err
    with zipfile.ZipFile(place / "back.zip") as archive:
        assert archive.namelist() == ["Ana García_4711_assignsubmission_file_/feedback.html"]
        assert archive.read(archive.namelist()[0]).startswith(b"<!doctype html>")
    assert cli.run(["class", "report", "week1.gradebook", "--students", "--for", "moodle", "-o", "x.zip"]) == 2
    assert "There is nothing for Moodle." in capsys.readouterr().err
    assert not (place / "x.zip").exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--for", "canvas", "-o", "x.zip"], "give --students as well"),
        (["--students", "--for", "canvas", "-o", "x"], "x should end with .zip: Canvas takes a zip"),
        (["--students", "--for", "canvas"], "--students needs -o FILE.zip"),
        (
            ["--students", "--for", "canvas", "-o", "x.zip", "--page", "html"],
            "--page does nothing with --students --for",
        ),
        (
            ["--students", "--for", "moodle", "-o", "x.zip", "--hide-ids"],
            "--hide-ids does nothing with --students --for",
        ),
        (["--page", "text"], "--page does nothing with the report as text"),
        (["--whose", "s-abc", "--json"], "give it alone"),
        (["--whose", "s-abc"], "is no code of this gradebook"),
    ],
)
def test_what_does_not_go_together_is_refused(
    words: list[str], line: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["class", "report", "week1.gradebook", *words]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert line in said


@pytest.mark.parametrize(
    ("form", "ending", "has"), [("markdown", ".md", "| rope |"), ("text", ".txt", "rope: correct")]
)
def test_a_page_has_the_form_that_is_asked_for(form: str, ending: str, has: str, place: Path) -> None:
    assert cli.run(["class", "report", "week1.gradebook", "--students", "--page", form, "-o", "pages"]) == 0
    assert has in (place / "pages" / f"ana{ending}").read_text()


def test_what_could_not_be_read_is_told_of_its_student(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = canvas_class(place)
    assert cli.run(["class", "report", book, "--no-color"]) == 1
    assert "Handed in, and not graded 103, rope: threecy_103_9006_rope.py: line 3: no text." in said(capsys)
    assert cli.run(["class", "report", book, "-o", "x.html"]) == 1
    assert "<td>line 3: no text.</td>" in (place / "x.html").read_text()


def test_verdicts_of_a_problem_that_changed_since_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(copy_kit(tmp_path, FLAGSHIP))
    book = str(fill(tmp_path / "week1.gradebook", FLAGSHIP, {"ana": verdict_of()}))
    assert cli.run(["class", "report", book, "--no-color"]) == 0
    assert f"Changed since, in this kit or in its software: {FLAGSHIP}. The verdicts are of before" in said(capsys)
    assert cli.run(["class", "report", book, "--json"]) == 0
    assert document(capsys.readouterr().out)["stale"] == [FLAGSHIP]
    assert cli.run(["class", "report", book, "--students", "-o", str(tmp_path / "pages")]) == 0
    assert f"Changed since, in this kit or in its software: {FLAGSHIP}." in capsys.readouterr().err


def test_a_gradebook_with_options_of_another_program_is_told_in_one_line(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(place / "week1.gradebook", write=True) as journal:
        journal.grades_with("rope", "print", "no JSON")
    monkeypatch.setenv("GRADER_KIT", str(copy_kit(place, FLAGSHIP)))
    assert cli.run(["class", "report", "week1.gradebook"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "week1.gradebook: the options of rope are none that this grader wrote."


def test_a_kit_without_solutions_is_told_no_command_that_cannot_work_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kit = copy_kit(tmp_path, FLAGSHIP)
    monkeypatch.chdir(kit)
    book = str(fill(tmp_path / "week1.gradebook", FLAGSHIP))
    assert cli.run(["class", "report", book]) == 0
    assert "class pitfall" in capsys.readouterr().out
    Kit(kit).answer(FLAGSHIP).unlink()
    assert cli.run(["class", "report", book]) == 0
    assert "pitfall" not in capsys.readouterr().out


def test_the_roster_says_who_is_absent_and_who_dropped(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "people.csv").write_text("id,email\n" + "".join(f"{one},\n" for one in ("ana", "ben", "cy", "dan", "new")))
    for words in ([], ["--roster", "people.csv"]):
        assert cli.run(["class", "report", "week1.gradebook", "--no-color", *words]) == 0
        out = said(capsys)
        assert ("In the roster, and handed in nothing: new." in out) is bool(words)
        assert ("not in the roster, so perhaps dropped: eve, fay." in out) is bool(words)


def test_a_remembered_roster_counts_and_its_change_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = place / "people.csv"
    people.write_text("id\nana\nnew\n")
    with Journal(place / "week1.gradebook", write=True) as journal:
        journal.keep_roster(KeptRoster(str(people), hashlib.sha256(people.read_bytes()).hexdigest()))
    assert cli.run(["class", "report", "week1.gradebook", "--json"]) == 0
    shown = capsys.readouterr()
    assert document(shown.out)["listed"] == {"absent": ["new"], "strange": ["ben", "cy", "dan", "eve", "fay"]}
    assert "has changed" not in shown.err
    people.write_text("id\nana\nlater\n")
    assert cli.run(["class", "report", "week1.gradebook"]) == 0
    shown = capsys.readouterr()
    assert "people.csv has changed since the last `class grade`: it counts as it is now." in shown.err
    assert "handed in nothing: later." in shown.out
    people.unlink()
    assert cli.run(["class", "report", "week1.gradebook"]) == 0
    assert "cannot be read. Give --roster FILE." in capsys.readouterr().err


def test_members_of_one_team_of_the_roster_are_not_told_as_equal(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = place / "people.csv"
    people.write_text("id,group\nana,red\nben,red\n")
    with Journal(place / "week2.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", f"x = 1\n# {one}\n") for one in ("ana", "ben")]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", '{"device": "cpu"}')
    for teams in (False, True):
        with Journal(place / "week2.gradebook", write=True) as journal:
            journal.keep_roster(KeptRoster(str(people), "", teams=teams))
        assert cli.run(["class", "report", "week2.gradebook"]) == 0
        assert ("Equal answers" in capsys.readouterr().out) is not teams


def test_ids_are_hidden_in_every_form_and_told_back(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    students = {"agarcia": wrong(), "bjones": wrong(), "cdoe": verdict_of(), "dlee": raised("no such file")}
    with Journal(place / "hidden.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", f"x = 1  # by {one}\n", layout="plain") for one in students]
        lacking = [Unread("ekim/rope.ipynb", "ekim saved no notebook", student="ekim", problem="rope")]
        journal.hand_in("/hidden", ["rope"], handed, lacking)
        journal.grades_with("rope", "print", '{"device": "cpu"}')
        verdicts = {one.digest: students[one.student] for one in handed}
        work = [(one, verdicts[one.digest]) for one, _ in journal.due(["rope"])]
        journal.record((one, Outcome(verdict, graded_at="then")) for one, verdict in work)
    (place / "people.csv").write_text("id\nagarcia\nfpark\n")
    names = ("agarcia", "bjones", "cdoe", "dlee", "ekim", "fpark")

    def read(*words: str) -> str:
        assert cli.run(["class", "report", "hidden.gradebook", "--hide-ids", "--no-color", *words]) == 1
        shown = capsys.readouterr()
        assert not [one for one in names if one in shown.out + shown.err]
        return shown.out

    roster = ["--roster", "people.csv"]
    first = read(*roster)
    assert first == read(*roster)
    codes = set(re.findall(r"s-[a-z2-7]{8}", first))
    assert len(codes) == 6
    whole = document(read("--json", *roster))
    assert {one["student"] for one in whole["help"]} <= codes
    read("-o", "page.html", *roster)
    assert not [one for one in names if one in (place / "page.html").read_text()]
    read("--students", "-o", "pages")
    pages = sorted((place / "pages").iterdir())
    assert len(pages) == 5
    assert not [one for one in names for page in pages if one in page.name + page.read_text()]
    assert {page.stem for page in pages} < codes
    for code in codes:
        assert cli.run(["class", "report", "hidden.gradebook", "--whose", code, *roster]) == 0
    assert {*capsys.readouterr().out.split()} == {*names}
