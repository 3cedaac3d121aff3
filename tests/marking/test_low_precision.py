"""Values that were rounded are recognised by their own form: which dtype, or how many decimals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.marking.facts import Truth
from grader.marking.precision import low_precision, without_rounding
from grader.marking.program_comparison import Widened
from tests.marking import test_judgement as second
from tests.marking.evidence import evidence_of
from tests.marking.test_common_mistakes import TRUTH, VALUES, Change


def bfloat16(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return (values.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


@pytest.mark.parametrize(
    ("change", "described"),
    [
        (lambda v: v.astype(np.float16), "to the precision of float16"),
        (bfloat16, "to the precision of bfloat16"),
        (lambda v: v.round(1), "to 1 decimal."),
        (lambda v: v.round(4), "to 4 decimals."),
    ],
)
def test_a_dtype_or_a_number_of_decimals_is_named(change: Change, described: str) -> None:
    named = low_precision(evidence_of(TRUTH, [change(values).astype(np.float64) for values in VALUES]).numbers)
    assert named is not None
    assert described in str(named.why)


def test_values_that_are_further_off_than_rounding_are_not_said_to_be_rounded() -> None:
    for change in (lambda values: (values + 0.3).astype(np.float16).astype(np.float64), lambda values: values + 1e-3):
        assert low_precision(evidence_of(TRUTH, [change(values) for values in VALUES]).numbers) is None


def rounding(off: float, line: int = 9, truth: Truth = second.TRUTH) -> Any:
    """What is said of programs whose rounding to bfloat16 moves one value by so much."""
    wide = Widened(second.DUE, [np.zeros(3)] * 2, [True] * 2, line, "bfloat16")
    return without_rounding(replace(second.looked(off, second.programs(off, wide=wide)), truth=truth))


def test_rounding_on_the_way_is_named_with_its_line_and_its_values_without_it_are_compared() -> None:
    numbers = rounding(0.01)
    (named,) = numbers.undone
    assert numbers.exact.differs == [False, False]
    assert named.name == "low-precision"
    assert str(named.why) == "Line 9 rounds numbers to bfloat16, which has 8 significant bits where float32 has 24."
    assert str(rounding(0.01, line=0).undone[0].why).startswith("Some step rounds")


def test_nothing_is_said_of_rounding_that_changes_no_value_or_that_no_program_does() -> None:
    assert rounding(0.0) is None
    assert without_rounding(second.looked(0.01, second.programs(0.01))) is None


def test_rounding_to_a_dtype_that_the_reference_rounds_to_is_no_mistake() -> None:
    assert rounding(0.01, truth=replace(second.TRUTH, coarse=[{"float16": 0.01}] * 2)) is None
