"""Parsed JSON as values of a type: data that fits is decoded, and other data is refused with its place."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.values.decode import LARGEST_INT, Malformed, decode, parse


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Point:
    x: float
    label: str | None
    marks: tuple[int, ...] = ()


@dataclass(frozen=True)
class Shape:
    points: list[Point]
    colour: Colour
    names: dict[str, Point] = field(default_factory=dict[str, Point])


class Row(TypedDict):
    name: str
    ready: bool


POINT: dict[str, Any] = {"x": 1, "label": None, "marks": [1, 2]}


def test_a_whole_document_becomes_values_of_its_types() -> None:
    data = {"points": [POINT], "colour": "blue", "names": {"a": {**POINT, "label": "b", "marks": []}}}
    shape = decode(Shape, json.loads(json.dumps(data)))
    assert shape == Shape([Point(1.0, None, (1, 2))], Colour.BLUE, {"a": Point(1.0, "b")})
    assert type(shape.points[0].x) is float
    assert type(shape.colour) is Colour


@pytest.mark.parametrize(
    ("kind", "data", "where"),
    [
        (Shape, [], "its top"),
        (Shape, {"points": [], "colour": "green", "names": {}}, r"\.colour"),
        (Shape, {"points": [POINT, {**POINT, "x": "1"}], "colour": "red", "names": {}}, r"\.points\[1\]\.x"),
        (Shape, {"points": [], "colour": "red", "names": {"a": 3}}, r"\.names\.a"),
        (Shape, {"points": [], "colour": "red"}, "its top"),
        (Point, {**POINT, "more": 1}, "its top"),
        (Point, {**POINT, "x": None}, r"\.x"),
        (Point, {**POINT, "marks": [True]}, r"\.marks\[0\]"),
        (tuple[int, str], [1], "not as many items"),
        (int, True, "its top"),
        (int, 1.0, "its top"),
        (bool, 1, "its top"),
        (int, LARGEST_INT, "its top"),
        (float, math.nan, "its top"),
        (float, math.inf, "its top"),
        (str, 1, "its top"),
        (str, "\ud800", "half of a character"),
        (dict[str, int], {"\ud800": 1}, "half of a character"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(kind: Any, data: Any, where: str) -> None:
    with pytest.raises(Malformed, match=where):
        decode(kind, data)


def test_a_typed_dict_drops_unknown_names_and_needs_all_known_ones() -> None:
    assert decode(Row, {"name": "a", "ready": True, "new": 1}) == {"name": "a", "ready": True}
    with pytest.raises(Malformed, match="its top"):
        decode(Row, {"name": "a"})


@pytest.mark.parametrize("kind", [int | float, float | int])
def test_a_number_of_a_union_keeps_its_type(kind: Any) -> None:
    assert [type(one) for one in decode(list[kind], [1, 1.0])] == [int, float]


def test_a_union_takes_the_first_kind_that_fits() -> None:
    assert decode(int | str | None, "a") == "a"
    assert decode(int | str | None, None) is None
    with pytest.raises(Malformed, match="its top"):
        decode(int | str | None, [])


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 200_000])
def test_bytes_that_are_no_json_are_malformed(data: bytes) -> None:
    with pytest.raises(Malformed, match="not JSON"):
        parse(data)


@pytest.mark.slow
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda one: st.lists(one)))
def test_whatever_is_given_is_a_value_or_malformed(data: Any) -> None:
    try:
        value = decode(list[float | str | None], data)
    except Malformed:
        return
    assert all(one is None or type(one) in (float, str) for one in value)


def test_a_name_out_of_the_file_steers_no_terminal() -> None:
    with pytest.raises(Malformed) as error:
        decode(dict[str, list[int]], {"\x1f\x1b[2J": None})
    assert str(error.value).isprintable()
