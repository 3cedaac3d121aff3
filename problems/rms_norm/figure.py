"""A row before and after it is divided by its root mean square: the mean stays away from zero."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import ABOVE, fixed, held, listed, numbers, said, slider, tips
from grader.page.figure import Figure, Table, same

N, D_MODEL = 6, 8


def figures(reference):
    keys = jax.random.split(jax.random.key(0))
    drawn = [jax.random.normal(k, one, jnp.float32) for k, one in zip(keys, ((N, D_MODEL), (D_MODEL,)), strict=True)]
    x, gain = (np.array(one, np.float64) for one in drawn)
    x[1::2] /= 1000
    normalised = reference(0, N, D_MODEL).reshape(N, D_MODEL) / gain
    # Each row is divided by one number, which is positive.
    factors = np.linalg.norm(normalised, axis=1, keepdims=True) / np.linalg.norm(x, axis=1, keepdims=True)
    same(normalised, x * factors)
    return [_bars(np.stack([x, normalised], axis=1))]


def _bars(stages):
    means, squares = stages.mean(axis=-1), (stages**2).mean(axis=-1)
    titles = gettext("before"), gettext("divided by the root mean square")
    panels = []
    for at, (title, scale) in enumerate(zip(titles, (alt.Scale(), alt.Scale(domain=[-3, 3], nice=False)), strict=True)):
        bars = numbers("dim", D_MODEL, value=f"stages[row][{at}][datum.dim]").mark_bar(aria=False)
        bars = bars.encode(
            x=alt.X("dim:O", title=gettext("dimension") if at == 1 else None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(tickCount=4, **ABOVE)),
            tooltip=tips(dim=gettext("dimension"), value=gettext("value")),
        )
        mean = listed(mean=f"means[row][{at}]").mark_rule(strokeDash=[4, 4], aria=False).encode(y="mean:Q")
        panels.append((bars + mean).properties(width="container", height=130))
    message = gettext(
        "Row {row}. Before: mean {mean0}, mean of squares {square0}. Divided by the root mean square: mean {mean1}, mean "
        "of squares {square1}"
    )
    told = {f"mean{at}": fixed(f"means[row][{at}]") for at in (0, 1)}
    told |= {"square0": "format(squares[row][0], '.3~g')", "square1": fixed("squares[row][1]")}
    return Figure(
        gettext("A row keeps its shape"),
        alt.vconcat(*panels).add_params(
            slider("row", gettext("row"), 2, N - 1),
            *held(stages=stages, means=means),
            alt.param("squares", value=[[float(f"{one:.6g}") for one in row] for row in squares]),
            said(message, row="row", **told),
        ),
        gettext(
            "A bar for each dimension of one row; each dashed line is the mean of its bars. All bars of a row are "
            "divided by one number, so their signs and their proportions stay, and so does the side of zero where the "
            "mean is. The rows 1, 3 and 5 are a thousand times smaller. There ε is about as large as the mean of the "
            "squares, which then stays below 1."
        ),
        Table(
            gettext("{count} rows and {setting}").format(count=N, setting=f"d_model = {D_MODEL}"),
            [
                *(gettext("row"), gettext("mean before"), gettext("mean of squares before")),
                *(gettext("mean, divided"), gettext("mean of squares, divided")),
            ],
            [[at, means[at, 0], f"{squares[at, 0]:.3g}", means[at, 1], squares[at, 1]] for at in range(N)],
        ),
        reads="said",
        section="A worked example",
    )
