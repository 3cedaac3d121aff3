"""Attention weights with and without the mask, as the reference has them."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page import chart
from grader.page.figure import Figure, Pick, Table

T = 8


def figures(reference):
    # With as many dimensions as positions, the values are a square matrix, and the weights can be had from the outputs.
    k3 = jax.random.split(jax.random.key(0), 3)[2]
    values = np.asarray(jax.random.normal(k3, (T, T), dtype=jnp.float32), np.float64)
    masked, whole = (
        np.linalg.solve(values.T, reference(0, T, T, **made).reshape(T, T).T).T
        for made in ({}, {"mistake": "sees-the-future"})
    )
    return [_weights(masked, whole)]


def _weights(masked, whole):
    query, key = gettext("query i"), gettext("key j")
    controls = [
        chart.choice("whole", gettext("mask"), [0, 1], labels=[gettext("with the mask"), gettext("without it")]),
        chart.slider("i", query, 3, T - 1),
        chart.slider("j", key, 1, T - 1),
        *chart.held(weights=[masked, whole]),
        chart.said(
            gettext("Query {query} gives key {key} the weight {weight}. Keys seen: {count}"),
            query="i",
            key="j",
            weight=chart.fixed("weights[whole][i][j]"),
            count=f"whole ? {T} : i + 1",
        ),
    ]
    cells = chart.matrix(T, T, query, key, weight="weights[whole][datum.row][datum.column]")
    shares = cells.mark_rect(aria=False).encode(
        color=alt.Color("weight:Q", title=gettext("weight"), scale=alt.Scale(domain=[0, 1], range="ramp")),
        tooltip=chart.tips(row=gettext("query"), column=gettext("key"), weight=gettext("weight")),
    )
    hidden = cells.transform_filter("datum.weight == 0").mark_text(text="×", fontSize=14, opacity=0.6, aria=False)
    drawn = shares + hidden + chart.cursor("i", "j", 500)
    return Figure(
        gettext("Weights with and without the mask"),
        drawn.properties(width="container", height=300).add_params(*controls),
        gettext(
            "A row for each query, a column for each key; each row adds up to 1. With the mask, the upper right triangle "
            "is zero, marked by a cross: query 0 gives all its weight to key 0, and each later query shares it among "
            "one key more. Without the mask every query sees every key, and each weight that it gave before becomes "
            "smaller; only the last query saw all keys already."
        ),
        Table(
            gettext("{count} positions with the mask; the last column is without it").format(count=T),
            [
                gettext("query"),
                *(gettext("key {key}").format(key=j) for j in range(T)),
                gettext("without mask, key {key}").format(key=0),
            ],
            [[i, *masked[i], whole[i, 0]] for i in range(T)],
        ),
        reads="said",
        pick=Pick("pointermove", {"i": "row", "j": "column"}),
    )
