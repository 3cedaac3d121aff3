"""What notebooks show of a value, and what code reads in it."""

from __future__ import annotations

from dataclasses import replace

from grader.marking.verdict import Diagnosis, Named, Run, Status, Verdict
from grader.notebooks.displays import ProblemsDisplay, TextDisplay, VerdictDisplay
from grader.report.table import ProblemRow
from grader.values.message import verbatim
from tests.marking.places import place

NAMED = Diagnosis((Named("half-exponent", verbatim("Too fast."), verbatim("By how much?")),), explained=True)
WRONG = VerdictDisplay(
    Verdict("rope", Status.WRONG, verbatim("Right on 1 of 2."), diagnosis=NAMED, run=Run(seconds=0.5)),
    "cpu",
    ("Next: hint", "C."),
)
RIGHT = VerdictDisplay(Verdict("rope", Status.CORRECT, verbatim("Right.")), "cpu", ())


def test_a_report_has_fields_for_code_and_is_true_if_the_answer_is_right() -> None:
    assert (WRONG.problem, WRONG.status, WRONG.correct, WRONG.pitfalls) == ("rope", "wrong", False, ("half-exponent",))
    assert (WRONG.message, WRONG.where, WRONG.seconds) == ("Right on 1 of 2.", (), 0.5)
    assert RIGHT
    assert not WRONG
    placed = replace(WRONG, verdict=replace(WRONG.verdict, where=(place(7, 4, 7, 9, "x = a * b", cell=5),)))
    assert placed.where == ((5, 7, "x = a * b", "With the values needed here, the case is right."),)
    assert (placed.where[0].cell, placed.where[0].line, placed.where[0].text) == (5, 7, "x = a * b")


def test_a_report_is_html_where_that_is_shown_and_else_the_terminals_report() -> None:
    bundle = WRONG._repr_mimebundle_()
    assert bundle == {"text/html": WRONG._repr_html_(), "text/plain": repr(WRONG)}
    assert WRONG._mime_() == ("text/html", WRONG._repr_html_())
    for shown in bundle.values():
        assert all(part in shown for part in ("half-exponent", "Too fast.", "By how much?", "Next: hint", "C."))
    assert "\x1b" not in repr(WRONG)
    assert repr(WRONG).startswith(" rope   wrong")


def test_a_lesson_is_html_with_formulas_and_in_plain_text_unicode() -> None:
    bundle = TextDisplay("The **angle** $\\omega_k$.\n")._repr_mimebundle_()
    assert bundle["text/plain"] == "The angle ωₖ."
    assert bundle["text/html"].startswith("<p>The <strong>angle</strong> <math")
    assert TextDisplay("one")._mime_() == ("text/html", "<p>one</p>\n")


def test_a_statement_of_a_stranger_brings_no_script_into_a_notebook() -> None:
    """What Jupyter shows of an output runs, and could drive the kernel."""
    said = "<script>alert(1)</script> <img src=x onerror=alert(2)> [a](javascript:alert(3)) ![b](data:text/html,4)"
    shown = TextDisplay(said)._repr_mimebundle_()["text/html"]
    assert "<script" not in shown
    assert "<img" not in shown
    assert "href=" not in shown
    assert [*TextDisplay(said)._repr_mimebundle_()] == ["text/html", "text/plain"]


def test_the_table_of_problems_says_how_many_are_solved() -> None:
    rows = (ProblemRow("a", "1 One", "easy", "solved", solved=True), ProblemRow("b", "2 Two", "hard", "wrong", "<b>"))
    bundle = ProblemsDisplay(rows)._repr_mimebundle_()
    assert "1 of 2 solved" in bundle["text/plain"]
    assert "1 of 2 solved" in bundle["text/html"]
    assert "&lt;b&gt;" in bundle["text/html"]
