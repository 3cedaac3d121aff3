"""Mistakes that any problem can have: they are detected, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from grader.marking import common_mistakes
from grader.marking.diagnosis import DETECTED_MISTAKES
from grader.marking.evidence import Numbers
from grader.marking.facts import ProgramRequirements, Truth
from grader.marking.precision import low_precision
from grader.marking.verdict import Named
from grader.values.arrays import Answered, Expected
from grader.values.message import verbatim
from tests.marking.evidence import evidence_of, facts_of

SIZES = (2, 6, 40)
VALUES = [np.sin(np.arange(size) * 1.3 + size).astype(np.float32).astype(np.float64) for size in SIZES]
COARSE = {"float16": 0.01, "bfloat16": 0.08}
TRUTH = Truth([Expected(v, 1e-6) for v in VALUES], [(v.size,) for v in VALUES], ["float32"] * 3, [COARSE] * 3)

Change = Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]


OF_VALUE = common_mistakes.constant_factor, common_mistakes.constant_offset, low_precision


def numbers(arrays: Sequence[np.ndarray[Any, Any]], truth: Truth = TRUTH, **facts: Any) -> Numbers:
    return evidence_of(truth, arrays, facts=facts_of(truth, **facts)).numbers


def of_value(arrays: Sequence[np.ndarray[Any, Any]], truth: Truth = TRUTH) -> list[Named]:
    """The mistakes of value that these numbers show."""
    return [named for find in OF_VALUE if (named := find(numbers(arrays, truth)))]


def names(change: Change) -> list[str]:
    changed = [change(values).astype(np.float32).astype(np.float64) for values in VALUES]
    return [named.name for named in of_value(changed)]


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


def remarks(flats: Sequence[np.ndarray[Any, Any]]) -> list[str]:
    named = common_mistakes.not_finite(numbers(flats))
    return [] if named is None else [str(named.why)]


def test_values_that_are_not_finite_are_counted_in_the_case_that_is_shown() -> None:
    broken = [values.copy() for values in VALUES]
    broken[1][[0, 3]] = np.nan
    assert remarks(broken) == ["2 of 6 values are NaN. They should be numbers."]
    broken[1][:] = np.inf
    assert remarks(broken) == ["6 of 6 values are infinite. They should be numbers."]
    assert remarks(VALUES) == []


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_no_program_of_a_kernel_writes_is_nan_without_any_operation(value: float) -> None:
    broken = [np.full(values.size, value) for values in VALUES]
    for needs, asks in (((), False), (("pallas",), np.isnan(value))):
        for flats in (broken, [VALUES[0], *broken[1:]]):
            named = common_mistakes.not_finite(numbers(flats, asked=ProgramRequirements(needs=needs)))
            assert named is not None
            assert ("does no program of the grid write" in str(named.hint)) == asks


def test_a_remark_on_another_case_than_the_one_that_is_shown_says_so() -> None:
    broken = [values.copy() for values in VALUES]
    broken[0] += 1.0
    broken[1][[0, 3]] = np.nan
    assert remarks(broken) == ["In another case, 2 of 6 values are NaN. They should be numbers."]


def test_values_that_are_all_nan_are_said_to_be() -> None:
    assert remarks([np.full(size, np.nan) for size in SIZES]) == ["Every value of every case is NaN."]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([np.zeros(size) for size in SIZES], "Every value of every case is zero."),
        ([np.full(size, 0.5) for size in SIZES], "In each case, all values are the same number: 0.5."),
        (
            [np.full(size, size) for size in SIZES],
            "In each case, all values are the same number: 2, 6, 40, depending on the case.",
        ),
    ],
)
def test_one_number_in_place_of_many_is_named(values: Sequence[np.ndarray[Any, Any]], why: str) -> None:
    find = common_mistakes.all_zeros if "zero" in why else common_mistakes.all_equal
    named = find(numbers(values))
    assert named is not None
    assert (named.name, str(named.why)) == ("all-zeros" if "zero" in why else "all-equal", why)


def test_equal_values_are_not_named_where_equal_values_are_due_or_where_some_differ() -> None:
    ones = [Truth([Expected(np.ones(size), 1e-6)], [(size,)], ["float32"], [{}]) for size in (3, 1)]
    of_complex = [np.full(size, 1 + 1j) for size in SIZES]
    for given in (
        *(numbers([np.zeros(truth.expected[0].size)], truth) for truth in ones),
        numbers([*(np.zeros(size) for size in SIZES[:2]), VALUES[2]]),
        numbers([np.full(size, np.nan) for size in SIZES]),
        numbers(of_complex),
    ):
        assert common_mistakes.all_zeros(given) is common_mistakes.all_equal(given) is None


def along(arrays: Sequence[np.ndarray[Any, Any]], truth: Truth, **facts: Any) -> str:
    named = common_mistakes.same_along_axis(numbers(arrays, truth, **facts))
    return "" if named is None else str(named.why)


def test_values_that_do_not_change_along_an_axis_are_named() -> None:
    shapes = [(2, 3), (4, 2)]
    due = [Expected(np.arange(6.0), 1e-6), Expected(np.arange(8.0), 1e-6)]
    truth = Truth(due, shapes, ["float32"] * 2, [COARSE] * 2)
    rows = [np.tile(np.arange(3.0), 2), np.tile(np.arange(2.0), 4)]
    assert along(rows, truth) == "The values do not change along axis 0. They should."
    axes = ("position", "dim")
    assert along(rows, truth, axes=axes) == "The values do not change along axis 0 (position). They should."
    columns = [np.repeat(np.arange(2.0), 3), np.repeat(np.arange(4.0), 2)]
    assert "along axis 1" in along(columns, truth)
    imaginary = 1j * np.arange(6.0)
    for given in (
        [one.values for one in due],
        [rows[0], due[1].values],
        [np.arange(2.0), rows[1]],
        [rows[0] * np.nan, rows[1]],
        [rows[0] + imaginary, rows[1].astype(complex)],
    ):
        assert along(given, truth) == ""


def test_values_that_change_beside_huge_ones_are_not_the_same_along_an_axis() -> None:
    due = [Expected(np.arange(1.0, 1.0 + size), 1e-6) for size in (12, 24)]
    truth = Truth(due, [(2, 6), (4, 6)], ["float32"] * 2, [COARSE] * 2)
    masked = [np.where(np.arange(one.values.size) % 6 < 2, -1e9, one.values) for one in due]
    assert along(masked, truth) == ""
    assert "along axis 0" in along([np.tile(one[:6], one.size // 6) for one in masked], truth)


def test_under_a_derivative_an_axis_has_the_number_that_the_learner_knows() -> None:
    due = [Expected(np.arange(12.0), 1e-6), Expected(np.arange(16.0), 1e-6)]
    truth = Truth(due, [(2, 2, 3), (2, 4, 2)], ["float32"] * 2, [COARSE] * 2)
    rows = [np.tile(np.arange(3.0), 4), np.tile(np.arange(2.0), 8)]
    evidence = evidence_of(
        truth, rows, facts=facts_of(truth, axes=("row", "column")), parts=(verbatim("value"), verbatim("d/d x"))
    )
    named = common_mistakes.same_along_axis(evidence.numbers)
    assert named is not None
    assert str(named.why) == "The values do not change along axis 0 (row). They should."


@pytest.mark.parametrize(
    ("scales", "why"),
    [
        ((2.0, 2.0, 2.0), "Every value is 2 times what it should be."),
        ((1.0, 2.0, 2.0), "In the 2 cases that fail, every value is 2 times what it should be."),
        (
            (1.0, 2.0, 3.0),
            "In the 2 cases that fail, every value is 2, 3 times what it should be, depending on the case.",
        ),
        ((1.0, 1.0, -1.0), "In the case that fails, every value is -1 times what it should be."),
        ((1.0 + 4e-5, 2.0, 2.0), ""),
        ((2.0, 1.0, 1.0), ""),
    ],
)
def test_a_factor_is_told_of_failing_cases_alone_and_only_where_it_is_clear(
    scales: tuple[float, float, float], why: str
) -> None:
    scaled = [one * scale for one, scale in zip(VALUES, scales, strict=True)]
    assert [str(named.why) for named in of_value(scaled)] == [why] * bool(why)


def test_an_offset_that_is_noise_is_not_told() -> None:
    shifted = [VALUES[0], VALUES[1] + 1.0, VALUES[2] + 2.0]
    noisy = [one + 3e-7 * (at == 0) for at, one in enumerate(shifted)]
    (named,) = of_value(noisy)
    assert (
        str(named.why)
        == "In the 2 cases that fail, every value is off by the same number: +1, +2, depending on the case."
    )


def test_zeros_are_not_right_to_one_decimal() -> None:
    small = [0.04 * one for one in VALUES]
    truth = Truth([Expected(one, 1e-6) for one in small], TRUTH.shapes, TRUTH.dtypes, TRUTH.coarse)
    assert of_value([0 * one for one in small], truth) == []


def test_expected_infinities_are_not_a_mistake() -> None:
    due = np.array([0.0, -np.inf])
    truth = Truth([Expected(due, 1e-6)], [(2,)], ["float32"], [{}])
    assert common_mistakes.not_finite(numbers([due], truth)) is None


def test_mistakes_that_are_not_found_in_numbers_have_a_name_too() -> None:
    assert {
        common_mistakes.not_deterministic("They differ.").name,
        common_mistakes.only_the_cases().name,
    } <= DETECTED_MISTAKES


def form(returned: Answered, dtype: str) -> Named:
    truth = Truth([Expected(np.zeros(3), 1e-6)], [(3,)], [dtype], [{}])
    (named,) = common_mistakes.of_form(evidence_of(truth, [np.zeros(3)], returned=[returned]))
    return named


def test_a_wrong_form_is_told_of_the_case_that_is_shown_or_with_its_arguments() -> None:
    def told(*arrays: np.ndarray[Any, Any]) -> str:
        dues = [np.zeros(6), np.zeros(9), np.zeros(3)]
        truth = Truth([Expected(due, 1e-6) for due in dues], [(one.size,) for one in dues], ["float32"] * 3, [{}] * 3)
        (named,) = common_mistakes.of_form(evidence_of(truth, arrays))
        return str(named.why)

    assert told(np.zeros(4), np.zeros(7), np.zeros(2)) == "The array holds 2 values. It should hold 3."
    assert (
        told(np.ones(6), np.zeros(7), np.zeros(3)) == "This happens at n=9. The array holds 7 values. It should hold 9."
    )


@pytest.mark.parametrize(
    ("dtype", "due", "hint"),
    [
        ("float64", "float32", "NumPy computes in float64. End with `.astype(np.float32)`."),
        ("int64", "int32", "NumPy computes in int64. End with `.astype(np.int32)`."),
        ("float16", "float32", "Where does float16 come into the computation?"),
    ],
)
def test_a_dtype_of_numpy_is_explained(dtype: str, due: str, hint: str) -> None:
    named = form(Answered(np.zeros(3, dtype), dtype), due)
    assert (named.name, str(named.hint)) == ("wrong-dtype", hint)


@pytest.mark.parametrize(
    ("instead", "says"), [("list", "jnp.array(...)"), ("tuple", "comma"), ("NoneType", "`return`")]
)
def test_what_is_not_an_array_has_a_hint_that_says_what_to_write(instead: str, says: str) -> None:
    assert says in str(form(Answered(None, instead=verbatim(instead)), "float32").hint)


def test_integers_are_cut_if_they_are_what_is_due_without_fractions() -> None:
    due = [Expected(np.array([0.5, -1.7, 2.999999, 4.0]), 1e-6), Expected(np.array([7.25]), 1e-6)]

    def is_cut(*values: list[float], dtype: str = "int64") -> bool:
        truth = Truth(due, [(4,), (1,)], ["float32"] * 2, [{}] * 2)
        return common_mistakes.cut_to_integers(numbers([np.array(one, dtype) for one in values], truth))

    assert is_cut([0, -1, 2, 4], [7])
    assert is_cut([0, -1, 3, 3], [7])  # rounding put both on the other side
    assert not is_cut([1, -1, 2, 4], [7])
    assert not is_cut([0, -1, 2, 4], [8])
    assert not is_cut([0, -1, 2], [7])
    assert not is_cut([0, -1, 2, 4], [7], dtype="float64")
