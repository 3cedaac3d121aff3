"""Waves by dimension, and the whole table with a cursor. The formula is proven equal to the reference."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, on, proven

T = 64
CELL = "sin(position / pow(base, 2 * floor(dim / 2) / d_model) + (dim % 2) * PI / 2)"
ON_FIELDS = on(CELL, position="datum.position", dim="datum.dim")


PERIOD = "2 * PI * pow(base, 2 * floor(dim / 2) / d_model)"
SHIFTED = on(CELL, position=f"(position + {PERIOD})")


def figures(reference):
    position, dim = np.arange(T)[:, None], np.arange
    for d_model, base in ((2, 10000.0), (6, 10000.0), (64, 10000.0), (20, 1000.0), (16, 1000000.0)):
        # For the reference, another base is a mistake.
        due = reference(0, T, d_model, mistake="" if base == 10000.0 else f"10000.0 -> {base}")
        for formula in (CELL, SHIFTED):  # one round later the value is the same
            proven(formula, due, position=position, dim=dim(d_model), d_model=d_model, base=base)
    return [_waves(reference), _table(reference)]


def _sizes():
    size = alt.param("d_model", value=16, bind=alt.binding_range(min=2, max=64, step=2, name="d_model "))
    power = alt.param(
        "power", value=4, bind=alt.binding_range(min=1, max=6, step=0.5, name=gettext("base = 10 to the power") + " ")
    )
    return size, power, alt.param("base", expr="pow(10, power)"), alt.param("last", expr="d_model - 1")


def _shown():
    """What the tables are for."""
    return gettext("d_model = 16 and base = 10000")


SIZES = {"d_model": "d_model", "base": "format(base, '.7~g')"}


def _waves(reference):
    first, count = (
        alt.param(name, value=value, bind=alt.binding_range(min=low, max=high, step=1, name=f"{label} "))
        for name, value, low, high, label in (
            ("first", 0, 0, 63, gettext("first dimension shown")),
            ("count", 6, 1, 10, gettext("how many")),
        )
    )
    end = alt.param("end", expr="min(first + count - 1, last)")
    rounds = [f"format({on(PERIOD, dim=dim)}, ',.1f')" for dim in ("first", "end")]
    shown = {**SIZES, "first": "first", "positions": rounds[0]}
    one = expression(
        gettext("Dimension {first} of {d_model}, base {base}. One round takes {positions} positions"), **shown
    )
    many = expression(
        gettext(
            "Dimensions {first} to {last} of {d_model}, base {base}. One round takes {positions} positions in dimension "
            "{first}, and {most} in dimension {last}"
        ),
        **shown,
        last="end",
        most=rounds[1],
    )
    said = alt.param("said", expr=f"first == end ? {one} : {many}")
    sine, cosine = gettext("sine"), gettext("cosine")
    # Both scales know every wave that there can be: a wave looks the same whichever others are shown.
    pairs = alt.Legend(values=alt.ExprRef("sequence(floor(first / 2), floor(end / 2) + 1)"))
    chart = (
        alt.Chart(alt.sequence(0, 64, as_="dim"))
        .transform_filter("datum.dim >= first && datum.dim <= end")
        .transform_calculate(
            step="sequence(0, 63.26, 0.25)",
            wave=f"datum.dim % 2 ? {expression(cosine)} : {expression(sine)}",
            pair="floor(datum.dim / 2)",
        )
        .transform_flatten(["step"], as_=["position"])
        .transform_calculate(value=ON_FIELDS)
        .mark_line(aria=False)
        .encode(
            x=alt.X("position:Q", title=gettext("position"), scale=alt.Scale(domain=[0, T - 1], nice=False)),
            y=alt.Y("value:Q", title=gettext("value"), scale=alt.Scale(domain=[-1, 1])),
            color=alt.Color(
                "pair:N",
                title=gettext("pair"),
                scale=alt.Scale(domain=list(range(32)), range="category"),
                legend=pairs,
            ),
            detail="dim:N",
            strokeDash=alt.StrokeDash(
                "wave:N", title=gettext("wave"), scale=alt.Scale(domain=[sine, cosine], range=[[1, 0], [4, 2]])
            ),
            tooltip=[alt.Tooltip("dim:O", title=gettext("dimension")), alt.Tooltip("wave:N", title=gettext("wave"))],
        )
        .properties(width="container", height=240)
        .add_params(*_sizes(), first, count, end, said)
    )
    table = reference(0, 4, 16).reshape(4, 16)
    return Figure(
        gettext("Waves by dimension"),
        chart,
        gettext(
            "One wave for each dimension, a colour for each pair: the sine solid, the cosine dashed. Dimensions 0 and 1 "
            "go round once in 6.28 positions, each later pair more slowly. A larger base slows the late pairs more, and "
            "a larger d_model puts more pairs between the fastest and the slowest."
        ),
        Table(
            _shown(),
            [gettext("position"), *(gettext("dim {dim}").format(dim=dim) for dim in range(6))],
            [[p, *row[:6]] for p, row in enumerate(table)],
        ),
        reads="said",
        ends={"first": "last"},
    )


def _table(reference):
    at_position, at_dim = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=63, step=1, name=f"{label} "))
        for name, value, label in (
            ("at_position", 3, gettext("cursor: position")),
            ("at_dim", 2, gettext("cursor: dimension")),
        )
    )
    said = alt.param(
        "said",
        expr=expression(
            gettext("Position {position}, dimension {dim} of {d_model}, base {base}: {value}"),
            **SIZES,
            position="at_position",
            dim="at_dim",
            value=f"format({on(CELL, position='at_position', dim='at_dim')}, '.4f')",
        ),
    )
    cells = (
        alt.Chart(alt.sequence(0, T * 64, as_="cell"))
        .transform_calculate(position="floor(datum.cell / 64)", dim="datum.cell % 64")
        .transform_filter("datum.dim < d_model")
        .transform_calculate(value=ON_FIELDS)
        .mark_rect(aria=False)
        .encode(
            x=alt.X("dim:O", title=gettext("dimension"), axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            y=alt.Y("position:O", title=gettext("position"), axis=alt.Axis(values=list(range(0, T, 8)))),
            color=alt.Color("value:Q", title=gettext("value"), scale=alt.Scale(domain=[-1, 1], range="diverging")),
        )
    )
    cursor = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(position="at_position", dim="at_dim")
        .mark_point(style="cursor", size=90, aria=False)
        .encode(x="dim:O", y="position:O")
    )
    chart = (cells + cursor).properties(width="container", height=340).add_params(*_sizes(), at_position, at_dim, said)
    table = reference(0, T, 16).reshape(T, 16)
    return Figure(
        gettext("The whole table"),
        chart,
        gettext(
            "A row for each position, a column for each dimension, blue above zero and orange below. The first two "
            "columns change most from row to row, and each later pair changes more slowly. Move the cursor with the "
            "sliders or the pointer, and read the value."
        ),
        Table(
            _shown(),
            [gettext("position"), *(gettext("dim {dim}").format(dim=dim) for dim in (0, 1, 2, 3, 14, 15))],
            [[p, *table[p][[0, 1, 2, 3, 14, 15]]] for p in (0, 1, 2, 3, 8, 16, 32, 63)],
        ),
        reads="said",
        pick=Pick("pointermove", {"at_position": "position", "at_dim": "dim"}),
        ends={"at_dim": "last"},
        section="A worked example",
    )
