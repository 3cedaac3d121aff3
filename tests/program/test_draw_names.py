"""The numbers of many draws as a few arrays: they come back as they were, and other arrays are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.kit import frames
from grader.kit.decode import Malformed
from grader.program.draw_names import draw_name, half_name, joined, parted

NUMBERS = [
    {draw_name("normal", 7, 2): np.float32([0.5, -1.0]), half_name(np.float32([0.25])): np.float32([3.0])},
    {},
    {draw_name("uniform", 7, 0): np.zeros(0, np.float32)},
]


@pytest.mark.parametrize("numbers", [NUMBERS, [], [{}, {}]])
def test_numbers_come_back_as_they_were(numbers: list[dict[str, Any]]) -> None:
    again = parted(joined(numbers))
    assert [list(one) for one in again] == [list(one) for one in numbers]
    for one, other in zip(again, numbers, strict=True):
        for name, due in other.items():
            assert one[name].dtype == np.float32
            assert np.array_equal(one[name], due)


@pytest.mark.parametrize(
    ("array", "change"),
    [
        (0, lambda names: names[:9]),
        (0, lambda names: names[:0]),
        (0, lambda names: np.full_like(names, 255)),
        (0, lambda names: names.astype(np.int64)),
        (1, lambda counts: counts + 1),
        (1, lambda counts: counts * 2 - np.int64([0, -1, 1])),
        (1, lambda counts: counts.reshape(-1, 1)),
        (2, lambda sizes: sizes[:-1]),
        (2, lambda sizes: sizes + np.int64([3, -3, 0])),
        (2, lambda sizes: np.full_like(sizes, 2**62)),
        (3, lambda numbers: numbers[:-1]),
        (3, lambda numbers: numbers.astype(np.float64)),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(array: int, change: Callable[[Any], Any]) -> None:
    arrays = joined(NUMBERS)
    arrays[array] = change(arrays[array])
    with pytest.raises(Malformed):
        parted(arrays)
    with pytest.raises(Malformed):
        parted(arrays[:3])


def test_the_same_key_has_another_name_with_another_sampler_size_or_bound() -> None:
    bounds = [[np.float32([0.0])], [np.float32([1.0])], [np.int32([1])]]
    names = [
        draw_name("normal", 7, 2),
        draw_name("uniform", 7, 2),
        draw_name("normal", 8, 2),
        draw_name("normal", 7, 3),
    ]
    names += [draw_name("normal", 7, 2, one) for one in bounds]
    assert len(set(names)) == len(names)


def test_the_draws_of_thousands_of_keys_have_a_short_header() -> None:
    draws = [{draw_name("normal", key, 1): np.float32([key]) for key in range(6000)} for _ in range(8)]
    assert len(parted(frames.decode(frames.encode({}, joined(draws)))[1])) == 8
