"""The page of a student: what was not handed in counts, and no text of an answer is markup or a command."""

from __future__ import annotations

import pytest

from grader.classroom.student_page import LARGEST_PAGE, markdown, student_page
from tests.classroom.exports.rows import ROWS, json_of, row, sheet


def test_what_was_not_handed_in_counts_in_what_there_was_to_get() -> None:
    rows = [row("ana", json_of()), row("ana", json_of(), "glow"), row("ben", json_of())]
    page = student_page(sheet(rows=rows), rows[2:])
    assert "| glow | nothing handed in | - |" in page
    assert "Points: 1 of 2." in page


def test_what_has_no_verdict_has_no_points() -> None:
    page = student_page(sheet(), [ROWS[2]])
    assert "| rope | not graded | not known |" in page
    assert "The sum of points is not known." in page


def test_a_page_is_never_too_large_for_github() -> None:
    verdict = {**(ROWS[1].verdict or {}), "message": "é" * 2_000_000}
    own = [row("ben", verdict)]
    text = student_page(sheet(rows=own), own)
    assert len(text.encode()) <= LARGEST_PAGE
    assert text.endswith("The rest is cut.\n")


def test_an_answer_writes_no_command_of_a_workflow() -> None:
    assert not [line for line in student_page(sheet(), ROWS).splitlines() if line.lstrip().startswith("::")]


def test_text_is_no_markup() -> None:
    assert markdown("a | <b>\n`x` @ana") == r"a \| \<b\> \`x\` @" + "\u200bana"
    assert not markdown("::error ::x").startswith("::")


@pytest.mark.parametrize("text", ["https://x.org", "www.x.org", "1. one", "2) two", "=== x"])
def test_no_text_is_a_link_a_list_or_a_heading(text: str) -> None:
    assert markdown(text) != text
    assert "://" not in markdown(text)
    assert not markdown(text).startswith(("1. ", "2) ", "=", "www."))
