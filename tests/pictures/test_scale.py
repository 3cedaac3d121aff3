"""The scale of a picture: zero in the middle where both signs occur, and nothing that a wrong value can spoil."""

from __future__ import annotations

import numpy as np
import pytest

from grader.pictures.view import Scale, scale_of, scale_of_difference
from tests.pictures.samples import hostile


def test_zero_is_in_the_middle_if_there_are_both_signs() -> None:
    scale = scale_of(np.array([-1.0, 3.0]), None)
    assert (scale.low, scale.high, scale.diverging) == (-3.0, 3.0, True)
    assert scale.places(np.array([-3.0, 0.0, 3.0])).tolist() == [0.0, 0.5, 1.0]


def test_what_is_due_and_what_was_given_share_a_scale() -> None:
    scale = scale_of(np.array([0.0, 1.0]), np.array([0.5, 1.5]))
    assert (scale.low, scale.high, scale.diverging, scale.beyond) == (0.0, 1.5, False, False)


def test_one_huge_value_leaves_the_others_their_colours() -> None:
    scale = scale_of(np.array([0.0, 1.0]), np.array([0.5, 1e30]))
    assert (scale.high, scale.beyond) == (1.25, True)
    assert scale.places(np.array([1e30])).tolist() == [1.0]


@pytest.mark.parametrize("due", [None, hostile(), np.full((2, 2), np.nan), np.zeros((1, 1)), np.full((1, 2), -np.inf)])
@pytest.mark.parametrize("given", [None, hostile(), np.full((2, 2), np.inf), np.full((3, 1), 7.0)])
def test_every_value_has_a_place(due: np.ndarray | None, given: np.ndarray | None) -> None:
    scale = scale_of(due, given)
    places = scale.places(hostile())
    assert np.isfinite([scale.low, scale.high]).all()
    assert np.isnan(places).sum() == 1
    assert ((places[~np.isnan(places)] >= 0) & (places[~np.isnan(places)] <= 1)).all()


def test_the_scale_of_a_difference_is_even_where_there_is_none() -> None:
    assert scale_of_difference(np.zeros((2, 2))) == Scale(-1.0, 1.0, True)
    assert scale_of_difference(np.array([[-4.0, 1.0]])) == Scale(-4.0, 4.0, True)
