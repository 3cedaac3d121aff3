"""Which case is drawn: one on which there is much to see."""

from __future__ import annotations

import numpy as np

from grader.marking.verdict import Drawable
from grader.pictures.view import most_telling_case
from tests.pictures.samples import CURVE, HEATMAP, compared, waves


def chosen(*sizes: tuple[int, int], right: int = 0) -> int | None:
    cases = [
        compared(waves(*size), waves(*size, 1.0 if at >= right else 2.0), case=at) for at, size in enumerate(sizes)
    ]
    found = most_telling_case(Drawable((HEATMAP,), tuple(cases)), 24, 24, wrong=True)
    return found[1].case if found else None


def test_the_largest_case_that_fits_is_drawn() -> None:
    assert chosen((2, 4), (6, 8), (20, 16)) == 2


def test_a_case_of_which_most_would_be_left_out_is_not() -> None:
    assert chosen((2, 4), (16, 16), (2000, 600)) == 1


def test_only_a_case_on_which_the_answer_is_wrong() -> None:
    assert chosen((20, 16), (2, 6), right=1) == 1


def test_a_few_values_and_a_single_line_are_not_worth_a_picture() -> None:
    assert chosen((2, 2), (1, 24)) is None


def test_the_first_picture_that_shows_something_is_drawn() -> None:
    due = np.arange(5.0)
    found = most_telling_case(Drawable((HEATMAP, CURVE), (compared(due, due + 1, "step"),)), 24, 24, wrong=True)
    assert found is not None
    assert found[0] == CURVE
