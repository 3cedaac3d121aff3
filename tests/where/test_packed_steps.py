"""Steps as bytes: they come back as they were, and bytes of another form are refused before they take memory."""

from __future__ import annotations

import numpy as np
import pytest

from grader.values import frames
from grader.values.codec import HERE
from grader.where.steps import LARGEST_STEPS, packed, unpacked

STEPS = [
    {"3:7:sub:0:0": np.array([[1.5, -np.inf], [np.nan, 0.1]]), "4:7:le:0:0": np.array([[[True], [False]]])},
    {"3:7:sub:0:0": np.arange(3), "5:1:eq:0:0": np.zeros((1, 0, 2))},
]


def test_steps_come_back_as_they_were() -> None:
    again = unpacked(packed(STEPS))
    assert [list(one) for one in again] == [list(one) for one in STEPS]
    for one, other in zip(again, STEPS, strict=True):
        for name, rows in other.items():
            assert one[name].dtype == rows.dtype
            np.testing.assert_array_equal(one[name], rows)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no steps",
        packed(STEPS)[:-1],
        packed(STEPS) + b"more",
        frames.pack({}),
        frames.pack({"steps": [{"a": 7}]}, [np.zeros(1)]),
        frames.pack({"steps": [{"a": HERE}]}, [np.float64(1.0)]),
        frames.pack({"steps": [{"a": HERE}]}, [np.zeros((0, 2))]),
        frames.pack({"steps": [{"a": HERE, "b": HERE}]}, [np.zeros(1)]),
        frames.pack({"steps": [{"a": HERE}]}, [np.zeros(1), np.zeros(1)]),
    ],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        unpacked(data)


def test_bytes_that_unpack_to_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.where.steps.LARGEST_STEPS", 100)
    with pytest.raises(ValueError, match="when unpacked"):
        unpacked(packed([{"a": np.zeros((1, 1000))}]))
    assert LARGEST_STEPS > 1 << 20
