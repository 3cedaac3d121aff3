"""The values of the reference that fit a place, and the numbers that fit a literal."""

from __future__ import annotations

import numpy as np
import pytest

from grader.program.data import Equation, Form, Literal
from grader.where.candidates import Candidates, forms_of
from grader.where.steps import StepPick

STEPS = {"a": np.arange(6.0).reshape(1, 2, 3), "b": np.array([[True, False, True]]), "half": np.array([0.5])}


def test_a_step_fits_by_its_shape() -> None:
    candidates = Candidates(STEPS)
    assert [pick for pick, _ in candidates.near(None, (3, 2), 0)] == [StepPick("a", 0)]
    assert [pick for pick, _ in candidates.near(2, (3,), 0)] == [StepPick("a", "cut"), StepPick("b", "same")]


def test_values_of_several_shapes_stand_where_the_next_value_of_their_shape_does() -> None:
    kernels, bias = [np.full((2, 1), 1.0), np.full((2, 1), 2.0)], np.full(1, 3.0)
    (found,) = forms_of([*kernels, bias], [np.zeros((2, 1)), np.zeros(1), np.zeros(2)], 0)
    assert [one.tolist() for one in found] == [[[1.0], [1.0]], [3.0], [2.0, 2.0]]
    assert not list(forms_of([*kernels, bias], [np.zeros(1), np.zeros(1), np.zeros(2)], 0))
    assert [pick for pick, _ in Candidates({"w:0": np.stack(kernels), "w:1": bias[None]}).near(3, (1,), 0)][:1] == [
        StepPick("w:0", "each")
    ]


def test_a_mask_fits_as_it_is_and_turned_round() -> None:
    found = list(forms_of([STEPS["b"][0]], [np.zeros(3, bool)], 0))
    assert [one[0].tolist() for one in found] == [[True, False, True], [False, True, False]]


@pytest.mark.parametrize(("literal", "expected"), [(Literal("float32", 2.0), ["half"]), (Literal("int32", 2), [])])
def test_a_number_of_the_reference_may_belong_in_a_literal(literal: Literal, expected: list[str]) -> None:
    equation = Equation("mul", {}, (0, literal), (1,), (Form(literal.dtype, ()),), 0)
    assert [(operand, pick.step) for operand, pick in Candidates(STEPS).constants(equation)] == [
        (1, name) for name in expected
    ]
