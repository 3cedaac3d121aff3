"""Two positions moved together: the hands of a query and a key turn, and their score stays."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, rounded, same

T, D_HEAD, MOST = 8, 2, 24


def figures(reference):
    scores = np.array([reference(0, T, D_HEAD, offset).reshape(T, T) for offset in range(MOST + 1)])
    # Of one pair, a vector is a hand of a clock: the score follows from the lengths of two hands and the angle between.
    hands = [
        np.asarray(jax.random.normal(key, (T, D_HEAD), dtype=jnp.float32))
        for key in jax.random.split(jax.random.key(0))
    ]
    angles = [np.arctan2(hand[:, 1], hand[:, 0]) + np.arange(T) for hand in hands]
    lengths = [np.hypot(hand[:, 0], hand[:, 1]) for hand in hands]
    between = angles[0][:, None] - angles[1]
    same(np.outer(*lengths) * np.cos(between) / D_HEAD**0.5, scores[MOST])
    return [_moved(scores, *map(rounded, angles))]


def _moved(scores, queries, keys):
    offset, i, j = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=most, step=1, name=f"{label} "))
        for name, value, most, label in (
            ("offset", 0, MOST, gettext("offset of both")),
            ("i", 5, T - 1, gettext("query i")),
            ("j", 3, T - 1, gettext("key j")),
        )
    )
    by_offset = alt.param("scores", value=rounded(scores))
    said = alt.param(
        "said",
        expr=expression(
            gettext("Query at position {query}, key at position {key}, distance {distance}: score {score}"),
            query="i + offset",
            key="j + offset",
            distance="format(i - j, 'd')",
            score="format(scores[offset][i][j], '.4f')",
        ),
    )
    cells = (
        alt.Chart(alt.sequence(0, T * T, as_="cell"))
        .transform_calculate(
            query=f"floor(datum.cell / {T})", key=f"datum.cell % {T}", score="scores[offset][datum.query][datum.key]"
        )
        .mark_rect(aria=False)
        .encode(
            x=alt.X("key:O", title=gettext("key j"), axis=alt.Axis(labelAngle=0)),
            y=alt.Y("query:O", title=gettext("query i")),
            color=alt.Color(
                "score:Q", title=gettext("score"), scale=alt.Scale(domain=[-3, 3], range="diverging", clamp=True)
            ),
            tooltip=[
                alt.Tooltip("query:O", title=gettext("query")),
                alt.Tooltip("key:O", title=gettext("key")),
                alt.Tooltip("score:Q", title=gettext("score"), format=".4f"),
            ],
        )
    )
    chosen = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(query="i", key="j")
        .mark_point(style="cursor", size=500, aria=False)
        .encode(x="key:O", y="query:O")
    )
    angles = alt.param("angles", value=[queries, keys])
    scale = alt.Scale(domain=[-1.35, 1.35], nice=False)
    named = [{"of": "query", "hand": gettext("query")}, {"of": "key", "hand": gettext("key")}]
    hands = alt.Chart(alt.Data(values=named)).transform_calculate(
        turned="datum.of == 'query' ? angles[0][i] + offset : angles[1][j] + offset",
        x="cos(datum.turned)",
        y="sin(datum.turned)",
        zero="0",
    )
    hidden = alt.Axis(labels=False, ticks=False)
    lines = hands.mark_rule(strokeWidth=3, aria=False).encode(
        x=alt.X("zero:Q", title=gettext("their one pair"), scale=scale, axis=hidden),
        x2="x:Q",
        y=alt.Y("zero:Q", title=None, scale=scale, axis=hidden),
        y2="y:Q",
        color=alt.Color("hand:N", scale=alt.Scale(range="category"), legend=None),
    )
    ends = hands.mark_point(size=120, filled=True).encode(
        x="x:Q",
        y="y:Q",
        color=alt.Color("hand:N", title=gettext("hand")),
        shape=alt.Shape("hand:N", title=gettext("hand"), legend=None),
    )
    names = hands.mark_text(fontSize=13, dy=-14, aria=False).encode(x="x:Q", y="y:Q", text="hand:N")
    chart = alt.vconcat(
        (cells + chosen).properties(width="container", height=240),
        (lines + ends + names).properties(width=200, height=200),
    ).add_params(offset, i, j, by_offset, angles, said)
    return Figure(
        gettext("Move both positions"),
        chart,
        gettext(
            "The cell in row i and column j shows the score of query i and key j. Move both by the same offset: the hands "
            "of their one pair turn, the angle between them stays, and so does every score. Choose a query and a "
            "key with the sliders, or click a cell."
        ),
        Table(
            gettext("{count} positions and {setting}").format(count=T, setting=f"d_head = {D_HEAD}"),
            [
                gettext("query and key"),
                *(gettext("offset {offset}").format(offset=offset) for offset in (0, 1, 10, MOST)),
            ],
            [
                [gettext("{first} and {second}").format(first=i, second=j), *scores[[0, 1, 10, MOST], i, j]]
                for i, j in ((0, 0), (5, 3), (3, 5), (7, 0))
            ],
        ),
        reads="said",
        pick=Pick("click", {"i": "query", "j": "key"}),
    )
