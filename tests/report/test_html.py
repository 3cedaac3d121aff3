"""The report as HTML says what the terminal says, and no text of an answer is more than text in it."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest

from grader.marking.verdict import (
    ComparedCase,
    Diagnosis,
    Drawable,
    Excerpt,
    Frame,
    Helper,
    Insight,
    Named,
    Pictured,
    Printed,
    Raised,
    Status,
    Verdict,
)
from grader.notebooks.displays import VerdictDisplay
from grader.report.feedback import limited
from grader.report.html import picture, report
from grader.values.message import Line, Message, verbatim
from tests.marking.places import changed, place

HOSTILE = "</pre><script>alert('x')</script>&\x1b[31m\u202e"
EXCERPT = Excerpt(
    verbatim("position 1"), (verbatim("dim 0"), verbatim("dim 1")), (0.5, 0.25), (0.5, 0.75), (False, True)
)
PLACE = place(3, 4, 3, 9, "    return x / 2", operation="div", cell=2)
VERDICTS = [
    Verdict(
        "rope", Status.CORRECT, verbatim("Right on all 8 cases."), insights=(Insight("prints", verbatim("It prints.")),)
    ),
    Verdict(
        *("rope", Status.WRONG, verbatim("Right on 1 of 8 cases."), "notebook"),
        diagnosis=Diagnosis((Named("half", verbatim("Too fast."), verbatim("Why?")),), (("a", "b"),), explained=True),
        where=(PLACE,),
        excerpt=EXCERPT,
        printed=(Printed("", "one\n" * 30), Printed("T=3, d_model=4", "two\n"), Printed("T=1", " \n")),
    ),
    Verdict(
        "rope", Status.WRONG, verbatim("Right on 0 of 8 cases."), excerpt=EXCERPT, where=(PLACE, changed(PLACE, cell=0))
    ),
    Verdict(
        *("rope", Status.ERROR, verbatim("It raises an exception."), "notebook"),
        raised=Raised(
            "NameError", verbatim("no y"), (Frame(3, "rope", "return y", 7, 8, cell=4),), verbatim("Define it.")
        ),
    ),
    Verdict("rope", Status.TIMEOUT, verbatim("Too slow."), "work.py", stopped_at=Frame(2, "rope", "while True:")),
    Verdict("rope", Status.UNATTEMPTED, verbatim("Not filled in yet.")),
]


def words(shown: str) -> list[str]:
    """The words that are read, without signs, rules and carets. What is code stands between backticks in a terminal."""
    return re.findall(r"[\w.']+", shown)


@pytest.mark.parametrize("level", ["full", "diagnosis", "verdict"])
@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda one: one.status.value)
def test_it_says_what_the_terminal_says(verdict: Verdict, level: str) -> None:
    shown = VerdictDisplay(limited(verdict, level), "cpu · jax 1", ("Next: go on",))
    without_style = re.sub(r"<style>.*?</style>", "", shown._repr_html_(), flags=re.DOTALL)
    read = words(html.unescape(re.sub(r"<[^>]*>", " ", without_style)))
    # A page names the mistake first; a terminal last, where one looks when it has scrolled.
    assert sorted(read) == sorted(words(shown.text))


def test_the_mistake_comes_first_then_its_place_then_the_numbers() -> None:
    shown = report(replace(VERDICTS[1], where=(changed(PLACE, cell=0),)), device="")
    order = [
        shown.index(part) for part in ("<strong>half</strong>", "Why?", "return x / 2", "Right on 1 of 8", "expected")
    ]
    assert order == sorted(order)


def test_no_text_of_an_answer_is_more_than_text() -> None:
    frame = Frame(1, HOSTILE, HOSTILE, 0, 3)
    verdict = Verdict(
        *("rope", Status.WRONG, verbatim(HOSTILE), HOSTILE),
        diagnosis=Diagnosis((Named(HOSTILE, verbatim(HOSTILE), Message(HOSTILE)),), ((HOSTILE,),)),
        where=(changed(PLACE, text=(HOSTILE,), name=HOSTILE, operation=HOSTILE, helper=Helper(HOSTILE, (Line(1),))),),
        insights=(Insight("prints", verbatim(HOSTILE)),),
        raised=Raised(HOSTILE, verbatim(HOSTILE), (frame,), verbatim(HOSTILE)),
        stopped_at=frame,
        excerpt=replace(EXCERPT, place=verbatim(HOSTILE), columns=(verbatim(HOSTILE), Message(HOSTILE))),
        printed=(Printed("", HOSTILE), Printed(HOSTILE, HOSTILE)),
    )
    shown = report(verdict, device=HOSTILE, below=(HOSTILE,))
    assert "<script" not in shown
    assert shown.count("&lt;script") > 10
    assert not set("\x1b\u202e") & set(shown)


def test_what_stands_between_backticks_is_code_and_still_no_more_than_text() -> None:
    shown = report(Verdict("rope", Status.WRONG, verbatim("See `a < b` and `c`.")), device="cpu")
    assert "<p>See <code>a &lt; b</code> and <code>c</code>.</p>" in shown


def test_what_differs_is_marked_by_more_than_colour() -> None:
    shown = report(VERDICTS[1], device="cpu")
    assert "<mark>0.7500</mark>" in shown
    assert "mark { background: #b42318;" in shown
    assert "text-decoration: underline" in shown
    assert "✗ wrong" in shown


def test_a_picture_is_drawn_of_a_case_that_shows_more_than_numbers_and_stands_in_the_report() -> None:
    due = np.zeros((4, 6))
    given = np.where(np.arange(6) == 3, 1.0, due)
    case = ComparedCase(0, "T=4", (4, 6), ("position", "dim"), due.ravel(), given.ravel(), (given != due).ravel())
    drawn = picture(Drawable((Pictured("heatmap", ("position", "dim")),), (case,)))
    assert drawn.startswith(
        '<figure>\n<div role="img" aria-label="Heat map of position by dim: expected, yours, difference.'
    )
    assert "<svg" in drawn
    assert "4 of the 24 values are wrong. A wrong number that is drawn has an outline.</figcaption>" in drawn
    assert drawn in report(VERDICTS[1], device="cpu", picture=drawn)
    right = replace(case, given=due.ravel(), wrong=np.zeros(24, bool))
    assert picture(Drawable((Pictured("heatmap", ("position", "dim")),), (right,))) == ""
