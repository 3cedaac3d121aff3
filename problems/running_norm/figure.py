"""The mean of every batch beside the running mean, by momentum."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, choice, fixed, held, listed, numbers, said, slider, tips
from grader.page.figure import Figure, Table, same

STEPS, N, MEAN, MOMENTA = 40, 4, 2, (0.0, 0.5, 0.9, 0.99)


def figures(reference):
    drawn = jax.random.normal(jax.random.key(0), (STEPS + 1, N, 1), dtype=jnp.float32)
    batches = 3 * np.asarray(drawn, np.float64)[..., 0] + MEAN
    means, variances = batches[:STEPS].mean(axis=1), batches[:STEPS].var(axis=1)
    # A batch counts less with each one after it, and so does the start, which is 0 for the mean and 1 for the variance.
    ages = np.arange(STEPS)[:, None] - np.arange(STEPS)
    running = []
    for momentum in MOMENTA:
        shares = np.where(ages >= 0, (1 - momentum) * momentum ** np.maximum(ages, 0.0), 0.0)
        running.append([shares @ means, shares @ variances + momentum ** np.arange(1.0, STEPS + 1)])
    for at in (1, 2):
        mean, variance = (one[-1] for one in running[at])
        same((batches[-1] - mean) / np.sqrt(variance + 1e-5), reference(0, STEPS, N, 1, MOMENTA[at])[N:])
    return [_curve(means, np.array(running))]


def _curve(means, running):
    names = gettext("mean of the batch"), gettext("running mean")
    message = gettext(
        "Momentum {momentum}, after batch {batch}: running mean {mean}, running variance {variance}. The mean of this "
        "batch alone is {alone}"
    )
    told = {"mean": fixed("running[at][0][batch]"), "variance": fixed("running[at][1][batch]")}
    x = alt.X(**along("batch", gettext("batch"), 0, STEPS - 1))
    y = alt.Y(**along("mean", gettext("mean"), -2, 6))
    shape = {"x": x, "y": y, "tooltip": tips(batch=gettext("batch"), mean=gettext("mean"))}
    shape |= {"color": alt.Color("name:N", title=None, scale=alt.Scale(domain=names))}
    dots = numbers("batch", STEPS, mean="means[datum.batch]", name="names[0]").encode(**shape)
    curve = numbers("batch", STEPS, mean="running[at][0][datum.batch]", name="names[1]").encode(**shape)
    here = listed(batch="batch", mean="running[at][0][batch]").encode(x="batch:Q", y="mean:Q")
    here = here.mark_point(style="chosen", size=110, description=gettext("the chosen batch"))
    truth = listed({"mean": MEAN}).mark_rule(strokeDash=[4, 4], aria=False).encode(y="mean:Q")
    return Figure(
        gettext("A mean that remembers"),
        (truth + dots.mark_point(filled=True, size=40, aria=False) + curve.mark_line(aria=False) + here)
        .properties(width="container", height=260)
        .add_params(
            choice("momentum", "momentum", MOMENTA, 0.9),
            slider("batch", gettext("batch"), 9, STEPS - 1),
            alt.param("at", expr=f"indexof({list(MOMENTA)}, momentum)"),
            alt.param("names", value=list(names)),
            *held(means=means, running=running),
            said(message, momentum="momentum", batch="batch", alone=fixed("means[batch]"), **told),
        ),
        gettext(
            "A dot for the mean of each batch, a line for the running mean, and a dashed line for the mean of the "
            "distribution, {mean}. With momentum 0 the running mean is that of the last batch. A larger momentum makes "
            "the line smoother, and it takes longer to leave its start, 0. With 0.99 it is still on its way after "
            "{steps} batches."
        ).format(mean=MEAN, steps=STEPS),
        Table(
            gettext("batches of {N} rows and one column").format(N=N),
            [gettext("batch"), names[0], *(f"momentum = {one:g}" for one in MOMENTA)],
            [[at, means[at], *running[:, 0, at]] for at in (0, 1, 2, 4, 9, 19, 29, 39)],
        ),
        reads="said",
        section="A worked example",
    )
