"""The form of a lesson: what an audit finds where a part of it is missing, with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.author.lesson_form import MOST_WORDS, check_form, check_symbols
from grader.kit.kit import Kit
from tests.author import toys

NAME = "distance_decay"
FLOW = "x (T,) -> weigh -> y (T, T)"


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return Kit(toys.make(tmp_path))


def found(kit: Kit, old: str = "", new: str = "") -> list[tuple[int, str]]:
    """What is found in the toy's statement with one piece replaced: lines and messages."""
    assert old in toys.STATEMENT
    kit.statement(NAME).write_text(toys.STATEMENT.replace(old, new) if old else toys.STATEMENT)
    findings = [*check_form(kit, NAME), *check_symbols(kit, NAME, ("seed", "T"))]
    assert all(one.check == "form" for one in findings)
    return [(one.line, one.message) for one in findings]


def line(piece: str) -> int:
    return toys.STATEMENT[: toys.STATEMENT.index(piece)].count("\n") + 1


def test_a_lesson_in_the_form_has_no_finding(kit: Kit) -> None:
    assert found(kit) == []


@pytest.mark.parametrize(
    ("old", "new", "said", "at"),
    [
        ('aim: "weigh inputs by their distance"', 'aim: ""', "`aim` is empty", "aim:"),
        ("by their distance", "by their distance.", "without its full stop", "aim:"),
        ("by their distance", "by their distance" * 9, "at most 120 characters", "aim:"),
        ("minutes: 5", "minutes: 0", "`minutes` is 0", "minutes:"),
        ("How large is a weight at most?", "A weight.", "'Before you code' asks nothing", "## Before you code"),
        (
            "  **Check:** print the largest.\n",
            "",
            "'A weight is above one: a square is never' has no `**Check:**`",
            "- A weight",
        ),
        ("**Answer:** one.", "One.", "'When it passes' has no paragraph that answers", "## When it passes"),
        ("**Try:** another", "Another", "has no paragraph with one variation", "## When it passes"),
        ("```flow", "```", "it has no picture in its text", ""),
        (FLOW, "x (T,)", "the flow cannot be read: 'x (T,)': put `->` between", "```flow"),
        (FLOW, "x (T,) -> weigh -> y (n, T)", "no row for `n`, a size in a flow", "## The idea"),
        ("| $x$ | `x` | `(T,)` |", "| $x$ | `x` | `(T, k)` |", "no row for `k`, a size in `(T, k)`", "## The idea"),
        (
            "| - | `T` | a whole number |",
            "",
            "no row for `T`, an argument and a size in `(T,)` and a size in a flow: add one such as | - | `T` |",
            "## The idea",
        ),
        ("| Symbol |", "| Name |", "has no table of symbols", "## The idea"),
        ("Take differences", "Take " + "very " * MOST_WORDS + "many differences", "words beside blocks of code", ""),
    ],
)
def test_what_is_missing_is_found_with_its_line(old: str, new: str, said: str, at: str, kit: Kit) -> None:
    told = found(kit, old, new)
    assert [number for number, message in told if said in message] == [line(at) if at else 0]


def test_a_row_that_is_missing_is_one_finding_however_often_it_is_used(kit: Kit) -> None:
    ((at, _),) = found(kit, "| - | `T` | a whole number |", "")
    assert at == line("## The idea")


@pytest.mark.parametrize("empty", ["How large is a weight at most?", "**Answer:** one.\n\n**Try:** another width."])
def test_of_an_empty_section_the_form_repeats_nothing(empty: str, kit: Kit) -> None:
    assert found(kit, empty, "") == []


def test_code_tables_hints_and_what_is_looked_up_are_not_counted(kit: Kit) -> None:
    many = "word " * MOST_WORDS
    for piece in (
        "`jnp.exp(-x**2)` is the same.",
        "- Anonymous, 2026, section 1.",
        "2. A square has a sign of its own.",
    ):
        assert found(kit, piece, f"{piece} {many}") == []
    assert found(kit, "```text\n0.7788\n```", f"```text\n{many}\n```") == []


def test_a_statement_that_cannot_be_read_has_no_form(kit: Kit) -> None:
    kit.statement(NAME).write_text("# No front matter\n")
    assert list(check_form(kit, NAME)) == []
