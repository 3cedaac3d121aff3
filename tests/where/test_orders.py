"""An answer may hold its channels in another order than the reference: the order is found, and only where there is one."""

from __future__ import annotations

import numpy as np

from grader.where.candidates import LARGEST_ARRAY_COMPARED, MOST_ORDERS_OF_A_LENGTH, orders

TABLE = np.sin(np.arange(24.0).reshape(4, 6) ** 2)
SWAPPED = np.array([0, 3, 1, 4, 2, 5])


def test_the_order_of_an_axis_is_found() -> None:
    (order,) = orders([TABLE.take(SWAPPED, 1)], {"table": TABLE[None]})[6]
    assert np.array_equal(TABLE.take(order, 1), TABLE.take(SWAPPED, 1))


def test_an_array_that_stands_as_in_the_reference_has_no_order() -> None:
    assert not orders([TABLE], {"table": TABLE[None]})


def test_rows_that_are_equal_have_no_order() -> None:
    even = np.repeat(TABLE[:, :3], 2, axis=1)
    assert not orders([even[:, ::-1]], {"table": even[None]}).get(6)


def test_rounding_does_not_hide_an_order() -> None:
    near = TABLE.take(SWAPPED, 1) * (1 + 1e-12)
    assert [one.tolist() for one in orders([near], {"table": TABLE[None]})[6]] == [SWAPPED.tolist()]


def test_other_values_have_no_order() -> None:
    assert not orders([TABLE.take(SWAPPED, 1) * 1.001], {"table": TABLE[None]})


def test_values_that_are_not_finite_and_steps_of_a_loop_are_left_out() -> None:
    assert not orders([np.full((3, 3), np.nan)], {"table": TABLE[None]})
    assert not orders([TABLE.take(SWAPPED, 1)], {"table": np.stack([TABLE, TABLE])})


def test_the_work_is_bounded() -> None:
    large = np.arange(LARGEST_ARRAY_COMPARED + 1.0)
    assert not orders([large[::-1]], {"all": large[None]})
    line = np.arange(7.0) ** 2
    rolled = [np.roll(line, shift) for shift in range(1, 7)]
    assert len(orders(rolled, {"line": line[None]})[7]) == MOST_ORDERS_OF_A_LENGTH
