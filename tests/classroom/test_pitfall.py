"""A mistake begun from an answer: its own statement under that of the worked answer, which no text of it can escape."""

from __future__ import annotations

from dataclasses import replace

from grader.classroom.commands.pitfall import right_lines, suggested, verdict_in_words, words_of_statement
from grader.kit.mistakes import changed, read_forms
from grader.kit.solution import bare
from tests.author import toys
from tests.classroom.reported import PLACE
from tests.classroom.test_clusters import wrong

NAME = "distance_decay"
ANSWER = """import jax.numpy as jnp

def distance_decay(seed, T):
    x = jnp.cos(3.0 * jnp.arange(T))
    p = jnp.arange(T)
    d = jnp.abs(p[:, None] - p[None, :])
    w = jnp.exp(-(d**3) / 4.0)
    return (w * x).reshape(-1)
"""


def test_a_statement_stands_under_the_one_that_is_most_alike_with_its_names() -> None:
    (found,) = suggested(toys.WORKED, NAME, ANSWER, [7])
    assert found.replaced == "weights = jnp.exp(-(apart**2) / 4.0)"
    assert found.comment("cubed") == ["    #: cubed: weights = jnp.exp(-apart ** 3 / 4.0)"]
    assert found.unknown == ()
    lines = toys.WORKED.split("\n")
    lines[found.below : found.below] = found.comment("cubed")
    text = "\n".join(lines)
    (form,) = read_forms(text)["cubed"]
    assert "jnp.exp(-apart ** 3 / 4.0)" in bare(changed(text, [form]))
    assert [*read_forms(text)] == ["not-squared", "too-narrow", "cubed", "rows-for-columns"]


def test_a_statement_that_holds_an_arrow_is_a_block() -> None:
    answer = ANSWER.replace("jnp.exp(-(d**3) / 4.0)", 'jnp.einsum("ij -> ij", jnp.exp(-(d**3) / 4.0))')
    (found,) = suggested(toys.WORKED, NAME, answer, [7])
    assert found.comment("m")[0] == "    #: m:"
    lines = toys.WORKED.split("\n")
    lines[found.below : found.below] = found.comment("m")
    assert "ij -> ij" in changed("\n".join(lines), read_forms("\n".join(lines))["m"])


def test_names_that_the_worked_answer_does_not_have_are_told() -> None:
    (found,) = suggested(toys.WORKED, NAME, ANSWER.replace("(d**3) / 4.0", "(d**3) / (4.0 + extra)"), [7])
    assert found.unknown == ("extra",)


def test_a_statement_that_nests_deep_is_left_out() -> None:
    deep = ANSWER.replace("jnp.exp(-(d**3) / 4.0)", "-" * 1000 + "1")
    assert suggested(toys.WORKED, NAME, deep, [7]) == right_lines(toys.WORKED, NAME, deep, [7]) == []


def test_one_statement_is_suggested_once_and_one_that_is_like_none_not_at_all() -> None:
    assert len(suggested(toys.WORKED, NAME, ANSWER, [7, 7])) == 1
    assert suggested(toys.WORKED, NAME, "import os\n", [1]) == []
    assert suggested(toys.WORKED, NAME, "def f(:\n", [1]) == []
    assert suggested(toys.WORKED, NAME, ANSWER, []) == []


def test_no_text_of_an_answer_ends_its_comment_or_controls_a_terminal() -> None:
    hostile = ANSWER.replace("jnp.exp(-(d**3) / 4.0)", "jnp.exp(-(d**3) / 4.0, '''\\n\\x1b[2J\\nimport os''')")
    (found,) = suggested(toys.WORKED, NAME, hostile, [7])
    assert all(line.startswith("    #: m:") and line.isprintable() for line in found.comment("m"))


def test_the_words_are_a_section_with_gaps() -> None:
    assert words_of_statement("cubed").startswith("\n## cubed\n")
    assert words_of_statement("cubed").count("TODO") == 2


def test_the_smallest_failing_case_and_the_place_are_told() -> None:
    text = "\n".join(verdict_in_words(replace(wrong(fails="pff"), where=(PLACE,))))
    assert "It fails on 2 of 3 cases. The smallest is T=2." in text
    assert "It can be fixed at line 2. With the values needed here, the case is right." in text
    assert [line.split() for line in text.split("\n")[1:5]] == [
        ["row", "0"],
        ["column", "0"],
        ["expected", "1.5"],
        ["given", "2"],
    ]


def test_of_values_that_cannot_be_compared_none_are_told() -> None:
    assert not any("expected" in line for line in verdict_in_words(replace(wrong(), excerpt=None)))
    assert "nan" in "\n".join(verdict_in_words(wrong(yours=float("nan"))))


def test_a_right_statement_in_another_form_is_not_offered_as_a_mistake() -> None:
    right = ANSWER.replace("p = jnp.arange(T)", "p = jnp.arange(T) + 1").replace("d**3) / 4.0", "jnp.square(d)) * 0.25")
    assert suggested(toys.WORKED, NAME, right, [7]) == []
    ((line, ours),) = right_lines(toys.WORKED, NAME, right, [7])
    assert (line, toys.WORKED.split("\n")[ours - 1].split("=")[0].strip()) == (7, "weights")
    assert right_lines(toys.WORKED, NAME, ANSWER, [7]) == []
