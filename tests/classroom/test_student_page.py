"""The page of a student: what was not handed in counts, and no text of an answer is markup or a command."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.classroom.points import Points, parsed
from grader.classroom.student_page import ENDINGS, LARGEST_PAGE, as_html, as_markdown, as_text, markdown, student_page
from grader.classroom.submission import Unread
from grader.marking.verdict import Status
from grader.values.message import verbatim
from tests.classroom.exports.rows import NASTY, ROWS, WRONG, row, sheet, verdict_of


def test_what_was_not_handed_in_counts_in_what_there_was_to_get() -> None:
    rows = [row("ana", verdict_of()), row("ana", verdict_of(), "glow"), row("ben", verdict_of())]
    page = as_markdown(student_page(sheet(rows=rows), "ben"))
    assert r"| glow | nothing handed in | \- |" in page
    assert "Points: 1 of 2." in page


def test_what_has_no_verdict_has_no_points() -> None:
    page = as_markdown(student_page(sheet(), "cy"))
    assert "| rope | not graded | not known |" in page
    assert "The sum of points is not known." in page


def test_a_page_is_never_too_large_for_github() -> None:
    verdict = replace(WRONG, message=verbatim("é" * 50_000))
    own = [row("ben", verdict, f"problem_{number}") for number in range(40)]
    page = student_page(sheet(rows=own), "ben")
    for _, write in ENDINGS.values():
        text = write(page)
        assert len(text.encode()) <= LARGEST_PAGE
        assert "The rest is cut." in text[-60:]


def test_an_answer_writes_no_command_of_a_workflow() -> None:
    page = as_markdown(student_page(sheet(), "eve"))
    assert "boo" in page
    assert not [line for line in page.splitlines() if line.lstrip().startswith("::")]


def test_html_and_plain_text_hold_no_escapes_and_no_markup_of_a_student() -> None:
    page = student_page(sheet(), "eve")
    html, text = as_html(page), as_text(page)
    assert html.startswith("<!doctype html>")
    assert html.endswith("</body>\n</html>\n")
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "<b>" in text
    assert "\\" not in text
    assert "\x1b" not in html + text
    assert NASTY not in html + text
    assert "<tr><td>rope</td><td>error</td><td>0 of 1</td></tr>" in html
    assert "rope: error. Points: 0 of 1" in text
    assert "Points: 0 of 2." in as_text(student_page(sheet(), "ben")), "glow counts too"


def test_what_could_not_be_read_is_told_with_the_reason_and_the_sum_is_not_known() -> None:
    why = "it is no notebook: save it in Jupyter again."
    unread = [Unread("dora/rope.ipynb", why, student="dora", problem="rope")]
    of = sheet(unread=unread)
    for _, write in ENDINGS.values():
        page = write(student_page(of, "dora"))
        assert "could not be graded" in page
        assert "it is no notebook" in page
        assert "The sum of points is not known." in page
    table = {name: outcome for name, outcome, _ in student_page(of, "dora").table}
    assert table == {"glow": "nothing handed in", "rope": "could not be graded"}


def test_a_file_of_no_known_problem_is_told_of_each_that_is_lacking() -> None:
    page = student_page(sheet(unread=[Unread("dora/final.py", "it defines no function.", student="dora")]), "dora")
    assert {outcome for _, outcome, _ in page.table} == {"could not be graded"}
    assert page.details[0][0] == "dora/final.py"


def test_a_reason_that_names_another_student_is_not_told() -> None:
    unread = [Unread("dora/rope.py", "benedict has it too.", student="dora", problem="rope")]
    rows = [*ROWS, row("benedict", verdict_of())]
    text = as_text(student_page(sheet(rows=rows, unread=unread), "dora"))
    assert "benedict" not in text
    assert "dora/rope.py was handed in, and is not graded: ask who teaches the class." in text


def test_a_name_in_the_name_of_a_file_is_not_told() -> None:
    unread = [Unread("dora/ben_rope.py", "an empty file.", student="dora", problem="rope")]
    assert "ben" not in as_text(student_page(sheet(unread=unread), "dora"))


def test_letters_of_a_reason_are_no_name_of_another_student() -> None:
    unread = [Unread("dora/rope.py", "an empty file: nothing was handed in.", student="dora", problem="rope")]
    of = sheet(rows=[*ROWS, row("fi", verdict_of()), row("or", verdict_of())], unread=unread)
    assert "an empty file: nothing was handed in." in as_text(student_page(of, "dora"))


def test_a_doubt_is_told_for_the_student_and_without_what_is_to_be_done_with_the_class() -> None:
    why = "dora answers rope in b.py too, and nothing tells which is later: keep one of them, and run this again."
    unread = [Unread("ana/rope.py", why, doubt=True, student="dora", problem="rope")]
    text = as_text(student_page(sheet(unread=unread), "dora"))
    assert "keep one" not in text
    assert (
        "A file was handed in, and is not graded: it is not certain whose it is, or which of several files counts. Ask"
        in text
    )


def test_a_stub_that_counts_in_the_place_of_an_earlier_answer_is_told() -> None:
    rows = [row("eve", verdict_of(Status.UNATTEMPTED)), *ROWS]
    why = "an earlier attempt at rope, and filled in: eve/stub.py is later and counts."
    of = sheet(rows=rows, unread=[Unread("eve/rope.py", why, student="eve", problem="rope")])
    assert f"eve/rope.py was handed in, and is not graded: {why}" in as_text(student_page(of, "eve"))
    assert of.total("eve") is not None, "the stub counts"
    assert f"eve has a stub in place of an answer. eve/rope.py: {why}" in of.unknown()


def test_points_by_hand_bonus_and_excuses_are_told() -> None:
    rule = Points(parsed("correct=1"), excused={"ben": {"glow"}, "eve": None}, bonus=["glow"])
    text = as_text(student_page(sheet(points=rule), "ben"))
    assert "glow: excused. Points: -" in text
    assert "Excused." in as_text(student_page(sheet(points=rule), "eve"))
    assert "glow: correct. Points: 1 of 1 (bonus)" in as_text(student_page(sheet(points=rule), "ana"))


def test_text_is_no_markup() -> None:
    assert markdown("a | <b>\n`x` @ana") == r"a \| \<b\> \`x\` @" + "\u200bana"
    assert not markdown("::error ::x").startswith("::")


@pytest.mark.parametrize("text", ["https://x.org", "www.x.org", "1. one", "2) two", "=== x"])
def test_no_text_is_a_link_a_list_or_a_heading(text: str) -> None:
    assert markdown(text) != text
    assert "://" not in markdown(text)
    assert not markdown(text).startswith(("1. ", "2) ", "=", "www."))
