"""The first lines of the message of an exception, and advice for those that are known."""

from __future__ import annotations

import pytest

from grader.locale.language import speaking
from grader.marking.advice import advice_for, first_lines, in_cells, raised_from
from grader.marking.verdict import Described
from grader.run.answer.exceptions import describe


def told(kind: str, said: str = "", *bases: str) -> str:
    """The advice for an exception of this class, with this message, without a line."""
    return str(advice_for(Described(kind, said, (), (kind, *bases))))


@pytest.mark.parametrize("error", [TypeError("a bytes-like object is required"), KeyError("x"), OSError("disk full")])
def test_an_unknown_error_gets_no_advice(error: Exception) -> None:
    assert not raised_from(describe(error, "a.py")).advice


def test_an_exception_is_known_by_its_base_classes_too() -> None:
    of_base = told("MyDivision", "", "ZeroDivisionError", "ArithmeticError")
    assert of_base
    assert of_base == told("ZeroDivisionError")
    assert not told("ZeroDivisionErrors")


def test_without_its_line_both_meanings_of_nn_are_told() -> None:
    said = told("NameError", "name 'nn' is not defined")
    assert "from jax import nn" in said
    assert "from flax import nnx" in said


def test_the_first_lines_of_a_message_are_kept() -> None:
    assert first_lines("\none  \ntwo\nthree\nFour\n") == "one\ntwo\nthree ..."
    assert first_lines("one\ntwo\nthree.\nfour") == "one\ntwo\nthree."
    assert first_lines("one\n\nmore of the same") == "one"
    assert first_lines("one\nSee https://example.org for more") == "one"
    assert first_lines("x" * 301) == "x" * 297 + "..."
    assert first_lines("") == ""
    assert first_lines("one.\nTwo", most=1) == "one."


def test_the_cause_behind_an_empty_line_is_told() -> None:
    assert (
        first_lines("they differ:\n\nx is a pair\n\nRevise it.\n\nand so on") == "they differ:\nx is a pair\nRevise it."
    )
    assert first_lines("they differ:\n\nx is a pair\n\nRevise it.", most=1) == "they differ:\nx is a pair\nRevise it."
    assert first_lines("they differ.\n\ntrue_fun is <lambda> at a.py:1\n\nThe output") == "they differ.\nThe output"
    assert first_lines("given:\n\n  a\n  b\n  c\n  d\n  e\n  f\n  g\n  h").splitlines()[1:] == [
        *["  a", "  b", "  c", "  d", "  e", "  f", "  g ..."]
    ]
    trees = ["differ:", "", "the input tree structure is:", "", "PyTreeDef(*)", "", "the output tree structure is:", ""]
    assert first_lines("\n".join([*trees, "PyTreeDef(None)", "", "Revise it."])).splitlines()[-1] == "PyTreeDef(None)"
    assert first_lines("Consider these options:\n\n1. Drop it") == "Consider these options:"


def test_a_sentence_that_goes_on_in_lines_of_its_own_is_told_to_its_end() -> None:
    assert first_lines("one.\ntwo.\nIt has\n    <class 'list'>\nbut is\n    <class 'tuple'>.\nmore").splitlines()[
        3:
    ] == [
        "    <class 'list'>",
        "but is",
        "    <class 'tuple'>.",
    ]


def test_a_notebook_has_cells_and_no_top_of_its_file() -> None:
    def shown(missing: str) -> str:
        described = Described("NameError", f"name '{missing}' is not defined", (), ("NameError",))
        return str(in_cells(advice_for(described)))

    assert shown("nnx") == "Add `from flax import nnx` in a cell of the notebook."
    with speaking("es"):
        assert shown("nnx") == "Añade `from flax import nnx` en una celda del cuaderno."
    assert shown("softmax") == "This function is in jax.nn: write `jax.nn.softmax`."
