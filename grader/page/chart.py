"""What the charts of figures have in common, in few words: controls, numbers that are held, marks, axes, what is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from grader.page.figure import expression, rounded


def slider(name: str, label: str, value: float, most: float, least: float = 0, step: float = 1) -> alt.Parameter:
    """A parameter that a slider sets; `label` stands before it."""
    return alt.param(name, value=value, bind=alt.binding_range(min=least, max=most, step=step, name=f"{label} "))


def choice(
    name: str, label: str, options: Sequence[Any], value: Any = None, labels: Sequence[str] | None = None
) -> alt.Parameter:
    """A parameter that takes one of some values, at first `value`, or the first of them; `labels` are their words."""
    words = alt.Undefined if labels is None else list(labels)
    bind = alt.binding_select(options=list(options), labels=words, name=f"{label} ")
    return alt.param(name, value=options[0] if value is None else value, bind=bind)


def held(**values: Any) -> list[alt.Parameter]:
    """Parameters with arrays of numbers, rounded, that expressions of the chart read."""
    return [alt.param(name, value=rounded(np.asarray(value))) for name, value in values.items()]


def said(message: str, /, **fields: str) -> alt.Parameter:
    """The parameter `said`, for `Figure(..., reads="said")`: a message whose fields are expressions."""
    return alt.param("said", expr=expression(message, **fields))


def fixed(value: str, digits: int = 4) -> str:
    """An expression of a number with so many digits after the point."""
    return f"format({value}, '.{digits}f')"


def numbers(name: str, count: int, /, **fields: str) -> alt.Chart:
    """A chart over 0 to count - 1 as the field `name`; each other field is an expression, and may use those before it."""
    return _with(alt.Chart(alt.sequence(0, count, as_=name)), fields)


def listed(*rows: dict[str, Any], **fields: str) -> alt.Chart:
    """A chart over rows of values; each further field is an expression, and may use those before it."""
    return _with(alt.Chart(alt.Data(values=list(rows) or [{"one": 0}])), fields)


def _with(chart: alt.Chart, fields: dict[str, str]) -> alt.Chart:
    for name, value in fields.items():
        chart = chart.transform_calculate(**{name: value})
    return chart


def matrix(rows: int, columns: int, row: str, column: str, /, every: int = 1, **fields: str) -> alt.Chart:
    """A chart over the cells of a matrix, with the fields `row` and `column`, whose titles these two words are.

    The first row is above. `every` says how many rows, and columns, there are from label to label. Each further field is an
    expression, and may use those before it.
    """
    cells = numbers("cell", rows * columns, row=f"floor(datum.cell / {columns})", column=f"datum.cell % {columns}")

    # All rows and columns stand in the scale, also those of which no cell is drawn.
    def scale(count: int) -> alt.Scale:
        return alt.Scale(domain=list(range(count)))

    def axis(count: int) -> alt.Axis:
        return alt.Axis(labelAngle=0, values=list(range(0, count, every)))

    return _with(cells, fields).encode(
        x=alt.X("column:O", title=column, scale=scale(columns), axis=axis(columns)),
        y=alt.Y("row:O", title=row, scale=scale(rows), axis=axis(rows)),
    )


def cursor(row: str, column: str, size: int) -> alt.Chart:
    """A frame around the cell of a `matrix` that two expressions say."""
    mark = listed(row=row, column=column).mark_point(style="cursor", size=size, aria=False)
    return mark.encode(x="column:O", y="row:O")


def along(field: str, title: str | None, least: float, most: float, **axis: Any) -> dict[str, Any]:
    """What an X or Y of Altair takes for a field of numbers, between two ends; `axis` is what its axis takes."""
    scale = alt.Scale(domain=[least, most], nice=False)
    return {"shorthand": f"{field}:Q", "title": title, "scale": scale, "axis": alt.Axis(**axis)}


ABOVE: Any = {"titleAngle": 0, "titleAlign": "left", "titleX": -24, "titleY": -10}
"""What an axis of Altair takes for a title above an upright axis, where long numbers need the room beside it."""


def tips(digits: int = 4, /, **titles: str) -> list[alt.Tooltip]:
    """What is told of a mark under the pointer: the title of each field. The last field has digits after the point."""
    *names, value = titles
    return [
        *(alt.Tooltip(f"{name}:O", title=titles[name]) for name in names),
        alt.Tooltip(f"{value}:Q", title=titles[value], format=f".{digits}f"),
    ]
