"""Points: what a rule gives, what it refuses, and that a fault is never a number."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from grader.classroom.late import Deadline, Lateness, read_time
from grader.classroom.points import (
    FORMS,
    INSIGHTS,
    ON_TIME,
    STATUSES,
    ByHand,
    Points,
    check_whole,
    in_text,
    of_toml,
    parsed,
    read_points,
    rounded,
)
from grader.kit.kit import KitError
from grader.kit.notebook_verdict import SEVERAL
from grader.marking.verdict import Insight, Status
from grader.values.message import NO_MESSAGE
from tests.classroom.exports.rows import IMPRECISE, ROWS, row, verdict_of


def test_the_names_are_those_of_the_documents() -> None:
    definitions = json.loads((files("grader") / "schemas/verdict-2.json").read_text(encoding="utf-8"))["$defs"]
    assert {*definitions["insight"]["properties"]["name"]["enum"]} == {*INSIGHTS, SEVERAL}, (
        "a note on the file earns nothing"
    )
    assert definitions["verdict"]["properties"]["status"]["enum"] == list(STATUSES)


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        ("correct=1", "1"),
        ("correct=1,insight=0.9", "0.9"),
        ("correct=1,insight=0.9,imprecise=0.95", "0.9"),
        ("correct=1,imprecise=0.95", "0.95"),
        ("correct=1,imprecise=0.95,prints=0.99", "0.95"),
        ("correct=1,xor=0.5", "1"),
    ],
)
def test_a_right_answer_is_worth_the_least_of_its_remarks(rule: str, points: str) -> None:
    assert parsed(rule).of(IMPRECISE) == Fraction(points)


def test_a_remark_gives_a_wrong_answer_nothing() -> None:
    wrong = verdict_of(Status.WRONG, insights=(Insight("loop-removed", NO_MESSAGE),))
    assert parsed("correct=1,insight=0.9").of(wrong) == 0
    assert parsed("correct=1,wrong=0.25,insight=0.9").of(wrong) == Fraction(1, 4)


def test_what_has_no_verdict_has_no_number() -> None:
    points = read_points("correct=1,wrong=1,error=1,timeout=1")
    assert [points.of(row) for row in ROWS] == [1, 1, None, None, 1, 1]


@pytest.mark.parametrize(
    "rule", ["correkt=1", "correct=", "correct=one", "correct=-1", "correct=nan", "correct=1,correct=2", "correct=1/3"]
)
def test_what_is_no_rule_is_one_clear_line(rule: str) -> None:
    with pytest.raises(KitError, match=r"^Points for [^\n]*\.$"):
        parsed(rule)


def test_a_file_has_a_rule_for_each_problem(tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text('points = "correct=2"\n[problems]\nrope = "correct=5,imprecise=4"\n', encoding="utf-8")
    points = read_points(str(path))
    assert (points.most("rope"), points.most("other")) == (5, 2)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "points = 1",
            "problems = 3",
            "pionts = 'correct=1'",
            "[problems]\nrope = 2",
            "= =",
            "due = 5",
            "late = 'half'",
        ),
        *(
            "grace = 15",
            "attempt = 'first'",
            "bonus = 'rope'",
            "bonus = [1]",
            "extensions = 3",
            "[extensions]\nana = 3",
        ),
        *("excused = true", "[excused]\nana = 'rope'", "[excused]\nana = [1]", "by_hand = 3", "[by_hand]\nana = 3"),
        *(
            "[by_hand.ana]\nrope = true",
            "[by_hand.ana]\nrope = -1",
            "[by_hand.ana]\nrope = nan",
            "[by_hand.a]\nrope = '1'",
        ),
        *(
            "[by_hand.a]\nrope = {why = 'x'}",
            "[by_hand.a]\nrope = {points = 1, who = 'x'}",
            "[extensions]\nana = '3 days'",
        ),
        "[by_hand.ana]\nrope = 1\n[excused]\nana = true",
    ],
)
def test_a_file_that_is_no_file_of_points_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "points.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KitError, match=r"points\.toml|The extension of ana is a length of time") as refused:
        read_points(str(path))
    assert "\n" not in str(refused.value)


def test_fractions_are_refused_where_points_are_whole() -> None:
    check_whole(read_points("correct=100,imprecise=95"), ["rope"], "Moodle")
    with pytest.raises(KitError, match=r"Moodle takes whole points only, .*imprecise=0\.95"):
        check_whole(read_points("correct=1,imprecise=0.95"), ["rope"], "Moodle")


RULES = """
points = "correct=1,imprecise=0.9"
due = "2026-06-01T00:00:00Z"
late = "10% a day, at most 50%"
"""


def test_points_before_and_after_lateness_are_exact_and_never_guessed(tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text(RULES.replace('"2026-06-01T00:00:00Z"', "2026-06-01T00:00:00Z"), encoding="utf-8")  # TOML has times
    points = read_points(str(path))
    late, marked = row("ana", IMPRECISE), row("ben", IMPRECISE, submitted="", late=True)
    assert (points.late(late), points.before(late), points.of(late)) == (Lateness(1), Fraction("0.9"), Fraction("0.81"))
    assert (points.late(marked), points.before(marked), points.of(marked)) == (Lateness(None), Fraction("0.9"), None)
    assert points.of(row("cy", verdict_of(Status.WRONG), submitted="", late=True)) == 0, (
        "nothing less a share is nothing"
    )
    (line,) = points.notes([late, marked])
    assert line == (
        "Late by a number of days that is not known, and so without points: ben. The gradebook has no times of theirs: "
        'use a rule that counts no days, such as late = "20%".'
    )
    (line,) = points.notes([late, row("dan", IMPRECISE, submitted="")])
    assert line == "When it was handed in is not known of 1 of 2 answers: they count as in time."


def test_a_time_that_is_given_counts_before_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text(RULES, encoding="utf-8")
    due = read_time("2026-05-30T00:00:00Z")
    assert read_points(str(path), due).of(row("ana", verdict_of())) == Fraction("0.7")
    assert read_points(None, due).of(row("ana", verdict_of())) == 1


def test_points_in_a_cell_have_no_exponent_and_two_decimals_where_asked() -> None:
    assert in_text(Fraction(99, 1_000_000)) == "0.000099"
    assert [in_text(rounded(Fraction(one))) for one in ("1/3", "1/8", "2", "1.005")] == ["0.33", "0.13", "2", "1.01"]


WHOLE = """
points = "correct=10"
due = "2026-06-01 00:00 Europe/Berlin"
late = "10% a day"
grace = "15 minutes"
attempt = "last on time"
bonus = ["glow"]
[extensions]
ana = "3 days"
ben = 2026-06-05T00:00:00Z
[excused]
cy = true
dan = ["rope"]
eve = false
[by_hand.fay]
rope = 3.5
glow = {points = 2, why = "on paper"}
"""


def test_a_file_says_what_holds_for_single_students() -> None:
    points = of_toml(WHOLE, "points.toml")
    assert (points.attempt, set(points.bonus), points.students) == (
        ON_TIME,
        {"glow"},
        {"ana", "ben", "cy", "dan", "fay"},
    )
    assert points.problems == {"rope", "glow"}
    late = [points.late(row(name, verdict_of())) for name in ("ana", "ben", "cy", "zoe")]
    assert late == [None, None, Lateness(1), Lateness(1)]
    assert [points.of(row(name, verdict_of())) for name in ("ana", "cy", "dan", "eve", "fay")] == [
        10,
        None,
        None,
        9,
        3.5,
    ]
    assert points.of(row("dan", verdict_of(), "glow")) == 9, "excused from rope alone"
    assert points.keys == ("due", "late", "grace", "attempt", "bonus", "extensions", "excused", "by_hand")
    assert points.notes([]) == ["Points by hand, in the place of those of the verdict: fay rope 3.5, fay glow 2."]


def test_points_by_hand_count_whatever_the_verdict_says() -> None:
    points = of_toml("[by_hand.cy]\nrope = 0.5\n[by_hand.ana]\nrope = 0\n", "points.toml")
    assert [points.of(one) for one in ROWS if one.student in ("ana", "cy") and one.problem == "rope"] == [
        0,
        Fraction(1, 2),
    ]
    assert (points.remark("ana", "rope"), points.remark("ana", "glow")) == ("by hand", "")


def test_a_mark_of_the_system_for_one_with_more_time_is_told_and_worth_nothing_yet() -> None:
    points = of_toml('late = "20%"\ngrace = "5 minutes"\n', "points.toml")
    marked = row("ana", verdict_of(), submitted="", late=True)
    assert points.of(marked) is None
    (note,) = points.notes([marked])
    assert note.startswith(
        "Marked late by their system, at a time that is not known, though the points file gives more time"
    )


def test_an_offset_near_a_change_of_the_clock_is_told() -> None:
    points = of_toml("due = 2026-10-31T20:00:00-04:00\n", "points.toml")
    near, far = (
        row(name, verdict_of(), submitted=f"2026-11-0{day}:30:00Z") for name, day in (("a", "2T00"), ("b", "2T05"))
    )
    (note,) = points.notes([near, far])
    assert note.startswith("An hour more or less would change how many days these are late: a. `due` has an offset,")


def test_another_attempt_than_the_gradebook_counts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text('attempt = "best"\n', encoding="utf-8")
    with pytest.raises(KitError, match='lets the attempt "best" count, and in the gradebook it is "last"'):
        read_points(str(path), None, read_points(None))
    kept = read_points(str(path))
    assert read_points(str(path), None, kept) == read_points(None, None, kept) == kept
    assert read_points("correct=2", None, kept).attempt == "best", "a rule says nothing of attempts"


def test_the_guide_shows_every_key_and_a_file_that_can_be_read() -> None:
    guide = (files("grader") / "guides/classes.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(points.*?)```", guide, re.DOTALL)
    points = of_toml(text, "the guide")
    assert {*FORMS} == {*points.keys, "points", "problems"}
    assert points.of(row("105", verdict_of())) == Fraction("3.5")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[by_hand.105]\nrope = -3\n", "by_hand.105: rope = -3 is not as it should be"),
        ('[excused]\n104 = "yes"\n', "excused of 104 = 'yes' is not as it should be"),
    ],
)
def test_a_wrong_value_for_a_student_is_told_with_the_student(text: str, told: str) -> None:
    with pytest.raises(KitError) as raised:
        of_toml(text, "points.toml")
    assert told in str(raised.value)


def test_points_under_other_ids_are_those_of_the_same_students() -> None:
    given = Points(
        parsed("correct=1"),
        deadline=Deadline(extensions={"a.one": timedelta(1), "cy": timedelta(2)}),
        excused={"b.two": {"rope"}},
        by_hand={"b.two": {"glow": ByHand(Fraction(3))}},
    )
    told = given.renamed({"a.one": "101", "b.two": "102", "cy2": "103"})
    assert told.deadline.extensions == {"101": timedelta(1), "cy": timedelta(2)}
    assert (told.excused, told.by_hand) == ({"102": {"rope"}}, {"102": {"glow": ByHand(Fraction(3))}})
    both = replace(given, by_hand={"102": {"rope": ByHand(Fraction(3))}})
    with pytest.raises(KitError, match="102 is excused from rope, and has points by hand for it"):
        both.renamed({"b.two": "102"})
