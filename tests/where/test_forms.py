"""Values in other forms: axes moved, halves taken, lengths spread, dtypes changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.where.steps import cast_views, part_views, plain_views, spread_views

X = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    ("due", "expected"),
    [((3, 4), X), ((3, 1, 4), X[:, None]), ((4, 3), X.T), ((12,), X.ravel()), ((1, 4, 3), X.T[None])],
)
def test_all_elements_stand_in_another_shape(due: tuple[int, ...], expected: Any) -> None:
    views = plain_views((3, 4), due)
    assert any(np.array_equal(view(X), expected) for view in views)
    assert all(view(X).shape == due for view in views)


def test_the_plainest_form_of_a_square_comes_first() -> None:
    square = X[:, :3]
    assert [view(square).tolist() for view in plain_views((3, 3), (3, 3))] == [square.tolist(), square.T.tolist()]


def test_shapes_that_do_not_fit_have_no_view() -> None:
    assert plain_views((3, 4), (2, 5)) == plain_views((3, 4), (6, 2)) == part_views((3, 4), (3, 4)) == ()


def test_halves_of_an_axis() -> None:
    found = [view(X).tolist() for view in part_views((3, 4), (3, 2))]
    assert found == [X[:, cut].tolist() for cut in (slice(0, None, 2), slice(1, None, 2), slice(0, 2), slice(2, None))]


@pytest.mark.parametrize(
    ("given", "due", "expected"),
    [
        ((3, 1), (1, 4), (3, 1)),
        ((4,), (3, 4), (3, 4)),
        ((3,), (3, 4), (3, 4)),
        ((3, 1), (), (3, 1)),
        ((3, 4), (4, 3), (3, 4)),
    ],
)
def test_a_value_is_spread_or_left_to_what_follows(
    given: tuple[int, ...], due: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert expected in [view(np.ones(given)).shape for view in spread_views(given, due)]


def test_a_value_changes_its_dtype_only_where_it_fits() -> None:
    whole, part, mask = np.array([0.0, 1.0]), np.array([0.5]), np.array([False, True])
    assert cast_views(part, np.array([1])) is None
    assert cast_views(np.array([2]), mask) is None
    for value, like in ((whole, np.array([1])), (whole, mask), (mask, whole), (np.array([0, 1]), mask)):
        changed = cast_views(value, like)
        assert changed is not None
        assert changed.dtype == like.dtype
        assert changed.tolist() == [0, 1]
