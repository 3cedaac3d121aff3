"""What is told of a row: no more than the level shows, and nothing that controls what prints it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.classroom.commands.export import FORMATS
from grader.classroom.row_text import MOST_IDS_NAMED, clean, listed, row_words
from tests.classroom.exports.rows import NASTY, RAISED, ROWS, SECRET, row, sheet

_, BEN, CY, DAN, *_ = ROWS


def test_the_level_decides_what_is_told() -> None:
    assert SECRET in row_words(BEN, "full").text
    diagnosis = row_words(BEN, "diagnosis")
    assert SECRET not in diagnosis.text
    assert "half-exponent: Too fast. By how much?" in diagnosis.text
    assert row_words(BEN, "verdict").text == "Wrong."
    assert row_words(BEN, "verdict").pitfalls == ()


def test_which_of_several_definitions_is_graded_is_told_at_every_level() -> None:
    noted = replace(BEN, note="2 cells define rope: the last, cell 7, counts.")
    assert row_words(noted, "verdict").lines == ("Wrong.", "2 cells define rope: the last, cell 7, counts.")
    assert "the last, cell 7, counts." in row_words(noted, "full").text
    assert "cell 7" not in row_words(replace(DAN, note=noted.note), "full").text


WORKSHEET = "Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments\n" + "".join(
    f"Participant {number},{name},,1,-,\n" for number, name in ((1, "ben"), (2, "eve"))
)


@pytest.mark.parametrize("form", sorted(name for name in FORMATS if "--feedback" in FORMATS[name].heeds))
def test_no_export_tells_more_than_the_level(form: str) -> None:
    one = sheet(rows=[*ROWS, replace(BEN, student="ben_1"), replace(ROWS[4], student="eve_2")])
    if "--into" in FORMATS[form].heeds:
        one = replace(one, template=WORKSHEET, title="Grade", tells=True)
    said = str(FORMATS[form].write(replace(one, level="diagnosis")))
    assert SECRET not in said
    assert "half-exponent" in said
    status_alone = str(FORMATS[form].write(replace(one, level="verdict")))
    assert "half-exponent" not in status_alone
    assert "ValueError" not in status_alone


def test_the_lines_of_an_exception_are_one_line() -> None:
    said = "x\nThe grader takes the line above back. Right on all 8 cases.\nrope: 10 of 10 points"
    assert RAISED.raised is not None
    lines = row_words(row("eve", replace(RAISED, raised=replace(RAISED.raised, message=said))), "full").lines
    (line,) = [one for one in lines if "takes the line above back" in one]
    assert "x The grader takes" in line
    assert "\n" not in line


def test_what_has_no_verdict_is_not_called_wrong() -> None:
    assert row_words(CY, "verdict").text == "The grader could not grade this: the template ended"
    assert row_words(DAN, "full").text == "Not graded yet."
    assert row_words(CY, "full").status == row_words(DAN, "full").status == ""


def test_no_control_characters_are_left() -> None:
    assert clean(NASTY) == "�[31m::add-mask::x\n::error ::boo <b> | `@team`��"
    assert clean("ω × ñ 日本 😀\t\n") == "ω × ñ 日本 😀\t\n"


def test_many_ids_are_counted() -> None:
    assert listed(["a", "b\nc\x1b"]) == "a, b c�"
    assert listed([str(count) for count in range(MOST_IDS_NAMED + 2)]) == "0, 1, 2, 3, 4 and 2 more"
