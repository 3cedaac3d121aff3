"""Mistakes that any problem can have: they are detected, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from grader.marking import common_mistakes
from grader.marking.common_mistakes import seen_in_form
from grader.marking.facts import Truth
from grader.marking.judge import Answered, Expected, judge

SIZES = (2, 6, 40)
VALUES = [np.sin(np.arange(size) * 1.3 + size).astype(np.float32).astype(np.float64) for size in SIZES]
COARSE = {"float16": 0.01, "bfloat16": 0.08}
TRUTH = Truth([Expected(v, 1e-6) for v in VALUES], [(v.size,) for v in VALUES], ["float32"] * 3, [COARSE] * 3)

Change = Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]


def names(change: Change) -> list[str]:
    changed = [change(values).astype(np.float32).astype(np.float64) for values in VALUES]
    return [named.name for named in common_mistakes.seen_in_values(changed, TRUTH, [False] * 3)]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda v: 2 * v, "constant-factor"),
        (lambda v: -v, "constant-factor"),
        (lambda v: v / np.sqrt(v.size), "constant-factor"),
        (lambda v: v + 1, "constant-offset"),
        (lambda v: v - v.size, "constant-offset"),
        (lambda v: v.astype(np.float16), "low-precision"),
        (lambda v: v.round(2), "low-precision"),
        (lambda v: v.round(4), "low-precision"),
    ],
)
def test_a_general_mistake_of_value_is_detected(change: Change, name: str) -> None:
    assert names(change) == [name]


@pytest.mark.parametrize(
    "change",
    [
        lambda v: 2 * v + 1,
        lambda v: v * np.arange(v.size),
        lambda v: v**2,
        lambda v: 0 * v,
        lambda v: v * np.nan,
        lambda v: (v + 0.3).astype(np.float16),
        lambda v: (v + 0.2).round(1),
        lambda v: v + 1e-4 * np.cos(np.arange(v.size)),
    ],
)
def test_any_other_change_is_not_named_as_one(change: Change) -> None:
    assert names(change) == []


def remarks(flats: Sequence[np.ndarray[Any, Any]], shown: int = 0) -> list[str]:
    return [named.why for named in common_mistakes.seen_at_last(flats, TRUTH.expected, shown)]


def test_values_that_are_not_finite_are_counted_where_they_first_show() -> None:
    broken = [values.copy() for values in VALUES]
    broken[1][[0, 3]] = np.nan
    assert remarks(broken, shown=1) == ["2 of 6 values are NaN. They should be numbers."]
    broken[1][:] = np.inf
    assert remarks(broken, shown=1) == ["6 of 6 values are infinite. They should be numbers."]
    assert remarks(VALUES) == []


def test_a_remark_on_another_case_than_the_one_that_is_shown_says_so() -> None:
    broken = [values.copy() for values in VALUES]
    broken[1][[0, 3]] = np.nan
    assert remarks(broken) == ["2 of the 6 values of another case are NaN. They should be numbers."]


def test_values_that_are_all_nan_are_said_to_be() -> None:
    assert remarks([np.full(size, np.nan) for size in SIZES]) == ["Every value of every case is NaN."]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([np.zeros(size) for size in SIZES], "Every value of every case is zero."),
        ([np.full(size, 0.5) for size in SIZES], "All values of a case are one number: 0.5."),
        ([np.full(size, size) for size in SIZES], "All values of a case are one number: 2, 6, 40 (from case to case)."),
    ],
)
def test_one_number_in_place_of_many_is_named(values: Sequence[np.ndarray[Any, Any]], why: str) -> None:
    (named,) = common_mistakes.constant(values, TRUTH.expected)
    assert (named.name, named.why) == ("all-zeros" if "zero" in why else "all-equal", why)


def test_equal_values_are_not_named_where_equal_values_are_due_or_where_some_differ() -> None:
    zeros, due = [np.zeros(3)], [Expected(np.ones(3), 1e-6)]
    assert common_mistakes.constant(zeros, due) == ()
    assert common_mistakes.constant([np.zeros(1)], [Expected(np.ones(1), 1e-6)]) == ()
    assert common_mistakes.constant([*(np.zeros(size) for size in SIZES[:2]), VALUES[2]], TRUTH.expected) == ()
    assert common_mistakes.constant([np.full(size, np.nan) for size in SIZES], TRUTH.expected) == ()
    assert common_mistakes.constant([np.full(size, 1 + 1j) for size in SIZES], TRUTH.expected) == ()


def test_values_that_do_not_change_along_an_axis_are_named() -> None:
    shapes = [(2, 3), (4, 2)]
    due = [Expected(np.arange(6.0), 1e-6), Expected(np.arange(8.0), 1e-6)]
    truth = Truth(due, shapes, ["float32"] * 2, [COARSE] * 2)
    rows = [np.tile(np.arange(3.0), 2), np.tile(np.arange(2.0), 4)]
    (named,) = common_mistakes.same_along(rows, truth)
    assert (named.name, named.why) == (
        "same-along-axis",
        "The values do not change along axis 0. They should.",
    )
    named_axes = common_mistakes.same_along(rows, truth, ("position", "dim"))
    assert named_axes[0].why == "The values do not change along axis 0 (position). They should."
    columns = [np.repeat(np.arange(2.0), 3), np.repeat(np.arange(4.0), 2)]
    assert "along axis 1" in common_mistakes.same_along(columns, truth)[0].why
    assert common_mistakes.same_along([one.values for one in due], truth) == ()
    assert common_mistakes.same_along([rows[0], due[1].values], truth) == ()
    assert common_mistakes.same_along([np.arange(2.0), rows[1]], truth) == ()
    assert common_mistakes.same_along([rows[0] * np.nan, rows[1]], truth) == ()
    imaginary = 1j * np.arange(6.0)
    assert common_mistakes.same_along([rows[0] + imaginary, rows[1].astype(complex)], truth) == ()


def test_under_a_derivative_an_axis_has_the_number_that_the_learner_knows() -> None:
    due = [Expected(np.arange(12.0), 1e-6), Expected(np.arange(16.0), 1e-6)]
    truth = Truth(due, [(2, 2, 3), (2, 4, 2)], ["float32"] * 2, [COARSE] * 2)
    rows = [np.tile(np.arange(3.0), 4), np.tile(np.arange(2.0), 8)]
    (named,) = common_mistakes.same_along(rows, truth, ("row", "column"), stacked=True)
    assert named.why == "The values do not change along axis 0 (row). They should."


@pytest.mark.parametrize(
    ("scales", "why"),
    [
        ((2.0, 2.0, 2.0), "Every value is 2 times what it should be."),
        ((1.0, 2.0, 2.0), "In the 2 cases that fail, every value is 2 times what it should be."),
        ((1.0, 2.0, 3.0), "In the 2 cases that fail, every value is 2, 3 times what it should be (from case to case)."),
        ((1.0, 1.0, -1.0), "In the case that fails, every value is -1 times what it should be."),
        ((1.0 + 4e-5, 2.0, 2.0), ""),
        ((2.0, 1.0, 1.0), ""),
    ],
)
def test_a_factor_is_told_of_failing_cases_alone_and_only_where_it_is_clear(
    scales: tuple[float, float, float], why: str
) -> None:
    scaled = [one * scale for one, scale in zip(VALUES, scales, strict=True)]
    found = common_mistakes.seen_in_values(scaled, TRUTH, [scale == 1.0 for scale in scales])
    assert [named.why for named in found] == [why] * bool(why)


def test_an_offset_that_is_noise_is_not_told() -> None:
    shifted = [VALUES[0], VALUES[1] + 1.0, VALUES[2] + 2.0]
    noisy = [one + 3e-7 * (at == 0) for at, one in enumerate(shifted)]
    (named,) = common_mistakes.seen_in_values(noisy, TRUTH, [True, False, False])
    assert named.why == "In the 2 cases that fail, every value is off by the same number: +1, +2 (from case to case)."


def test_zeros_are_not_right_to_one_decimal() -> None:
    small = [0.04 * one for one in VALUES]
    truth = Truth([Expected(one, 1e-6) for one in small], TRUTH.shapes, TRUTH.dtypes, TRUTH.coarse)
    assert common_mistakes.seen_in_values([0 * one for one in small], truth, [False] * 3) == ()


def test_expected_infinities_are_not_a_mistake() -> None:
    due = [Expected(np.array([0.0, -np.inf]), 1e-6)]
    assert common_mistakes.seen_at_last([np.array([0.0, -np.inf])], due) == ()


def test_every_general_mistake_has_a_name_of_its_own() -> None:
    assert len(set(common_mistakes.NAMES)) == len(common_mistakes.NAMES) > 10
    assert common_mistakes.transposed(2).name in common_mistakes.NAMES
    assert common_mistakes.not_deterministic("differ by 0.1").name in common_mistakes.NAMES


@pytest.mark.parametrize(
    ("dtype", "due", "hint"),
    [
        ("float64", "float32", "NumPy computes in float64. End with `.astype(np.float32)`."),
        ("int64", "int32", "NumPy computes in int64. End with `.astype(np.int32)`."),
        ("float16", "float32", "Where does float16 come into the computation?"),
    ],
)
def test_a_dtype_of_numpy_is_explained(dtype: str, due: str, hint: str) -> None:
    answered, expected = Answered(np.zeros(3, dtype), dtype), Expected(np.zeros(3), 1e-6)
    (named,) = seen_in_form([answered], [judge(answered, expected, due)], [expected], [due])
    assert (named.name, named.hint) == ("wrong-dtype", hint)


@pytest.mark.parametrize(
    ("instead", "says"), [("list", "jnp.array(...)"), ("tuple", "comma"), ("NoneType", "`return`")]
)
def test_what_is_not_an_array_has_a_hint_that_says_what_to_write(instead: str, says: str) -> None:
    answered, expected = Answered(None, instead=instead), Expected(np.zeros(3), 1e-6)
    (named,) = seen_in_form([answered], [judge(answered, expected, "float32")], [expected], ["float32"])
    assert says in named.hint


def test_integers_are_cut_if_they_are_what_is_due_without_fractions() -> None:
    due = [Expected(np.array([0.5, -1.7, 2.999999, 4.0]), 1e-6), Expected(np.array([7.25]), 1e-6)]

    def is_cut(*values: list[float], dtype: str = "int64") -> bool:
        return common_mistakes.cut_to_integers([np.array(one, dtype) for one in values], due)

    assert is_cut([0, -1, 2, 4], [7])
    assert is_cut([0, -1, 3, 3], [7])  # rounding put both on the other side
    assert not is_cut([1, -1, 2, 4], [7])
    assert not is_cut([0, -1, 2, 4], [8])
    assert not is_cut([0, -1, 2], [7])
    assert not is_cut([0, -1, 2, 4], [7], dtype="float64")
