"""A figure shows what the reference gives: a formula or a table that gives something else is refused."""

from __future__ import annotations

import numpy as np
import pytest

from grader.kit.problem_error import ProblemError
from grader.page.figure import expression, on, proven, rounded, same

ANGLES = np.arange(5)[:, None] / 10.0 ** np.arange(3)


def test_a_formula_that_agrees_is_given_back_and_another_is_refused() -> None:
    variables = {"p": np.arange(5)[:, None], "k": np.arange(3)}
    assert proven("sin(p / pow(10, k))", np.sin(ANGLES), **variables) == "(sin(p / pow(10, k)))"
    with pytest.raises(ProblemError, match=r"the formula sin\(p / pow\(11, k\)\) gives .* where the reference gives"):
        proven("sin(p / pow(11, k))", np.sin(ANGLES), **variables)
    with pytest.raises(NameError):
        proven("open('x')", np.zeros(1))


def test_names_in_a_formula_become_fields_and_functions_stay() -> None:
    assert on("sin(p) + dim % 2", p="datum.p", dim="datum.dim") == "sin(datum.p) + datum.dim % 2"


def test_a_message_becomes_an_expression_with_its_fields_in_any_order_and_with_any_marks() -> None:
    both = {"first": "at", "end": "at + 1"}
    assert expression("Dimensions {first} to {end}", **both) == '("Dimensions " + (at) + " to " + (at + 1))'
    assert expression("{end}{first}", **both) == '("" + (at + 1) + "" + (at))'
    assert expression("«é» \\ \"'") == '("«é» \\\\ \\"\'")'


def test_what_differs_in_size_or_value_is_told() -> None:
    same(np.array([1.0, -np.inf]), np.array([1.00001, -np.inf]))
    for given in ([1.0], [1.0, 2.1], [1.0, np.nan]):
        with pytest.raises(ProblemError):
            same(np.array(given), np.array([1.0, 2.0]))


def test_values_are_rounded_and_what_json_lacks_is_none() -> None:
    assert rounded(np.array([[0.12345, -0.00001], [-np.inf, np.nan]])) == [[0.1234, 0.0], [None, None]]
