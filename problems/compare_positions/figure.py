"""Two positions side by side: choose them, and read how alike their rows are."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, rounded, same

D_MODEL, T = 64, 64
SIZES = (16, 32, 64, 128, 256)


def figures(reference):
    # The three numbers depend on the distance alone, so those from position 0 serve every pair.
    tables = [[reference(0, size, 0, max(distance, 0)) for distance in range(T)] for size in SIZES]
    for p, q in ((3, 10), (40, 12), (63, 0)):
        same(tables[SIZES.index(D_MODEL)][abs(p - q)], reference(0, D_MODEL, p, q))
    return [_chosen(rounded(np.array(tables)))]


def _chosen(tables):
    at = tables[SIZES.index(D_MODEL)]
    size = alt.param("d_model", value=D_MODEL, bind=alt.binding_select(options=list(SIZES), name="d_model "))
    p, q = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=T - 1, step=1, name=f"{label} "))
        for name, value, label in (("p", 0, gettext("position p")), ("q", 1, gettext("position q")))
    )
    by_size = alt.param("tables", value=tables)
    now = alt.param("now", expr=f"tables[indexof({list(SIZES)}, d_model)]")
    chosen = alt.param("chosen", expr="now[abs(p - q)]")
    said = alt.param(
        "said",
        expr=expression(
            gettext("Positions {p} and {q}: dot product {dot}, cosine {cosine}, distance {distance}"),
            p="p",
            q="q",
            dot="format(chosen[0], '.4f')",
            cosine="format(chosen[1], '.4f')",
            distance="format(chosen[2], '.4f')",
        ),
    )
    cells = (
        alt.Chart(alt.sequence(0, T * T, as_="cell"))
        .transform_calculate(
            row="floor(datum.cell / 64)", column="datum.cell % 64", alike="now[abs(datum.row - datum.column)][1]"
        )
        .mark_rect(aria=False)
        .encode(
            x=alt.X("column:O", title=gettext("position q"), axis=alt.Axis(values=list(range(0, T, 8)), labelAngle=0)),
            y=alt.Y("row:O", title=gettext("position p"), axis=alt.Axis(values=list(range(0, T, 8)))),
            color=alt.Color("alike:Q", title=gettext("cosine"), scale=alt.Scale(domain=[-1, 1], range="diverging")),
            tooltip=[
                alt.Tooltip("row:O", title=gettext("position p")),
                alt.Tooltip("column:O", title=gettext("position q")),
                alt.Tooltip("alike:Q", title=gettext("cosine"), format=".4f"),
            ],
        )
    )
    mark = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(row="p", column="q")
        .mark_point(style="cursor", size=90, aria=False)
        .encode(x="column:O", y="row:O")
    )
    curve = alt.Chart(alt.sequence(0, T, as_="distance")).transform_calculate(dot="now[datum.distance][0]")
    line = curve.mark_line(aria=False).encode(
        x=alt.X(
            "distance:Q",
            title=gettext("how far apart the positions are"),
            scale=alt.Scale(domain=[0, T - 1], nice=False),
        ),
        y=alt.Y("dot:Q", title=gettext("dot product"), scale=alt.Scale(zero=True)),
    )
    here = (
        curve.transform_filter("datum.distance == abs(p - q)")
        .mark_point(style="chosen", size=90, description=gettext("the chosen pair"))
        .encode(x="distance:Q", y="dot:Q")
    )
    chart = alt.vconcat(
        (cells + mark).properties(width="container", height=300),
        (line + here).properties(width="container", height=160),
    ).add_params(size, p, q, by_size, now, chosen, said)
    return Figure(
        gettext("Compare two positions"),
        chart,
        gettext(
            "A cell for every two positions: the stronger the blue, the more alike are their rows. All cells at one "
            "distance from the diagonal look the same, because the three numbers depend on the distance alone. The curve "
            "below is the dot product by distance: it falls from the squared length, d_model / 2, and then swings up "
            "and down on its way. Choose two positions with the sliders, or click a cell."
        ),
        Table(
            f"d_model = {D_MODEL}",
            [gettext("positions"), gettext("dot product"), gettext("cosine"), gettext("distance")],
            [
                [gettext("{first} and {second}").format(first=0, second=q), *at[q]]
                for q in (0, 1, 2, 3, 5, 10, 20, 40, 63)
            ],
        ),
        reads="said",
        pick=Pick("click", {"p": "row", "q": "column"}),
        section="A worked example",
    )
