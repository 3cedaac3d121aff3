"""Two positions moved together: the hands of a query and a key turn, and their score stays."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.page.figure import Figure, Pick, Table, rounded, same

T, D_HEAD, MOST = 8, 8, 24


def figures(reference):
    scores = np.array([reference(0, T, D_HEAD, offset).reshape(T, T) for offset in range(MOST + 1)])
    # The angles that the hands show: those of the vectors that the stub draws, turned, give these scores.
    k1, k2 = jax.random.split(jax.random.key(0))
    q, k = (np.asarray(jax.random.normal(one, (T, D_HEAD), dtype=jnp.float32), np.float64) for one in (k1, k2))
    omega = 10000.0 ** (-2 * np.arange(D_HEAD // 2) / D_HEAD)
    queries, keys = (_pairs(one) for one in (q, k))
    for offset in (0, 5, MOST):
        turn = np.exp(1j * (offset + np.arange(T))[:, None] * omega)
        same(((queries * turn) @ np.conj(keys * turn).T).real / np.sqrt(D_HEAD), scores[offset])
    angles = [rounded(np.angle(one[:, 0])) for one in (queries, keys)]
    return [_moved(scores, *angles)]


def _pairs(vectors):
    return vectors[:, 0::2] + 1j * vectors[:, 1::2]


def _moved(scores, queries, keys):
    offset, i, j = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=most, step=1, name=label))
        for name, value, most, label in (
            ("offset", 0, MOST, "both moved by offset "),
            ("i", 5, T - 1, "query i "),
            ("j", 3, T - 1, "key j "),
        )
    )
    by_offset = alt.param("scores", value=rounded(scores))
    said = alt.param(
        "said",
        expr="'Query at position ' + (i + offset) + ', key at position ' + (j + offset) + ', distance ' + "
        "format(i - j, 'd') + ': score ' + format(scores[offset][i][j], '.4f')",
    )
    cells = (
        alt.Chart(alt.sequence(0, T * T, as_="cell"))
        .transform_calculate(
            query=f"floor(datum.cell / {T})", key=f"datum.cell % {T}", score="scores[offset][datum.query][datum.key]"
        )
        .mark_rect(aria=False)
        .encode(
            x=alt.X("key:O", title="key j", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("query:O", title="query i"),
            color=alt.Color("score:Q", scale=alt.Scale(domain=[-3, 3], range="diverging", clamp=True)),
            tooltip=["query:O", "key:O", alt.Tooltip("score:Q", format=".4f")],
        )
    )
    chosen = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(query="i", key="j")
        .mark_point(shape="square", size=500, strokeWidth=3, filled=False, color="#d00000", aria=False)
        .encode(x="key:O", y="query:O")
    )
    angles = alt.param("angles", value=[queries, keys])
    scale = alt.Scale(domain=[-1.35, 1.35], nice=False)
    hands = alt.Chart(alt.Data(values=[{"hand": "query"}, {"hand": "key"}])).transform_calculate(
        turned="datum.hand == 'query' ? angles[0][i] + i + offset : angles[1][j] + j + offset",
        x="cos(datum.turned)",
        y="sin(datum.turned)",
        zero="0",
    )
    hidden = alt.Axis(labels=False, ticks=False)
    lines = hands.mark_rule(strokeWidth=3, aria=False).encode(
        x=alt.X("zero:Q", title="pair 0", scale=scale, axis=hidden),
        x2="x:Q",
        y=alt.Y("zero:Q", title=None, scale=scale, axis=hidden),
        y2="y:Q",
        color=alt.Color("hand:N", scale=alt.Scale(range="category"), legend=None),
    )
    ends = hands.mark_point(size=120, filled=True).encode(
        x="x:Q", y="y:Q", color="hand:N", shape=alt.Shape("hand:N", legend=None)
    )
    names = hands.mark_text(fontSize=13, dy=-14, aria=False).encode(x="x:Q", y="y:Q", text="hand:N")
    chart = alt.vconcat(
        (cells + chosen).properties(width="container", height=240),
        (lines + ends + names).properties(width=200, height=200),
    ).add_params(offset, i, j, by_offset, angles, said)
    return Figure(
        "Move both positions",
        chart,
        "The square of query i and key j is their score. Move both by the same offset: the hands of their first pair "
        "turn, the angle between them stays, and so does every score. Another query or key is another distance, and "
        "so another score.",
        Table(
            ["query and key", *(f"offset {offset}" for offset in (0, 1, 10, MOST))],
            [[f"{i} and {j}", *scores[[0, 1, 10, MOST], i, j]] for i, j in ((0, 0), (5, 3), (3, 5), (7, 0))],
        ),
        reads="said",
        pick=Pick("click", {"i": "query", "j": "key"}),
    )
