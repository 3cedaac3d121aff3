"""Judging one case: differences, tolerances, and mistakes of form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM, Judged, judge
from grader.marking.verdict import smallest_failing
from grader.values.arrays import Answered, Expected, difference

DUE = Expected(np.array([1.0, -2.0, 4.0]), 1e-6)


def judged(array: Any, dtype: str = "float32", expected: Expected = DUE) -> Judged:
    return judge(Answered(array, array.dtype.name), expected, dtype)


@pytest.mark.parametrize(
    ("a", "b", "gap"),
    [
        ([1.0, 2.0], [1.0, 2.5], 0.5),
        ([np.inf, -np.inf, np.nan], [np.inf, -np.inf, np.nan], 0.0),
        ([np.inf], [-np.inf], np.inf),
        ([np.nan], [1.0], np.inf),
        ([1.0], [np.inf], np.inf),
        ([], [], 0.0),
    ],
)
def test_differences_treat_equal_infinities_as_equal(a: list[float], b: list[float], gap: float) -> None:
    assert difference(np.array(a), np.array(b)) == gap


@pytest.mark.parametrize(
    ("tolerances", "passed", "imprecise"),
    [
        (0.5, True, False),
        (MOST_TOLERANCES_WITH_PROGRAM - 1, True, True),
        (MOST_TOLERANCES_WITH_PROGRAM + 1, False, False),
    ],
)
def test_up_to_sixteen_tolerances_are_right_but_imprecise(tolerances: float, passed: bool, imprecise: bool) -> None:
    # In float64, so that the answer's own rounding does not decide.
    case = judged(DUE.values + np.array([0, tolerances * DUE.tolerance, 0]), "float64")
    assert (case.passed, case.imprecise) == (passed, imprecise)


@pytest.mark.parametrize(
    ("array", "faults"),
    [
        (np.array([[1, -2, 4]], np.float32), ("not-flattened",)),
        (np.array([1, -2, 4], np.float64), ("wrong-dtype",)),
        (np.array([1, -2], np.float32), ("wrong-length",)),
        (np.array([[1, -2, 4]], np.int32), ("not-flattened", "wrong-dtype")),
    ],
)
def test_an_answer_of_another_form_fails_even_if_its_values_are_right(array: Any, faults: tuple[str, ...]) -> None:
    case = judged(array)
    assert (case.passed, case.faults) == (False, faults)


def test_an_answer_without_an_array_has_its_own_fault() -> None:
    case = judge(Answered(None, instead="list"), DUE, "float32")
    assert (case.passed, case.faults, case.flat) == (False, ("not-an-array",), None)


def test_integers_have_no_tolerance() -> None:
    expected = Expected(np.array([1, -1, 7]), 0.0)
    assert judged(np.array([1, -1, 7], np.int32), "int32", expected).passed
    assert not judged(np.array([1, -1, 8], np.int32), "int32", expected).passed


def test_the_smallest_failing_case_has_the_fewest_values() -> None:
    right, wrong = judged(DUE.values.astype(np.float32)), judged(np.zeros(3, np.float32))
    smaller = judge(Answered(np.zeros(2, np.float32), "float32"), Expected(np.ones(2), 1e-6), "float32")
    assert smallest_failing([right, wrong, wrong]) == 1
    assert smallest_failing([right, wrong, smaller]) == 2
    assert smallest_failing([right]) is None
