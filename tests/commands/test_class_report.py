"""`class report`: each number is a count of answers, and a page goes to each student."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from grader import cli
from grader.classroom.journal import Journal
from grader.classroom.outcome import Outcome
from grader.classroom.submission import Submission, Unread
from grader.commands.class_report import MOST_LISTED
from grader.kit.text import visible
from tests.classroom.exports.rows import WRONG, json_of
from tests.classroom.reported import EVIL, fill
from tests.classroom.test_clusters import raised, wrong
from tests.conftest import document

VERDICTS = {
    "ana": json_of(),
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
        journal.grades_with("rope", "print", "policy")
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
        "No verdict moved when a problem or the way of grading last changed.",
    ):
        assert part in out, out


def test_a_case_that_caught_nobody_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week2.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in ("ben", "cy")]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        journal.record((one, Outcome(wrong(), graded_at="then")) for one, _ in journal.due(["rope"]))
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    assert "Cases that none of 2 wrong answers failed on: (1)." in said(capsys)


def test_many_students_are_counted(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(place / "week2.gradebook", write=True) as journal:
        handed = [Submission(f"s{number}", "rope", f"s{number}/rope.py", "same") for number in range(MOST_LISTED + 3)]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        journal.record((one, Outcome(wrong(), graded_at="then")) for one, _ in journal.due(["rope"]))
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    assert "and 3 more." in said(capsys)


def test_a_page_goes_to_each_student(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "report", "week1.gradebook", "--students", "-o", "pages", "--feedback", "verdict"]) == 0
    assert "6 pages, one for each student" in said(capsys)
    assert sorted(path.stem for path in (place / "pages").iterdir()) == sorted(VERDICTS)
    assert "| rope | wrong | 0 of 1 |" in (place / "pages" / "ben.md").read_text()
    assert "half" not in (place / "pages" / "eve.md").read_text()
    assert cli.run(["class", "report", "week1.gradebook", "--students", "-o", "pages"]) == 2


def test_a_page_goes_to_some_students_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some = ["--student", "ben", "--student", "eve", "--student", "ben", "--points", "correct=3"]
    assert cli.run(["class", "report", "week1.gradebook", "--students", "-o", "pages", *some]) == 0
    assert sorted(path.name for path in (place / "pages").iterdir()) == ["ben.md", "eve.md"]
    assert "0 of 3" in (place / "pages" / "ben.md").read_text()
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
    assert line.endswith("it is for --students.")


def test_who_was_late_is_in_every_form_and_on_the_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = str(tmp_path / "x.gradebook")
    (tmp_path / "points.toml").write_text('points = "correct=10"\ndue = "2026-06-01T00:00:00Z"\nlate = "10% a day"\n')
    points = ["--points", str(tmp_path / "points.toml")]
    with Journal(Path(book), write=True) as journal:
        times = {"ana": "2026-06-02T10:00:00+00:00", "ben": "", "cy": "2026-05-30T00:00:00+00:00"}
        handed = [Submission(one, "rope", f"{one}/rope.py", "x", at, late=not at) for one, at in times.items()]
        journal.hand_in("/week2", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        journal.record((one, Outcome(json_of(), graded_at="then")) for one, _ in journal.due(["rope"]))
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
    assert "| rope | correct | 8 of 10 (2 days late, 10 before that) |" in pages["ana"]
    assert "| rope | correct | not known (late, 10 before that) |" in pages["ben"]
    assert "| rope | correct | 10 of 10 |" in pages["cy"]


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
    assert f"Of {rope['by_errors']} unexplained answers no values are kept" in text
    assert f"Of {rope['by_errors']} unexplained answers no values are kept" in html
    for one in whole["help"]:
        counts = f"{len(one['not_right']) + len(one['unattempted'])} {one['answers']} rope"
        assert f"{visible(one['student'])} {counts}" in html
        assert f"{one['student']} {counts}" in text or one["student"] == EVIL  # whose name is folded there
    for one in whole["moved"]:
        assert f"{one['problem']} {one['before']} {one['now']}" in text
        assert f"{one['problem']} {one['before']} {one['now']} {one['count']}" in html
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
        journal.grades_with("rope", "print", "policy")
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    out = said(capsys)
    assert "1 statement, the same text: ana + ben, cy" in out
    assert "dan" not in out
    assert cli.run(["class", "report", "week1.gradebook", "--no-color"]) == 0
    assert "Equal answers" not in said(capsys)


def test_what_moved_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(place / "week2.gradebook")
    assert cli.run(["class", "report", "week2.gradebook", "--no-color"]) == 0
    assert (
        "student problem before now ana rope wrong: half-exponent + constant-factor correct 1 moved: 1 of rope."
        in said(capsys)
    )


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
    assert "give -o FILE.json in its place" in capsys.readouterr().err
    assert not (place / "a.html").exists()


def test_an_empty_gradebook_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal(tmp_path / "x.gradebook", write=True).__exit__()
    assert cli.run(["class", "report", str(tmp_path / "x.gradebook")]) == 0
    assert said(capsys) == "The gradebook holds no answer."
