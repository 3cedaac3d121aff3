"""Which values a picture shows: rows and columns by the names of axes, the place of the first wrong value, samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.marking.verdict import ComparedCase, Pictured
from grader.pictures.view import DIFFERENCE, EXPECTED, OF, YOURS, drawable_parts, left_out, sampled, view
from tests.pictures.samples import CURVE, HEATMAP, WAVES, compared, hostile, waves


def test_rows_go_down_and_columns_across_whichever_axis_comes_first() -> None:
    table = np.arange(6.0).reshape(2, 3)
    seen = view(HEATMAP, compared(table))
    turned = view(Pictured("heatmap", ("dim", "position")), compared(table))
    assert seen is not None
    assert turned is not None
    assert seen.part(EXPECTED).tolist() == table.tolist()
    assert turned.part(EXPECTED).tolist() == table.T.tolist()
    assert (seen.down, seen.across, turned.down, turned.across) == ("position", "dim", "dim", "position")


def test_waves_have_a_row_for_each_line() -> None:
    table = waves(5, 4)
    seen = view(WAVES, compared(table))
    assert seen is not None
    assert (seen.down, seen.across, seen.shape) == ("dim", "position", (4, 5))
    assert seen.part(EXPECTED).tolist() == table.T.tolist()


def test_of_other_axes_the_index_of_the_first_wrong_value_is_shown() -> None:
    due = np.zeros((2, 3, 4))
    given = due.copy()
    given[1, 2, 3] = 1.0
    seen = view(Pictured("heatmap", ("head", "key")), compared(due, given, "query", "head", "key"))
    assert seen is not None
    assert (seen.place, seen.shape) == ("query 1", (3, 4))
    assert seen.wrong is not None
    assert seen.wrong.sum() == 1


def test_a_derivative_is_a_part_of_its_own() -> None:
    one = ComparedCase(
        0, "n=2", (2, 3), ("step",), np.arange(6.0), np.arange(6.0), np.arange(6) == 4, ("value", "d/d beta")
    )
    seen = view(CURVE, one)
    assert seen is not None
    assert (seen.place, seen.part(YOURS).tolist()) == ("d/d beta", [[3.0, 4.0, 5.0]])


@pytest.mark.parametrize("shape", [(2, 3, 5), (6,), (), (0, 4)])
def test_an_array_of_another_form_has_no_view(shape: tuple[int, ...]) -> None:
    one = replace(compared(np.zeros((4, 6))), shape=shape)
    assert view(HEATMAP, one) is None


def test_equal_infinities_and_two_nan_differ_by_nothing() -> None:
    seen = view(HEATMAP, compared(hostile(), hostile()))
    assert seen is not None
    assert not seen.part(DIFFERENCE).any()


def test_parts_that_are_not_known_are_left_out() -> None:
    alone = view(HEATMAP, compared(waves(4, 4)))
    assert alone is not None
    assert drawable_parts(alone, OF) == [EXPECTED]
    line = view(CURVE, compared(np.zeros(4), np.ones(4), "step"))
    assert line is not None
    assert drawable_parts(line, OF) == [EXPECTED, YOURS]
    assert drawable_parts(line, [DIFFERENCE]) == [DIFFERENCE]


def test_a_sample_is_spread_evenly_and_says_what_it_leaves_out() -> None:
    seen = view(HEATMAP, compared(waves(100, 60)))
    assert seen is not None
    fewer = sampled(seen, 10, 60)
    assert fewer.rows.tolist() == list(range(0, 100, 11))
    assert fewer.part(EXPECTED).tolist() == waves(100, 60)[::11].tolist()
    columns = sampled(seen, 10, 15).columns
    assert columns.size == 14
    assert (columns[1::2] - columns[::2] == 1).all()
    assert (columns[::2] % 2 == 0).all()  # a sine, then a cosine
    assert (columns[0], columns[-1]) == (0, 59)
    assert sampled(seen, 10, 7).columns.tolist() == [0, 10, 20, 30, 39, 49, 59]
    assert left_out(fewer) == "Drawn: 10 of 100 along position."
    assert left_out(seen) == ""


def test_a_sample_shows_a_wrong_value_if_there_is_one() -> None:
    for row, column in ((0, 0), (37, 41), (99, 60)):
        given = waves(100, 61)
        given[row, column] = 5.0
        seen = view(HEATMAP, compared(waves(100, 61), given))
        assert seen is not None
        assert sampled(seen, 7, 9).count[0] == 1
        assert sampled(seen, 7, 9).columns.size <= 9
