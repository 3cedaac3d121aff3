"""Pictures as Vega-Lite in plain JSON values, and as SVG or PNG, which vl-convert draws without a browser."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.locale.language import N_, gettext, ngettext
from grader.pictures.view import (
    DIFFERENCE,
    EXPECTED,
    OF,
    YOURS,
    Scale,
    View,
    drawable_parts,
    left_out,
    part_word,
    sampled,
    scale_of,
    scale_of_difference,
)
from grader.values.arrays import Array

Json = dict[str, Any]
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

MOST_ROWS_AND_COLUMNS, MOST_WAVES, MOST_BARS = 128, 8, 32
"""The most rows and columns of a table, waves, and bars. A larger picture shows some, spread evenly."""

TABLE_WIDTH, SMALLEST_CELL, LARGEST_CELL = 260, 3, 28
"""The pixels of a table's width, and of the smallest and the largest cell."""

LARGEST_MATRIX_WITH_NUMBERS = 8
"""A matrix of at most so many rows and columns has its numbers in its cells."""

_DESCRIPTIONS = {
    "heatmap": N_("Heat map of {axes}: {parts}."),
    "matrix": N_("Matrix of {axes}: {parts}."),
    "waves": N_("Waves of {axes}: {parts}."),
    "curve": N_("Curve of {axes}: {parts}."),
    "tokens": N_("Bars of {axes}: {parts}."),
}
"""What a picture shows, by its kind."""


def spec(view: View, of: Sequence[str] = OF, *, names: Mapping[str, str] | None = None, dark: bool = False) -> Json:
    """One picture as a Vega-Lite specification.

    Args:
        of: what is drawn, of `OF`, in this order; what is not known is left out. Lines and bars have no difference,
            unless it is asked for alone.
        names: what the parts are called, by their name in `OF`; as `part_word` does unless given.
        dark: for a dark background.
    """
    of = drawable_parts(view, of)
    called = {part: part_word(part) for part in OF} | dict(names or {})
    match view.kind:
        case "heatmap" | "matrix":
            shown = sampled(view, MOST_ROWS_AND_COLUMNS, MOST_ROWS_AND_COLUMNS)
            drawn: Json = {"hconcat": [_table(shown, part, called[part], dark) for part in of]}
            drawn["resolve"] = {"scale": {"color": "independent"}}
        case "tokens":
            shown = sampled(view, 1, MOST_BARS)
            drawn = {"hconcat": [_bars(shown, part, called[part]) for part in of]}
        case _:
            shown = sampled(view, MOST_WAVES, view.of[1])
            drawn = _lines(shown, of, called)
    title = ", ".join(part for part in (view.arguments, view.place) if part)
    described = describe(view, of, called)
    return {
        "$schema": SCHEMA,
        "description": described,
        "title": {"text": title, "subtitle": left_out(shown), "anchor": "start"},
        **drawn,
        "config": _config(dark),
    }


def together(specs: Sequence[Json], title: str) -> Json:
    """Several pictures as one, one below the other."""
    outside = ("$schema", "config", "title", "description")
    inner = [{name: part for name, part in picture.items() if name not in outside} for picture in specs]
    for picture, whole in zip(inner, specs, strict=True):
        if said := whole["title"]["subtitle"]:
            picture["title"] = {"text": said, "anchor": "start", "fontSize": 11, "fontWeight": "normal"}
    description = " ".join(picture["description"] for picture in specs)
    return {
        "$schema": SCHEMA,
        "description": description,
        "title": {"text": title, "anchor": "start"},
        "vconcat": inner,
        "resolve": {"scale": {"color": "independent", "strokeDash": "independent"}},
        "config": specs[0]["config"],
    }


def describe(view: View, of: Sequence[str], called: Mapping[str, str]) -> str:
    """A sentence for those who do not see the picture."""
    axes = gettext("{down} by {across}").format(down=view.down, across=view.across) if view.down else view.across
    said = gettext(_DESCRIPTIONS[view.kind]).format(axes=axes, parts=", ".join(called[part] for part in of))
    if view.wrong is None or YOURS not in of:
        return said
    wrong, count = view.count
    values = ngettext("{count} value", "{count} values", count).format(count=count)
    judged = ngettext("{wrong} of {values} is wrong.", "{wrong} of {values} are wrong.", wrong)
    return f"{said} {judged.format(wrong=wrong, values=values)}"


def _rows(view: View, part: str, **more: Any) -> list[Json]:
    """The values of one part, one row of data for each. What is not finite has no value, and is said instead."""
    values = view.part(part)
    wrong = np.zeros(view.shape, np.bool_) if view.wrong is None else view.wrong
    return [
        {
            "row": int(view.rows[row]),
            "column": int(view.columns[column]),
            "value": float(f"{value:.6g}") if math.isfinite(value) else None,
            "said": "" if math.isfinite(value) else "NaN" if math.isnan(value) else "inf" if value > 0 else "-inf",
            "wrong": bool(wrong[row, column]) and part != EXPECTED,
            **more,
        }
        for row, line in enumerate(values.tolist())
        for column, value in enumerate(line)
    ]


def _table(view: View, part: str, name: str, dark: bool) -> Json:
    rows, columns = view.shape
    scale = scale_of_difference(view.apart) if part == DIFFERENCE else scale_of(view.due, view.given)
    # Whole pixels leave no gaps.
    across, down = (min(LARGEST_CELL, max(SMALLEST_CELL, TABLE_WIDTH // size)) for size in (columns, rows))
    if view.kind == "matrix":
        across = down = min(across, down)
    ink = "white" if dark else "black"
    some = part != DIFFERENCE or bool(np.isfinite(view.apart).any())  # else there is no cell that has a colour
    cell: Json = {
        "mark": {"type": "rect", "aria": False},
        "encoding": {"color": _colours(scale, name, shown=some), "tooltip": _tooltip(view)},
        "transform": [{"filter": "isValid(datum.value)" + (" && datum.wrong" if part == DIFFERENCE else "")}],
    }
    outline: Json = {
        "mark": {
            "type": "rect",
            "aria": False,
            "filled": False,
            "stroke": ink,
            "strokeWidth": 1.2 if columns < 40 else 0.4,
        },
        "transform": [{"filter": "datum.wrong"}],
    }
    text: Json = {
        "mark": {"type": "text", "aria": False, "fontSize": max(5, min(10, across / 2.5)), "color": ink},
        "encoding": {"text": {"field": "said"}},
        "transform": [{"filter": "datum.said != ''"}],
    }
    numbers: list[Json] = []
    if view.kind == "matrix" and max(rows, columns) <= LARGEST_MATRIX_WITH_NUMBERS:
        across = down = LARGEST_CELL + LARGEST_CELL // 2
        numbers = [_numbers(scale, part)]
    return {
        "title": name,
        "width": across * columns,
        "height": down * rows,
        "data": {"values": _rows(view, part)},
        "encoding": {"x": _place("column", view.across, view.columns), "y": _place("row", view.down, view.rows)},
        "layer": [cell, *numbers, outline, text],
    }


def _numbers(scale: Scale, part: str) -> Json:
    """The numbers of a small matrix, white on what is dark."""
    if scale.diverging:
        dark = f"abs(datum.value) > {0.6 * scale.high:.6g}"
    else:
        dark = f"datum.value < {scale.low / 2 + scale.high / 2:.6g}"
    return {
        "mark": {"type": "text", "aria": False, "fontSize": 10},
        "encoding": {
            "text": {"field": "value", "format": ".2~f" if max(abs(scale.low), abs(scale.high)) < 100 else ".2~g"},
            "color": {"condition": {"test": dark, "value": "white"}, "value": "black"},
        },
        "transform": [{"filter": "isValid(datum.value)" + (" && datum.wrong" if part == DIFFERENCE else "")}],
    }


def _place(field: str, title: str, indices: Array) -> Json:
    axis = {"labelAngle": 0, "labelOverlap": True, "ticks": False, "domain": False}
    # All indices, also where nothing is drawn: a difference has no cell where a value is right.
    return {"field": field, "type": "ordinal", "title": title, "axis": axis, "scale": {"domain": indices.tolist()}}


def _colours(scale: Scale, name: str, *, shown: bool) -> Json:
    """Blue to red with white at zero, or Viridis: both can be told apart with every form of colour blindness."""
    domain = [float(f"{scale.low:.6g}"), float(f"{scale.high:.6g}")]
    inner: Json = {"domain": domain, "clamp": True}
    inner |= {"scheme": "redblue", "reverse": True} if scale.diverging else {"scheme": "viridis"}
    legend = {"title": None, "orient": "bottom", "gradientLength": 120, "format": ".3~g"} if shown else None
    return {"field": "value", "type": "quantitative", "title": name, "scale": inner, "legend": legend}


def _tooltip(view: View) -> list[Json]:
    down = [{"field": "row", "title": view.down}] if view.down else []
    return [*down, {"field": "column", "title": view.across}, {"field": "value", "title": gettext("value")}]


def _lines(view: View, of: Sequence[str], called: Mapping[str, str]) -> Json:
    """Lines of all parts in one frame, told apart by their dashes too; of waves, a frame for each."""
    alone = of == [DIFFERENCE]
    scale = scale_of_difference(view.part(DIFFERENCE)) if alone else scale_of(view.due, view.given)
    order = [called[part] for part in of]
    part: Json = {"field": "of", "type": "nominal", "sort": order, "title": None, "scale": {"domain": order}}
    dashes = {**part, "scale": {"domain": order, "range": [[1, 0], [4, 3], [1, 2]][: len(order)]}}
    y: Json = {"field": "value", "type": "quantitative", "title": None if view.down else gettext("value")}
    y["scale"] = {"domain": [float(f"{scale.low:.6g}"), float(f"{scale.high:.6g}")], "zero": False, "nice": True}
    x: Json = {"field": "column", "type": "quantitative", "title": view.across}
    x["scale"] = {"nice": False, "zero": False, "padding": 5}  # a cross at an end is whole
    x["axis"] = {"format": "d", "tickMinStep": 1}
    bottom = {"datum": float(f"{scale.low:.6g}"), "type": "quantitative"}
    layers: list[Json] = [
        {
            "mark": {"type": "line", "clip": True, "aria": False},
            "encoding": {"x": x, "y": y, "color": part, "strokeDash": dashes, "tooltip": _tooltip(view)},
        },
        {
            "mark": {"type": "point", "shape": "cross", "clip": True, "aria": False, "size": 30},
            "encoding": {"x": x, "y": y, "color": part},
            "transform": [{"filter": "datum.wrong && isValid(datum.value)"}],
        },
        {
            "mark": {"type": "text", "aria": False, "baseline": "bottom"},
            "encoding": {"x": x, "y": bottom, "text": {"field": "said"}, "color": part},
            "transform": [{"filter": "datum.said != ''"}],
        },
    ]
    data = {"values": [row for part in of for row in _rows(view, part, of=called[part])]}
    if not view.down:
        return {"width": 2 * TABLE_WIDTH, "height": 200, "data": data, "layer": layers}
    facet = {"field": "row", "type": "ordinal", "title": view.down}
    return {"data": data, "facet": {"row": facet}, "spec": {"width": 2 * TABLE_WIDTH, "height": 60, "layer": layers}}


def _bars(view: View, part: str, name: str) -> Json:
    scale = scale_of_difference(view.part(part)) if part == DIFFERENCE else scale_of(view.due, view.given)
    domain = [float(f"{min(0.0, scale.low):.6g}"), float(f"{max(0.0, scale.high):.6g}")]
    x: Json = {"field": "value", "type": "quantitative", "title": None, "scale": {"domain": domain}}
    told = {"calculate": "(datum.said || format(datum.value, '.4~g')) + (datum.wrong ? ' ✗' : '')", "as": "told"}
    return {
        "title": name,
        "width": 180,
        "height": {"step": 18},
        "data": {"values": _rows(view, part)},
        "encoding": {"y": _place("column", view.across, view.columns)},
        "layer": [
            {"mark": {"type": "bar", "clip": True, "aria": False}, "encoding": {"x": x, "tooltip": _tooltip(view)}},
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "aria": False},
                "encoding": {"x": {"datum": domain[1], "type": "quantitative"}, "text": {"field": "told"}},
                "transform": [told],
            },
        ],
    }


def _config(dark: bool) -> Json:
    ink, paper = ("#e6e6e6", "#1e1e1e") if dark else ("#222222", "#ffffff")
    text = {"labelColor": ink, "titleColor": ink}
    return {
        "background": paper,
        "view": {"stroke": "#888888"},
        "axis": {**text, "gridColor": "#88888855"},
        "legend": text,
        "header": text,
        "title": {"color": ink, "subtitleColor": ink},
        "text": {"color": ink},
    }


def as_svg(spec: dict[str, Any]) -> bytes:
    """A Vega-Lite specification as SVG."""
    import vl_convert

    return vl_convert.vegalite_to_svg(json.dumps(spec)).encode()


def as_png(spec: dict[str, Any], scale: float = 1.0) -> bytes:
    """A Vega-Lite specification as PNG.

    Args:
        scale: pixels of the image for each pixel of the specification.
    """
    import vl_convert

    return vl_convert.vegalite_to_png(json.dumps(spec), scale=scale)
