"""The pieces that charts of figures are made of: what Vega draws of them."""

from __future__ import annotations

import re
from typing import Any

import altair as alt
import numpy as np

from grader.page.chart import along, choice, cursor, fixed, held, listed, matrix, numbers, said, slider, tips
from grader.pictures.spec import as_svg


def svg(chart: Any) -> str:
    return as_svg(chart.to_dict()).decode()


def drawn(chart: Any, mark: str) -> list[str]:
    """The paths and texts of the marks of one kind, as Vega draws them."""
    groups = re.findall(rf'<g class="mark-{mark} role-mark.*?</g>', svg(chart), flags=re.DOTALL)
    return [one for group in groups for one in re.findall(r"<(?:path|text|line)[^>]*>", group)]


def test_a_matrix_draws_a_cell_for_each_row_and_column_and_keeps_the_place_of_those_that_are_left_out() -> None:
    cells = matrix(2, 3, "row i", "column j", value="datum.row * 10 + datum.column")
    chart = cells.mark_rect().encode(color="value:Q", tooltip=tips(0, row="row", column="column", value="value"))
    labels = [one["aria-label"] for one in _attributes(drawn(chart, "rect"))]
    assert "value: 12;" in labels[-1]
    assert len(labels) == 6
    left = cells.transform_filter("datum.column == 2").mark_rect()
    assert [one["d"] for one in _attributes(drawn(left, "rect"))] == [
        one["d"] for one in _attributes(drawn(cells.mark_rect(), "rect"))
    ][2::3]


def test_controls_and_held_numbers_are_read_by_what_is_said() -> None:
    parameters = [
        slider("at", "place", 1, 3),
        choice("of", "table", ["a", "b"], labels=["first", "second"]),
        *held(values=np.array([0.5, 0.123456, np.nan])),
        said("{of}: place {at} has {value}", of="of", at="at", value=fixed("values[at]", 2)),
    ]
    read = listed({"x": 1}).mark_text().encode(text=alt.Text("told:N")).transform_calculate(told="said")
    (text,) = re.findall(r"<text[^>]*>([^<]*)</text>", svg(read.add_params(*parameters)))
    assert text == "a: place 1 has 0.12"
    binds = {one["name"]: one.get("bind") for one in read.add_params(*parameters).to_dict()["params"]}
    assert binds["at"] == {"input": "range", "max": 3, "min": 0, "name": "place ", "step": 1}
    assert binds["of"] == {"input": "select", "labels": ["first", "second"], "name": "table ", "options": ["a", "b"]}


def test_numbers_lie_between_the_ends_of_their_axes_and_a_cursor_stands_where_expressions_say() -> None:
    points = numbers("n", 3, twice="2 * datum.n", name="'of ' + datum.twice")
    points = points.encode(x=alt.X(**along("n", "n", 0, 2)), y=alt.Y(**along("twice", "twice", 0, 4)), text="name:N")
    assert "of 4" in svg(points.mark_text())
    framed = matrix(2, 2, "i", "j").mark_rect() + cursor("1", "0", 90)
    assert len(drawn(framed.add_params(slider("p", "p", 0, 1)), "symbol")) == 1


def _attributes(elements: list[str]) -> list[dict[str, str]]:
    return [dict(re.findall(r'([\w-]+)="([^"]*)"', one)) for one in elements]
