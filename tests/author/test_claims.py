"""Sentences that claim something of the numbers of a mistake are checked against these numbers."""

from __future__ import annotations

import numpy as np
import pytest

from grader.author.wording_checks import claims, is_so
from grader.values.arrays import Array, Expected

AXES = ("position", "dim")
DUE = Expected(np.arange(1.0, 7.0), 1e-6)
TWICE, HALF, ZERO = DUE.values * 2, DUE.values / 2, np.zeros(6)
FIRST_ZERO = np.array([0.0, 0.0, 0.0, 4.0, 5.0, 6.0])


@pytest.mark.parametrize(
    ("sentence", "made", "so"),
    [
        ("Every value is twice what it should be.", TWICE, True),
        ("Every value is twice what it should be.", HALF, False),
        ("All values are half as large as they should be.", HALF, True),
        ("Every row is zero.", ZERO, True),
        ("Every row is zero.", FIRST_ZERO, False),
        ("The first row is zero.", FIRST_ZERO, True),
        ("The first position is zero: it was blanked.", FIRST_ZERO, True),
        ("The last position is zero.", FIRST_ZERO, False),
        ("The first dim is zero.", FIRST_ZERO, False),
        ("All numbers have the wrong sign.", -DUE.values, True),
        ("Every value is too small.", HALF, True),
        ("Every value is too small.", TWICE, False),
        ("Every entry is too large.", TWICE, True),
        ("Every value is NaN.", ZERO * np.nan, True),
    ],
)
def test_a_claim_is_so_or_not(sentence: str, made: Array, so: bool) -> None:
    (claim,) = claims(f"It begins well. {sentence}", AXES)
    assert is_so(claim, made, DUE, (2, 3)) is so


@pytest.mark.parametrize(
    "sentence", ["Every frequency is zero.", "The values are wrong.", "Every value is another one."]
)
def test_what_cannot_be_checked_is_no_claim(sentence: str) -> None:
    assert list(claims(sentence, AXES)) == []


def test_nothing_is_claimed_of_another_length() -> None:
    (claim,) = claims("Every value is zero.", AXES)
    assert is_so(claim, np.ones(5), DUE, (2, 3))


def test_under_a_derivative_the_axes_come_after_that_of_value_and_derivative() -> None:
    (claim,) = claims("The first row is zero.", ("row", "dim"), first=1)
    due = Expected(np.ones(12), 1e-6)
    both = np.ones((2, 2, 3))
    both[0] = 0.0
    assert not is_so(claim, both.reshape(-1), due, (2, 2, 3))
    both[:] = 1.0
    both[:, 0] = 0.0
    assert is_so(claim, both.reshape(-1), due, (2, 2, 3))
