"""Which keys and values a step computes, with a cache and without one."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, held, matrix, numbers, said, slider
from grader.page.figure import Figure, Pick, Table

T = 12


def figures(reference):
    steps = np.arange(1, T + 1)
    return [_work(np.array([steps, np.cumsum(steps)]))]


def _work(counts):
    kinds = gettext("new"), gettext("kept in the cache, or computed again")
    ways = gettext("with a cache"), gettext("without one")
    message = gettext(
        "Token {t} sees {seen} slots. One key and one value are new, and {old} of each are older. All tokens so far: {with} "
        "keys computed with a cache, {without} without one"
    )
    told = {"t": "t", "seen": "t + 1", "old": "t", "with": "counts[0][t]", "without": "counts[1][t]"}
    cells = matrix(T, T, gettext("token t"), gettext("slot"), kind="kinds[datum.column == datum.row ? 0 : 1]")
    cells = cells.transform_filter("datum.column <= datum.row").transform_calculate(now="datum.row == t ? 1 : 0.35")
    work = cells.mark_rect(stroke="transparent", strokeWidth=2, aria=False).encode(
        color=alt.Color("kind:N", title=None, sort=list(kinds), legend=alt.Legend(columns=1, labelLimit=250)),
        opacity=alt.Opacity("now:Q", scale=None),
    )
    lines = numbers("cell", 2 * T, token=f"datum.cell % {T}", way=f"ways[floor(datum.cell / {T})]")
    lines = lines.transform_calculate(count=f"counts[floor(datum.cell / {T})][datum.token]").encode(
        x=alt.X(**along("token", gettext("token t"), 0, T - 1, tickMinStep=1)),
        y=alt.Y(**along("count", gettext("keys computed so far"), 0, int(counts.max()))),
    )
    curves = lines.mark_line(aria=False).encode(strokeDash=alt.StrokeDash("way:N", title=None, sort=list(ways)))
    here = lines.transform_filter("datum.token == t").mark_point(
        style="chosen", size=90, description=gettext("the chosen token")
    )
    return Figure(
        gettext("What would be computed again"),
        alt.vconcat(
            work.properties(width="container", height=260), (curves + here).properties(width="container", height=140)
        )
        .resolve_legend(color="independent", strokeDash="independent")
        .add_params(
            slider("t", gettext("token t"), 7, T - 1),
            *(alt.param(name, value=list(words)) for name, words in (("kinds", kinds), ("ways", ways))),
            *held(counts=counts),
            said(message, **told),
        ),
        gettext(
            "A row for each token, a column for each slot that it sees. Each row has one new slot, at its end. All slots "
            "before it hold keys and values of earlier tokens. A cache keeps them. Without a cache every row is computed "
            "from the beginning, so the work grows with the square of the number of tokens, as the curve below shows."
        ),
        Table(
            gettext("keys computed up to a token, in one layer"),
            [gettext("token t"), *ways],
            [[t, *counts[:, t].tolist()] for t in (0, 1, 2, 3, 5, 7, 9, 11)],
        ),
        reads="said",
        pick=Pick("click", {"t": "row"}),
    )
