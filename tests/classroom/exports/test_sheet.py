"""The sum of a student: known only where every answer has a verdict."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.exports.sheet import Sheet, folder_of
from grader.classroom.points import ByHand, Points, parsed
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from grader.kit.output import write_new
from tests.classroom.exports.rows import ROWS, row, sheet, verdict_of


def test_a_sum_needs_all_verdicts() -> None:
    one = sheet()
    assert [one.total(student) for student in ("ana", "ben", "cy", "dan")] == [2, 0, None, None]
    assert one.most == 2
    both = sheet(rows=[*ROWS, row("ana", problem="third")])
    assert both.total("ana") is None


LACKS = [
    Unread("ana/twice.py", "two of them.", doubt=True, student="ana", problem="rope"),
    Unread("ben/glow.py", "no text.", student="ben", problem="glow"),
    Unread("eve/notes.py", "another name.", student="eve"),
    Unread("eve/old.py", "an earlier attempt."),
    Unread("x.py", "whose?", doubt=True),
    Unread("zoe/rope.py", "no text.", student="zoe", problem="rope"),
]


def test_a_sum_needs_all_that_was_handed_in_and_each_reason_is_told() -> None:
    one = sheet(unread=LACKS)
    assert {student: one.total(student) for student in one.students} == dict.fromkeys(
        ("ana", "ben", "cy", "dan", "eve", "zoe")
    )
    assert one.doubts("ana") == ["ana/twice.py: two of them."]
    assert one.doubts("dan") == ["rope: Not graded yet."]
    assert "The sum of zoe is not known. zoe/rope.py: no text." in one.unknown()
    assert one.unknown()[-1] == (
        "These files are graded for nobody, because it is not known who handed them in. Their students have no "
        "points for them here: x.py."
    )
    assert one.in_doubt
    assert not sheet(unread=LACKS[3:4]).in_doubt, "in the place of an earlier attempt another one counts"
    whole = [row("eve", verdict_of()), row("eve", verdict_of(), "glow")]
    assert sheet(rows=whole, unread=LACKS[2:4]).total("eve") == 2, "all problems are answered beside the other file"


def test_many_sums_that_are_not_known_are_told_in_one_line_beyond_the_first() -> None:
    lines = sheet(rows=[row(f"s{number:02}") for number in range(15)]).unknown()
    assert len(lines) == 13
    assert lines[-1] == "The sum is not known of 3 more: s12, s13, s14."


def ruled(**more: Any) -> Sheet:
    return sheet(points=Points(parsed("correct=1"), **more))


def test_points_by_hand_make_a_sum_known_and_stand_where_nothing_was_read() -> None:
    hand = {"cy": {"rope": ByHand(Fraction("0.5"), "on paper")}, "zoe": {"glow": ByHand(Fraction(1))}}
    one = replace(ruled(by_hand=hand), unread=LACKS)
    assert one.total("cy") == Fraction(1, 2), "a fault of the grader does not matter"
    assert one.total("zoe") is None, "another problem of hers is not known"
    assert replace(one, unread=[]).total("zoe") == 1
    assert one.feedback("cy") == "rope: not graded (by hand: on paper)"


def test_a_bonus_adds_to_a_sum_and_not_to_what_it_is_out_of() -> None:
    one = ruled(bonus=["glow"])
    assert (one.most, one.total("ana"), one.score("ana", Fraction(10), "Canvas")) == (1, 2, 20)
    with pytest.raises(KitError, match="No problem here but a bonus gives points: there is nothing to count"):
        ruled(bonus=["glow", "rope"]).score("ana", Fraction(10), "Canvas")


def test_who_is_excused_has_a_sum_out_of_the_rest_or_none() -> None:
    one = ruled(excused={"ana": ["glow"], "ben": None, "cy": ["rope"], "nobody": None})
    assert (one.total("ana"), one.most_of("ana"), one.score("ana", Fraction(2), "Canvas")) == (1, 1, 2)
    assert (one.total("ben"), one.is_excused("ben"), one.doubts("ben")) == (None, True, [])
    assert one.total("cy") == 0, "the fault is in a problem that is not asked of him"
    assert one.unknown()[1:] == [
        "Excused from some problems, and so with a sum out of the others: ana, cy.",
        "Excused, and so without a sum: ben, nobody.",
        "The points file names ids that nobody here or in a roster has: nobody.",
    ]


def test_two_students_have_two_folders() -> None:
    students = ["", ".", "..", "%2E", "%", "a/b", "a%2Fb", "a\\b", "a b", "ana", "ñ", "a" * 300, "a" * 301, "a" * 200]
    assert len({folder_of(one) for one in students}) == len(students)
    assert [folder_of(one) for one in ("ana", "a b", "ñ")] == ["ana", "a b", "ñ"]


@pytest.mark.parametrize(
    "student",
    [
        "",
        ".",
        "..",
        "a/b",
        "a\\b",
        "a\0",
        "a\n",
        "a\t\u00a0\u200b",
        "/etc",
        "a\ud800",
        "c:",
        "a" * 255,
        "ñ\u200b" * 100,
    ],
)
def test_no_student_leads_out_of_the_folder_and_none_stops_the_others(student: str, tmp_path: Path) -> None:
    write_new(tmp_path / "out", {f"{folder_of(student)}.md": b"x"})
    (file,) = (tmp_path / "out").iterdir()
    assert file.name.isprintable()


def test_of_a_class_that_is_in_doubt_as_a_whole_what_was_read_before_counts() -> None:
    of = sheet(unread=[Unread(".", "two names have one number.", doubt=True)])
    (line,) = [one for one in of.unknown() if "two names" in one]
    assert line == (
        "Nothing of the class as it is now is graded, and what was read of it before counts: two names have one number."
    )
