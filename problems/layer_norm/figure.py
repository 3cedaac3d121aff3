"""A row before the layer, after it has been normalised, and with gain and bias."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import ABOVE, fixed, held, listed, numbers, said, slider, tips
from grader.page.figure import Figure, Table, same

N, D_MODEL = 6, 12


def figures(reference):
    keys = jax.random.split(jax.random.key(0), 3)
    shapes = (N, D_MODEL), (D_MODEL,), (D_MODEL,)
    drawn = (jax.random.normal(key, shape, dtype=jnp.float32) for key, shape in zip(keys, shapes, strict=True))
    x, gain, bias = (np.array(one, np.float64) for one in drawn)
    x[1::2] /= 1000
    out = reference(0, N, D_MODEL).reshape(N, D_MODEL)
    # What stands between the row and the result follows from the result, because the gain and the bias are known.
    normalised = (out - bias) / gain
    same(normalised.mean(axis=1), np.zeros(N))
    return [_bars(np.stack([x, normalised, out], axis=1))]


def _bars(stages):
    means, spreads = stages.mean(axis=-1), stages.std(axis=-1)
    titles = gettext("before"), gettext("normalised"), gettext("with gain and bias")
    panels = []
    for at, (title, most) in enumerate(zip(titles, (None, 3, 5), strict=True)):
        scale = alt.Scale() if most is None else alt.Scale(domain=[-most, most], nice=False)
        bars = numbers("dim", D_MODEL, value=f"stages[row][{at}][datum.dim]").mark_bar(aria=False)
        bars = bars.encode(
            x=alt.X("dim:O", title=gettext("dimension") if at == 2 else None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(tickCount=3, **ABOVE)),
            tooltip=tips(dim=gettext("dimension"), value=gettext("value")),
        )
        mean = listed(mean=f"means[row][{at}]").mark_rule(strokeDash=[4, 4], aria=False).encode(y="mean:Q")
        panels.append((bars + mean).properties(width="container", height=110))
    message = gettext(
        "Row {row}. Before: mean {mean0}, standard deviation {spread0}. Normalised: mean {mean1}, standard deviation "
        "{spread1}"
    )
    told = {f"{name}{at}": fixed(f"{name}s[row][{at}]") for name in ("mean", "spread") for at in (0, 1)}
    return Figure(
        gettext("One row, before and after"),
        alt.vconcat(*panels).add_params(
            slider("row", gettext("row"), 0, N - 1),
            *held(stages=stages, means=means, spreads=spreads),
            said(message, row="row", **told),
        ),
        gettext(
            "A bar for each dimension of one row; each dashed line is the mean of its bars. The rows 0, 2 and 4 have a "
            "standard deviation near 1, and of 1.0000 after they are normalised. The rows 1, 3 and 5 are a thousand "
            "times smaller. Their variance is smaller than the constant ε, so they stay small. Gain and bias then stretch "
            "and move each dimension, in the same way in all rows."
        ),
        Table(
            gettext("{count} rows and {setting}").format(count=N, setting=f"d_model = {D_MODEL}"),
            [
                *(gettext("row"), gettext("mean before"), gettext("standard deviation before")),
                *(gettext("mean, normalised"), gettext("standard deviation, normalised")),
            ],
            [[at, means[at, 0], spreads[at, 0], means[at, 1], spreads[at, 1]] for at in range(N)],
        ),
        reads="said",
        section="A worked example",
    )
