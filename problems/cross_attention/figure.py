"""The weights of a decoder over its source, with the right mask and with two wrong ones, as the reference has them."""

import altair as alt
import jax
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, rounded

SEED, T, REAL = 84, 6, 4


def figures(reference):
    # With as many dimensions as keys and one head, the values are a square matrix: the weights follow from the rows.
    keys = jax.random.split(jax.random.key(SEED), 8)
    x = np.asarray(jax.random.normal(keys[1], (T, T)), np.float64)
    Wv, Wo = (np.asarray(jax.random.normal(keys[at], (T, T)), np.float64) / T**0.5 for at in (6, 7))
    values = x @ Wv @ Wo
    masks = [
        np.linalg.solve(values.T, reference(SEED, 1, T, T, T, 1, **made).reshape(T, T).T).T
        for made in ({}, {"mistake": "causal-mask"}, {"mistake": "not-masked"})
    ]
    return [_weights(np.array(masks))]


def _weights(weights):
    ways = gettext("padding hidden"), gettext("a causal mask too"), gettext("nothing hidden")
    way = alt.param("way", value=ways[0], bind=alt.binding_select(options=list(ways), name=gettext("mask") + " "))
    i, j = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=T - 1, step=1, name=f"{label} "))
        for name, value, label in (("i", 1, gettext("query i")), ("j", 3, gettext("key j")))
    )
    which = alt.param("which", expr=f"way == {expression(ways[0])} ? 0 : way == {expression(ways[1])} ? 1 : 2")
    now = alt.param("now", expr="weights[which]")
    said = alt.param(
        "said",
        expr=expression(
            gettext("Query {query} gives key {key} the weight {weight}"),
            query="i",
            key="j",
            weight="format(now[i][j], '.4f')",
        ),
    )
    cells = (
        alt.Chart(alt.sequence(0, T * T, as_="cell"))
        .transform_calculate(
            query=f"floor(datum.cell / {T})", key=f"datum.cell % {T}", weight="now[datum.query][datum.key]"
        )
        .encode(
            x=alt.X("key:O", title=gettext("key j"), axis=alt.Axis(labelAngle=0)),
            y=alt.Y("query:O", title=gettext("query i")),
        )
    )
    shares = cells.mark_rect(aria=False).encode(
        color=alt.Color("weight:Q", title=gettext("weight"), scale=alt.Scale(domain=[0, 1], range="ramp")),
        tooltip=[
            alt.Tooltip("query:O", title=gettext("query")),
            alt.Tooltip("key:O", title=gettext("key")),
            alt.Tooltip("weight:Q", title=gettext("weight"), format=".4f"),
        ],
    )
    hidden = cells.transform_filter("datum.weight == 0").mark_text(text="×", fontSize=14, opacity=0.6, aria=False)
    cursor = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(query="i", key="j")
        .mark_point(style="cursor", size=500, aria=False)
        .encode(x="key:O", y="query:O")
    )
    chart = (
        (shares + hidden + cursor)
        .properties(width="container", height=300)
        .add_params(way, i, j, alt.param("weights", value=rounded(weights)), which, now, said)
    )
    return Figure(
        gettext("What a decoder sees of its source"),
        chart,
        gettext(
            "A row for each query of the target, a column for each key of the source. The source has {real} real "
            "tokens, and the last columns are padding. With the right mask each query sees all real keys. With a "
            "causal mask too, the first query sees one key only. If nothing is hidden, padding gets a share of each row."
        ).format(real=REAL),
        Table(
            gettext("one head; the right mask"),
            [gettext("query"), *(gettext("key {key}").format(key=key) for key in range(T))],
            [[query, *row] for query, row in enumerate(weights[0])],
        ),
        reads="said",
        pick=Pick("pointermove", {"i": "query", "j": "key"}),
    )
