"""Values that were rounded are recognised by their own form: which dtype, or how many decimals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.marking.low_precision import low_precision
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
    named = low_precision([change(values).astype(np.float64) for values in VALUES], TRUTH)
    assert named is not None
    assert described in named.why


def test_values_that_are_further_off_than_rounding_are_not_said_to_be_rounded() -> None:
    assert low_precision([(values + 0.3).astype(np.float16).astype(np.float64) for values in VALUES], TRUTH) is None
    assert low_precision([values + 1e-3 for values in VALUES], TRUTH) is None
