"""The loss on new texts while the model is trained, with attention and without."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, held, listed, numbers, said, slider
from grader.page.figure import Figure, Table

SEED, B, T, V, D, STEPS = 0, 16, 8, 4, 8, 100


def figures(reference):
    runs = [reference(SEED, B, T, V, D, STEPS, **made) for made in ({}, {"mistake": "no-attention"})]
    return [_losses(np.array(runs), np.log(V) / T)]


def _losses(losses, best):
    runs = gettext("with attention"), gettext("without attention")
    points = numbers(
        "at",
        losses.size,
        step=f"datum.at % {STEPS + 1}",
        loss=f"losses[floor(datum.at / {STEPS + 1})][datum.step]",
        run=f"runs[floor(datum.at / {STEPS + 1})]",
    ).encode(x=alt.X(**along("step", gettext("step"), 0, STEPS)), y=alt.Y("loss:Q", title=gettext("loss")))
    lines = points.mark_line(aria=False).encode(
        color=alt.Color("run:N", title=None, sort=list(runs), scale=alt.Scale(domain=list(runs), range="category")),
        strokeDash=alt.StrokeDash("run:N", title=None, sort=list(runs), scale=alt.Scale(domain=list(runs))),
        tooltip=[
            alt.Tooltip("run:N", title=gettext("run")),
            alt.Tooltip("step:Q", title=gettext("step")),
            alt.Tooltip("loss:Q", title=gettext("loss"), format=".3f"),
        ],
    )
    here = points.transform_filter("datum.step == step").mark_point(style="chosen", size=60, aria=False)
    bound = listed({"loss": best}).mark_rule(aria=False, strokeDash=[2, 4]).encode(y="loss:Q")
    message = gettext("After {step} steps the loss is {seen} with attention, and {blind} without; the best is {best}")
    told = {"step": "step", "seen": "format(losses[0][step], '.3f')", "blind": "format(losses[1][step], '.3f')"}
    return Figure(
        gettext("Texts that need attention"),
        (bound + lines + here)
        .properties(width="container", height=300)
        .add_params(
            slider("step", gettext("step"), STEPS, STEPS),
            alt.param("runs", value=list(runs)),
            *held(losses=losses),
            said(message, best=f"'{best:.3f}'", **told),
        ),
        gettext(
            "The loss on texts that the model was not trained on, after each step. Each word follows from the word two "
            "back. With attention the loss falls towards the best, the dotted line. Without attention it stays near the "
            "logarithm of the number of words."
        ),
        Table(
            gettext("{words} words, texts of {length}").format(words=V, length=T + 1),
            [gettext("step"), *runs],
            [[step, *(f"{loss:.3f}" for loss in losses[:, step])] for step in range(0, STEPS + 1, 20)],
        ),
        reads="said",
    )
