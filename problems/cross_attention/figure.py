"""The weights of a decoder over its source, with the right mask and with two wrong ones, as the reference has them."""

import altair as alt
import jax
import numpy as np

from grader.locale.language import gettext
from grader.page import chart
from grader.page.figure import Figure, Pick, Table

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
    query, key = gettext("query i"), gettext("key j")
    ways = [gettext("padding hidden"), gettext("a causal mask too"), gettext("nothing hidden")]
    controls = [
        chart.choice("way", gettext("mask"), [0, 1, 2], labels=ways),
        chart.slider("i", query, 1, T - 1),
        chart.slider("j", key, 3, T - 1),
        *chart.held(weights=weights),
        chart.said(
            gettext("Query {query} gives key {key} the weight {weight}"),
            query="i",
            key="j",
            weight=chart.fixed("weights[way][i][j]"),
        ),
    ]
    cells = chart.matrix(T, T, query, key, weight="weights[way][datum.row][datum.column]")
    shares = cells.mark_rect(aria=False).encode(
        color=alt.Color("weight:Q", title=gettext("weight"), scale=alt.Scale(domain=[0, 1], range="ramp")),
        tooltip=chart.tips(row=gettext("query"), column=gettext("key"), weight=gettext("weight")),
    )
    hidden = cells.transform_filter("datum.weight == 0").mark_text(text="×", fontSize=14, opacity=0.6, aria=False)
    drawn = shares + hidden + chart.cursor("i", "j", 500)
    return Figure(
        gettext("What a decoder sees of its source"),
        drawn.properties(width="container", height=300).add_params(*controls),
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
        pick=Pick("pointermove", {"i": "row", "j": "column"}),
    )
