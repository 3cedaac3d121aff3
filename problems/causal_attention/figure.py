"""Attention weights with and without the mask, as the reference has them."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.page.figure import Figure, Pick, Table, rounded

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
    mask = alt.param("mask", value="with", bind=alt.binding_select(options=["with", "without"], name="mask "))
    i, j = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=T - 1, step=1, name=label))
        for name, value, label in (("i", 3, "query i "), ("j", 1, "key j "))
    )
    now = alt.param("now", expr="weights[mask == 'with' ? 0 : 1]")
    said = alt.param(
        "said",
        expr="'Query ' + i + ' gives key ' + j + ' the weight ' + format(now[i][j], '.4f') + ', and sees ' + "
        f"(mask == 'with' ? i + 1 : {T}) + (mask == 'with' && i == 0 ? ' key' : ' keys')",
    )
    cells = (
        alt.Chart(alt.sequence(0, T * T, as_="cell"))
        .transform_calculate(
            query=f"floor(datum.cell / {T})", key=f"datum.cell % {T}", weight="now[datum.query][datum.key]"
        )
        .encode(x=alt.X("key:O", title="key j", axis=alt.Axis(labelAngle=0)), y=alt.Y("query:O", title="query i"))
    )
    weights = cells.mark_rect(aria=False).encode(
        color=alt.Color("weight:Q", scale=alt.Scale(domain=[0, 1], range="ramp")),
        tooltip=["query:O", "key:O", alt.Tooltip("weight:Q", format=".4f")],
    )
    hidden = cells.transform_filter("datum.weight == 0").mark_text(text="×", fontSize=14, opacity=0.6, aria=False)
    cursor = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(query="i", key="j")
        .mark_point(style="cursor", size=500, aria=False)
        .encode(x="key:O", y="query:O")
    )
    chart = (
        (weights + hidden + cursor)
        .properties(width="container", height=300)
        .add_params(mask, i, j, alt.param("weights", value=rounded(np.array([masked, whole]))), now, said)
    )
    return Figure(
        "Weights with and without the mask",
        chart,
        "A row for each query, a column for each key; each row adds up to 1. With the mask, the upper right triangle "
        "is zero, marked by a cross: query 0 gives all its weight to key 0, and each later query shares it among "
        "one key more. Without the mask every query sees every key, and each weight that it gave before becomes "
        "smaller; only the last query saw all keys already.",
        Table(
            f"{T} positions with the mask; the last column is without it",
            ["query", *(f"key {j}" for j in range(T)), "without mask, key 0"],
            [[i, *masked[i], whole[i, 0]] for i in range(T)],
        ),
        reads="said",
        pick=Pick("pointermove", {"i": "query", "j": "key"}),
    )
