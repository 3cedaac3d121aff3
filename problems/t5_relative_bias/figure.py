"""The bias as a matrix: bands along the diagonal, one for each bucket, wider further out."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, rounded, same

T, H = 32, 2
BUCKETS, DISTANCES = (4, 8, 16, 32), (12, 20, 128)


def figures(reference):
    # The bias depends on key minus query alone: for each, what the matrix has in its first row or column.
    by_distance = np.array([[_by_distance(reference(0, T, H, n, m)) for m in DISTANCES] for n in BUCKETS])
    return [_matrix(by_distance, rounded(by_distance))]


def _by_distance(bias):
    """The bias of each head for every `key - query` from `-(T - 1)` to `T - 1`, of shape (H, 2 * T - 1)."""
    bias = bias.reshape(H, T, T)
    found = np.concatenate([bias[:, :0:-1, 0], bias[:, 0, :]], axis=1)
    i, j = np.arange(T)[:, None], np.arange(T)
    same(found[:, j - i + T - 1], bias)
    return found


def _matrix(by_distance, values):
    head = alt.param("head", value=0, bind=alt.binding_range(min=0, max=H - 1, step=1, name=gettext("head") + " "))
    buckets = alt.param("buckets", value=8, bind=alt.binding_select(options=list(BUCKETS), name="num_buckets "))
    most = alt.param("most", value=20, bind=alt.binding_select(options=list(DISTANCES), name="max_distance "))
    i, j = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=T - 1, step=1, name=f"{label} "))
        for name, value, label in (("i", 20, gettext("query i")), ("j", 12, gettext("key j")))
    )
    now = alt.param("now", expr=f"bias[indexof({list(BUCKETS)}, buckets)][indexof({list(DISTANCES)}, most)][head]")
    said = alt.param(
        "said",
        expr=expression(
            gettext("Query {query}, key {key}, distance {distance}: {bias}"),
            query="i",
            key="j",
            distance="format(j - i, 'd')",
            bias=f"format(now[j - i + {T - 1}], '.4f')",
        ),
    )
    ticks = alt.Axis(values=list(range(0, T, 4)), labelAngle=0)
    cells = (
        alt.Chart(alt.sequence(0, T * T, as_="cell"))
        .transform_calculate(
            query=f"floor(datum.cell / {T})",
            key=f"datum.cell % {T}",
            bias=f"now[datum.key - datum.query + {T - 1}]",
        )
        .mark_rect(aria=False)
        .encode(
            x=alt.X("key:O", title=gettext("key j"), axis=ticks),
            y=alt.Y("query:O", title=gettext("query i"), axis=ticks),
            color=alt.Color(
                "bias:Q", title=gettext("bias"), scale=alt.Scale(domain=[-2.5, 2.5], range="diverging", clamp=True)
            ),
            tooltip=[
                alt.Tooltip("query:O", title=gettext("query")),
                alt.Tooltip("key:O", title=gettext("key")),
                alt.Tooltip("bias:Q", title=gettext("bias"), format=".4f"),
            ],
        )
    )
    cursor = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(query="i", key="j")
        .mark_point(style="cursor", size=120, aria=False)
        .encode(x="key:O", y="query:O")
    )
    chart = (
        (cells + cursor)
        .properties(width="container", height=320)
        .add_params(head, buckets, most, i, j, alt.param("bias", value=values), now, said)
    )
    shown = by_distance[BUCKETS.index(8), DISTANCES.index(20), 0]
    return Figure(
        gettext("Bands of one bias"),
        chart,
        gettext(
            "A row for each query, a column for each key. Cells with the same key minus query have the same "
            "colour. Near the diagonal each distance has a bucket of its own; further out a bucket holds many distances, "
            "so the bands grow wider, and from max_distance on there is one band on each side. Keys before and after "
            "the query have buckets of their own."
        ),
        Table(
            gettext("head = 0, num_buckets = 8 and max_distance = 20"),
            [gettext("key minus query"), gettext("bias")],
            [[distance, shown[distance + T - 1]] for distance in (-31, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20, 31)],
        ),
        reads="said",
        pick=Pick("pointermove", {"i": "query", "j": "key"}),
        section="A worked example",
    )
