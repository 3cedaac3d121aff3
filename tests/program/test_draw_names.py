"""The numbers of many draws as a few arrays: they come back as they were, and other arrays are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.program.keys import PackedDraws, draw_name, half_name
from grader.values import frames
from grader.values.codec import encode, from_frame
from grader.values.decode import Malformed

NUMBERS = [
    {draw_name("normal", 7, 2): np.float32([0.5, -1.0]), half_name(np.float32([0.25])): np.float32([3.0])},
    {},
    {draw_name("uniform", 7, 0): np.zeros(0, np.float32)},
]


@pytest.mark.parametrize("numbers", [NUMBERS, [], [{}, {}]])
def test_numbers_come_back_as_they_were(numbers: list[dict[str, Any]]) -> None:
    again = PackedDraws.of(numbers).parted()
    assert [list(one) for one in again] == [list(one) for one in numbers]
    for one, other in zip(again, numbers, strict=True):
        for name, due in other.items():
            assert one[name].dtype == np.float32
            assert np.array_equal(one[name], due)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("names", lambda names: names[:9]),
        ("names", lambda names: names[:0]),
        ("names", lambda names: b"\xff" * len(names)),
        ("counts", lambda counts: counts + 1),
        ("counts", lambda counts: counts * 2 - np.int64([0, -1, 1])),
        ("counts", lambda counts: counts.reshape(-1, 1)),
        ("sizes", lambda sizes: sizes[:-1]),
        ("sizes", lambda sizes: sizes + np.int64([3, -3, 0])),
        ("sizes", lambda sizes: np.full_like(sizes, 2**62)),
        ("numbers", lambda numbers: numbers[:-1]),
        ("numbers", lambda numbers: numbers.astype(np.float64)),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(part: str, change: Callable[[Any], Any]) -> None:
    packed = PackedDraws.of(NUMBERS)
    with pytest.raises(Malformed):
        replace(packed, **{part: change(getattr(packed, part))}).parted()


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
    assert len(from_frame(PackedDraws, *frames.decode(encode(PackedDraws.of(draws)))).parted()) == 8
