"""The losses of a long run, with its weights in 32 bits, with its weights in 16 bits, and without a loss scale."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Table, expression, rounded

SEED, N, D, STEPS, RATE = 7, 32, 2, 2400, 4500.0
EACH = 200
MADE = ({}, {"mistake": "weights-in-16-bits"}, {"mistake": "no-loss-scale"})


def figures(reference):
    losses = np.array([reference(SEED, N, D, STEPS, RATE, **made)[-STEPS:] for made in MADE])
    means = losses.reshape(len(MADE), -1, EACH).mean(axis=2)
    return [_losses(means / means[0, 0])]


def _losses(shares):
    runs = [gettext("weights in 32 bits"), gettext("weights in 16 bits"), gettext("no loss scale")]
    last = shares.shape[1] - 1
    part = alt.param("part", value=last, bind=alt.binding_range(min=0, max=last, step=1, name=gettext("part") + " "))
    drawn = alt.param("shares", value=rounded(shares, 4))
    said = alt.param(
        "said",
        expr=expression(
            gettext(
                "Steps {first} to {last}: the loss is {right} with weights in 32 bits, {halved} with weights in 16 bits, "
                "{unscaled} without a loss scale"
            ),
            first=f"part * {EACH}",
            last=f"part * {EACH} + {EACH - 1}",
            **{name: f"format(shares[{run}][part], '.2f')" for run, name in enumerate(("right", "halved", "unscaled"))},
        ),
    )
    points = alt.Chart(alt.sequence(0, shares.size, as_="at")).transform_calculate(
        part=f"datum.at % {last + 1}",
        step=f"(datum.at % {last + 1}) * {EACH}",
        run=f"[{', '.join(expression(run) for run in runs)}][floor(datum.at / {last + 1})]",
        loss=f"shares[floor(datum.at / {last + 1})][datum.at % {last + 1}]",
    )
    lines = points.mark_line(aria=False).encode(
        x=alt.X("step:Q", title=gettext("first step of the part")),
        y=alt.Y("loss:Q", title=gettext("mean loss"), scale=alt.Scale(zero=True)),
        color=alt.Color("run:N", title=None, sort=runs, scale=alt.Scale(domain=runs, range="category")),
        strokeDash=alt.StrokeDash("run:N", title=None, sort=runs, scale=alt.Scale(domain=runs)),
        tooltip=[
            alt.Tooltip("run:N", title=gettext("run")),
            alt.Tooltip("step:Q", title=gettext("first step of the part")),
            alt.Tooltip("loss:Q", title=gettext("mean loss"), format=".2f"),
        ],
    )
    here = (
        points.transform_filter("datum.part == part")
        .mark_point(style="chosen", size=60, aria=False)
        .encode(x="step:Q", y="loss:Q")
    )
    chart = (lines + here).properties(width="container", height=300).add_params(part, drawn, said)
    return Figure(
        gettext("The loss of a long run"),
        chart,
        gettext(
            "A point is the mean loss of a part of the run, divided by that of the first part. With weights in 32 bits "
            "the loss falls. With weights in 16 bits each step is rounded away, so the loss stays where it began, up to "
            "the chance of the batches. Without a loss scale many gradients are 0 in 16 bits, and the loss falls slowly."
        ),
        Table(
            gettext("parts of {count} steps, rate {rate}").format(count=EACH, rate=f"{RATE:.0f}"),
            [gettext("steps"), *runs],
            [
                [f"{index * EACH}-{index * EACH + EACH - 1}", *(f"{share:.2f}" for share in shares[:, index])]
                for index in range(0, last + 1, 3)
            ]
            + [[f"{last * EACH}-{STEPS - 1}", *(f"{share:.2f}" for share in shares[:, last])]],
        ),
        reads="said",
        section="A worked example",
    )
