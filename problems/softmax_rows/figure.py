"""The shares of one row by the scale, or by the temperature, which is 1 over the scale."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, choice, fixed, held, listed, numbers, said, slider, tips
from grader.page.figure import Figure, Table, same

N, V, STEP, COUNT = 3, 8, 0.25, 40


def figures(reference):
    z = np.asarray(jax.random.normal(jax.random.key(0), (N, V), dtype=jnp.float32), np.float64)
    scales = STEP * np.arange(1, COUNT + 1)
    shares = np.array([reference(0, N, V, float(scale)).reshape(N, V) for scale in scales])
    # Only differences of logits count: the logarithms of the shares of a row have the same ones.
    same(np.diff(np.log(shares[0])), scales[0] * np.diff(z))
    return [_bars(z, shares)]


def _bars(z, shares):
    message = gettext(
        "Scale {scale}, temperature {temperature}: column {best} has the largest share, {largest}. All other columns "
        "together have {rest}"
    )
    told = {"scale": fixed("scale", 2), "temperature": fixed("1 / scale", 2), "best": "best[row]"}
    largest = {"largest": fixed("now[best[row]]"), "rest": fixed("1 - now[best[row]]")}
    columns = numbers("column", V, z="z[row][datum.column]", share="now[datum.column]").encode(
        x=alt.X("column:O", title=gettext("column"), axis=alt.Axis(labelAngle=0)),
        tooltip=tips(column=gettext("column"), share=gettext("share")),
    )
    before = columns.mark_bar(aria=False).encode(y=alt.Y(**along("z", gettext("number z"), -3, 3)))
    after = columns.mark_bar(aria=False).encode(y=alt.Y(**along("share", gettext("share"), 0, 1)))
    equal = listed({"share": 1 / V}).mark_rule(strokeDash=[4, 4], aria=False).encode(y="share:Q")
    return Figure(
        gettext("Shares by the scale"),
        alt.vconcat(
            before.properties(width="container", height=130),
            (after + equal).properties(width="container", height=180),
        ).add_params(
            slider("scale", gettext("scale"), 1, STEP * COUNT, STEP, STEP),
            choice("row", gettext("row"), range(N)),
            *held(z=z, shares=shares, best=z.argmax(axis=1)),
            alt.param("now", expr=f"shares[round(scale / {STEP}) - 1][row]"),
            said(message, **told, **largest),
        ),
        gettext(
            "Above are the {count} numbers of a row, below their shares. The dashed line is the share that each would "
            "have if all were equal, 1/{count}. At a small scale all shares are near this line. At a large scale nearly "
            "everything goes to the largest number. The shares add up to 1 at every scale, and their order does not change."
        ).format(count=V),
        Table(
            gettext("row {row} of {N}, with V = {V}").format(row=0, N=N, V=V),
            [
                gettext("column"),
                gettext("number z"),
                *(gettext("scale {scale}").format(scale=scale) for scale in (0.25, 1, 4, 10)),
            ],
            [[j, z[0, j], *shares[[0, 3, 15, 39], 0, j]] for j in range(V)],
        ),
        reads="said",
    )
