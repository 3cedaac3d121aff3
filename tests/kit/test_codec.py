"""One codec: a value with arrays in it comes back as it was, and of other bytes nothing is made."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pytest

from grader.program.data import Place
from grader.values import frames
from grader.values.arrays import Array
from grader.values.codec import HERE, encode, from_frame, read, to_frame
from grader.values.decode import Malformed
from grader.values.outline import Outline
from grader.values.places import Edit, FoundPlace, PlaceKind
from tests.oracle.conftest import assert_same


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Point:
    name: str
    values: Array
    bound: float | Array = 0.0


@dataclass(frozen=True)
class Shape:
    colour: Colour
    points: tuple[Point, ...]
    more: dict[str, Array]
    source: bytes | None
    pair: tuple[int, Array] | None = None


ROW = np.arange(3.0)
SHAPE = Shape(
    Colour.RED,
    (Point("a", ROW), Point("b", ROW + 1, ROW > 1)),
    {"x": np.int32([[1, 2]]), "y": np.zeros((0, 2))},
    b"text",
    (7, np.asarray(2.5)),
)


def again(value: Any, kind: Any = None) -> Any:
    return from_frame(kind or type(value), *frames.decode(encode(value)))


def test_a_value_comes_back_with_its_arrays() -> None:
    assert_same(again(SHAPE), SHAPE)
    assert_same(again(Shape(Colour.RED, (), {}, None)), Shape(Colour.RED, (), {}, None))
    assert_same(again(Outline(3, {"scan": 4}, (2, 5), 6)), Outline(3, {"scan": 4}, (2, 5), 6))


def test_arrays_are_sent_in_the_order_of_the_declarations() -> None:
    header, arrays = to_frame(SHAPE)
    assert [one.shape for one in arrays] == [(3,), (3,), (3,), (1, 2), (0, 2), (4,), ()]
    assert header["points"] == [
        {"name": "a", "values": HERE, "bound": 0.0},
        {"name": "b", "values": HERE, "bound": HERE},
    ]
    assert header["source"] == HERE


def test_a_type_that_a_module_imports_for_its_annotations_alone_is_known() -> None:
    place = FoundPlace(PlaceKind.REPAIR, Place(1, 0, 1, 4), "mul", "", 0, 1, ROW, ROW + 1, change=Edit.AXIS)
    assert_same(again(place), place)


def test_a_value_that_is_no_dataclass_comes_back_too() -> None:
    header, arrays = to_frame([{"a": ROW}, {}])
    assert_same(from_frame(list[dict[str, Array]], header, arrays), [{"a": ROW}, {}])
    assert from_frame(tuple[()], *to_frame(())) == ()
    assert from_frame(tuple[int, str], *to_frame((1, HERE))) == (1, HERE)


HEADER, ARRAYS = to_frame(SHAPE)


@pytest.mark.parametrize("count", [0, 1, len(ARRAYS) - 1])
def test_too_few_arrays_are_refused(count: int) -> None:
    with pytest.raises(Malformed):
        from_frame(Shape, HEADER, ARRAYS[:count])


def test_too_many_arrays_are_refused() -> None:
    with pytest.raises(Malformed, match="more arrays"):
        from_frame(Shape, HEADER, [*ARRAYS, ROW])


@pytest.mark.parametrize(
    "change",
    [
        {"source": None},
        {"source": "text"},
        {"source": [1, 2]},
        {"points": HERE},
        {"points": [{"name": "a", "values": [HERE], "bound": 0.0}]},
        {"points": [{"name": HERE, "values": 1.0, "bound": HERE}]},
        {"more": {"x": HERE, "y": None}},
        {"pair": [7]},
        {"pair": [HERE, 7]},
        {"colour": HERE},
        {"another": HERE},
    ],
    ids=str,
)
def test_a_header_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        from_frame(Shape, {**HEADER, **change}, ARRAYS)


@pytest.mark.parametrize("array", [np.float32([1.0]), np.zeros((2, 2), np.uint8), np.int8([1])])
def test_bytes_are_one_row_of_uint8(array: Array) -> None:
    with pytest.raises(Malformed, match="no bytes"):
        from_frame(bytes, HERE, [array])


def test_an_array_that_a_type_did_not_take_after_all_is_there_for_the_next() -> None:
    either = tuple[Array, int] | tuple[Array, str]
    row, text = from_frame(either, [HERE, "a"], [ROW])
    assert (row is ROW, text) == (True, "a")


def test_the_next_value_of_a_stream_is_read_until_its_end() -> None:
    reading, writing = os.pipe()
    frames.write(writing, encode(Point("a", ROW)) + encode(Point("b", ROW)) + encode({"name": 3}))
    os.close(writing)
    assert [read(Point, reading).name, read(Point, reading).name] == ["a", "b"]
    with pytest.raises(Malformed):
        read(Point, reading)
    assert read(Point, reading) is None
    os.close(reading)


def test_whoever_listens_to_python_hears_nothing_of_a_value_that_is_sent() -> None:
    heard: list[str] = []
    listening = True
    sys.addaudithook(lambda event, _: heard.append(event) if listening else None)
    encode(SHAPE)
    listening = False
    assert heard == []


def test_a_header_is_json() -> None:
    assert json.loads(json.dumps(HEADER)) == HEADER
