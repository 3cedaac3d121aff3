"""The loss of each pair by its margin, and how beta bends the curve."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, choice, fixed, held, listed, numbers, slider, tips
from grader.page.figure import Figure, Table, expression, same

SEED, B, T, V, BETAS, WIDEST, POINTS = 0, 12, 6, 10, (0.1, 0.5, 1.0, 2.0), 8, 121


def figures(reference):
    losses = np.array([reference(SEED, B, T, V, beta) for beta in BETAS])
    # The loss is a curve of beta times the margin, so each loss tells the margin of its pair.
    margins = -np.log(np.expm1(losses[0])) / BETAS[0]
    for beta, loss in zip(BETAS, losses, strict=True):
        same(np.logaddexp(0, -beta * margins), loss)
    return [_curve(margins, losses)]


def _curve(margins, losses):
    name = gettext("the chosen dot")
    right = gettext(
        "Pair {pair}: margin {margin}, loss {loss}. The chosen answer gained more. Mean loss of all: {mean}"
    )
    wrong = gettext(
        "Pair {pair}: margin {margin}, loss {loss}. The rejected answer gained more. Mean loss of all: {mean}"
    )
    told = {"margin": fixed("margins[pair]"), "loss": fixed("losses[at][pair]"), "mean": fixed("means[at]")}
    right, wrong = (expression(one, pair="pair", **told) for one in (right, wrong))
    x = alt.X(**along("margin", gettext("margin"), -WIDEST, WIDEST))
    y = alt.Y(**along("loss", gettext("loss"), 0, 8))
    curve = numbers("at_point", POINTS, margin=f"datum.at_point * {2 * WIDEST / (POINTS - 1)} - {WIDEST}")
    curve = curve.transform_calculate(loss="log(1 + exp(-beta * datum.margin))").mark_line(clip=True, aria=False)
    pairs = numbers("pair", B, margin="margins[datum.pair]", loss="losses[at][datum.pair]").encode(
        x=x, y=y, tooltip=tips(pair=gettext("pair"), margin=gettext("margin"), loss=gettext("loss"))
    )
    dots = pairs.mark_point(filled=True, size=60, opacity=1, clip=True, aria=False)
    here = pairs.transform_filter("datum.pair == pair").mark_point(
        style="chosen", size=130, clip=True, description=name
    )
    even = listed({"loss": float(np.log(2))}).mark_rule(strokeDash=[4, 4], aria=False).encode(y="loss:Q")
    return Figure(
        gettext("Loss by margin"),
        (even + curve.encode(x=x, y=y) + dots + here)
        .properties(width="container", height=260)
        .add_params(
            choice("beta", "beta", BETAS, 0.5),
            slider("pair", gettext("pair"), 0, B - 1),
            alt.param("at", expr=f"indexof({list(BETAS)}, beta)"),
            *held(margins=margins, losses=losses, means=losses.mean(axis=1)),
            alt.param("said", expr=f"margins[pair] > 0 ? {right} : {wrong}"),
        ),
        gettext(
            "A dot for each of {B} pairs. At margin 0 the loss is the logarithm of 2, the dashed line, whatever beta is. "
            "Far to the left the loss grows by nearly beta for each 1 of margin. To the right it comes near 0, and a "
            "larger beta brings it there at a smaller margin."
        ).format(B=B),
        Table(
            gettext("{B} pairs, sorted by their margin").format(B=B),
            [gettext("pair"), gettext("margin"), *(f"beta = {beta:g}" for beta in BETAS)],
            [[int(pair), margins[pair], *losses[:, pair]] for pair in np.argsort(margins)],
        ),
        reads="said",
    )
