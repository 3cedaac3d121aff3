"""The excerpt: the row of the first difference, and the columns around it."""

from __future__ import annotations

import numpy as np

from grader.marking.comparison import Judged
from grader.marking.excerpt import COLUMNS_SHOWN, arguments_text, excerpt
from grader.marking.facts import Facts
from grader.values.arrays import Expected


def shown(values: np.ndarray, expected: np.ndarray, shape: tuple[int, ...], axes: tuple[str, ...] = ()):
    judged = Judged(False, False, 1.0, 1e-6, values.reshape(-1), ())
    return excerpt(judged, Expected(expected.reshape(-1), 1e-6), shape, axes)


def test_the_first_row_that_differs_is_shown_with_its_place() -> None:
    expected = np.arange(12.0).reshape(3, 4)
    wrong = expected + np.array([0, 1, 1])[:, None] * np.array([0, 0, 1, 1])
    one = shown(wrong, expected, (3, 4), ("position", "dim"))
    assert one is not None
    assert (str(one.place), (*map(str, one.columns),)) == ("position 1", ("dim 0", "dim 1", "dim 2", "dim 3"))
    assert one.expected == (4.0, 5.0, 6.0, 7.0)
    assert one.yours == (4.0, 5.0, 7.0, 8.0)
    assert one.wrong == (False, False, True, True)


def test_of_stacked_arrays_the_one_that_differs_is_named() -> None:
    expected = np.zeros((2, 3, 4))
    wrong = expected.copy()
    wrong[1, 2, 0] = 1
    judged = Judged(False, False, 1.0, 1e-6, wrong.reshape(-1), ())
    due = Expected(expected.reshape(-1), 1e-6)
    one = excerpt(judged, due, (2, 3, 4), ("position", "dim"), ("value", "d/d scale"))
    assert one is not None
    assert (str(one.place), str(one.columns[0])) == ("d/d scale, position 2", "dim 0")
    unnamed = excerpt(judged, due, (2, 3, 4), (), ("value", "d/d scale"))
    assert unnamed is not None
    assert str(unnamed.place) == "d/d scale, column 2"


def test_a_difference_far_to_the_right_is_in_view() -> None:
    expected = np.zeros((1, 100))
    wrong = expected.copy()
    wrong[0, 99] = 1
    one = shown(wrong, expected, (1, 100), ("position", "dim"))
    assert one is not None
    assert len(one.columns) == COLUMNS_SHOWN
    assert str(one.columns[-1]) == "dim 99"


def test_three_axes_without_names_are_row_column_and_index() -> None:
    expected = np.zeros((2, 2, 2))
    wrong = expected.copy()
    wrong[1, 0, 1] = np.nan
    one = shown(wrong, expected, (2, 2, 2))
    assert one is not None
    assert (str(one.place), one.wrong) == ("row 1, column 0", (False, True))


def test_nothing_is_shown_if_lengths_differ() -> None:
    assert shown(np.zeros(3), np.zeros(4), (4,)) is None


def test_integers_are_shown_as_integers() -> None:
    one = shown(np.array([3, 0, 2]), np.array([3, -1, 2]), (3,))
    assert one is not None
    assert (one.whole, one.expected, one.yours) == (True, (3, -1, 2), (3, 0, 2))


def test_the_seed_is_shown_only_if_cases_differ_in_it() -> None:
    one = Facts("f", ("seed", "T"), ((0, 3), (0, 4)), (), ())
    two = Facts("f", ("seed", "T"), ((0, 3), (1, 3)), (), ())
    assert arguments_text(one, 1) == "T=4"
    assert arguments_text(two, 1) == "seed=1, T=3"
