"""The bias of every head as a matrix."""

import altair as alt

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, rounded

H, T = 8, 16


def figures(reference):
    bias = reference(0, H, T).reshape(H, T, T)
    return [_matrix(bias, rounded(bias))]


def _matrix(bias, values):
    head, i, j = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=most, step=1, name=f"{label} "))
        for name, value, most, label in (
            ("head", 2, H - 1, gettext("head")),
            ("i", 9, T - 1, gettext("query i")),
            ("j", 4, T - 1, gettext("key j")),
        )
    )
    at = {"head": "head", "query": "i", "key": "j"}
    hidden = expression(gettext("Head {head}, query {query}, key {key}: hidden"), **at)
    seen = expression(
        gettext("Head {head}, query {query}, key {key}: {bias}"), **at, bias="format(bias[head][i][j], '.4f')"
    )
    said = alt.param("said", expr=f"j > i ? {hidden} : {seen}")
    cells = (
        alt.Chart(alt.sequence(0, T * T, as_="cell"))
        .transform_calculate(
            query=f"floor(datum.cell / {T})", key=f"datum.cell % {T}", bias="bias[head][datum.query][datum.key]"
        )
        .encode(
            x=alt.X("key:O", title=gettext("key j"), axis=alt.Axis(labelAngle=0)),
            y=alt.Y("query:O", title=gettext("query i")),
        )
    )
    biases = (
        cells.transform_filter("isNumber(datum.bias)")
        .mark_rect(aria=False)
        .encode(
            color=alt.Color(
                "bias:Q",
                title=gettext("bias"),
                scale=alt.Scale(type="sqrt", domain=[-8, 0], range="ramp", reverse=True, clamp=True),
            ),
            tooltip=[
                alt.Tooltip("query:O", title=gettext("query")),
                alt.Tooltip("key:O", title=gettext("key")),
                alt.Tooltip("bias:Q", title=gettext("bias"), format=".4f"),
            ],
        )
    )
    crosses = cells.transform_filter("!isNumber(datum.bias)").mark_text(text="×", fontSize=14, opacity=0.6, aria=False)
    cursor = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(query="i", key="j")
        .mark_point(style="cursor", size=260, aria=False)
        .encode(x="key:O", y="query:O")
    )
    chart = (
        (biases + crosses + cursor)
        .properties(width="container", height=320)
        .add_params(head, i, j, alt.param("bias", value=values), said)
    )
    return Figure(
        gettext("A bias for every head"),
        chart,
        gettext(
            "A row for each query, a column for each key. Keys after the query are hidden, marked by a cross. On the "
            "diagonal the bias is zero, and it falls by the same step with every position further back. Head 0 has the "
            "steepest slope, one half; each later head looks further back."
        ),
        Table(
            gettext("{count} heads").format(count=H),
            [gettext("head"), gettext("slope"), *(gettext("{away} back").format(away=away) for away in (1, 2, 5, 10))],
            [[head, -bias[head, 1, 0], *(bias[head, 10, 10 - away] for away in (1, 2, 5, 10))] for head in range(H)],
        ),
        reads="said",
        pick=Pick("pointermove", {"i": "query", "j": "key"}),
        section="A worked example",
    )
