"""Predictions that are fed back, beside the true curve, by the number of training steps."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, choice, fixed, held, listed, numbers, said, slider, tips
from grader.page.figure import Figure, Table

T, D_MODEL, DT, HORIZON, STEPS = 5, 2, 0.4, 12, (20, 60, 200, 1000, 5000)


def figures(reference):
    return [_rollout(np.array([reference(0, T, D_MODEL, DT, steps, HORIZON) for steps in STEPS]))]


def _rollout(predictions):
    truth = np.exp(-DT * np.arange(T + HORIZON))
    names = gettext("inputs of the training"), gettext("true curve"), gettext("predictions")
    message = gettext(
        "{steps} training steps: prediction {h} is {prediction}, and the truth is {truth}. The largest error of all "
        "{horizon} predictions is {worst}"
    )
    # Prediction 1 is for the place T: one step after the last input.
    told = {"prediction": fixed("now[h - 1]"), "truth": fixed(f"truth[h + {T - 1}]"), "worst": fixed("worst[at]")}
    x = alt.X(**along("place", gettext("place"), 0, T + HORIZON - 1, tickMinStep=1))
    y = alt.Y(**along("y", gettext("value"), -0.2, 1.2))
    colour = alt.Color("name:N", title=None, scale=alt.Scale(domain=names))
    shape = {"x": x, "y": y, "color": colour, "tooltip": tips(place=gettext("place"), y=gettext("value"))}
    curve = numbers("place", T + HORIZON, y="truth[datum.place]", name="names[1]").mark_line(aria=False).encode(**shape)
    inputs = numbers("place", T, y="truth[datum.place]", name="names[0]")
    inputs = inputs.mark_point(filled=True, size=70, opacity=1, aria=False).encode(**shape)
    rolled = numbers("n", HORIZON, place=f"datum.n + {T}", y="now[datum.n]", name="names[2]")
    rolled = rolled.mark_line(point=alt.OverlayMarkDef(aria=False), clip=True, aria=False).encode(**shape)
    here = listed(place=f"h + {T - 1}", y="now[h - 1]").encode(x="place:Q", y="y:Q")
    here = here.mark_point(style="chosen", size=110, clip=True, description=gettext("the chosen prediction"))
    return Figure(
        gettext("A model on its own"),
        (curve + rolled + inputs + here)
        .properties(width="container", height=260)
        .add_params(
            choice("steps", gettext("training steps"), STEPS, 60),
            slider("h", gettext("prediction"), 4, HORIZON, 1),
            alt.param("at", expr=f"indexof({list(STEPS)}, steps)"),
            alt.param("names", value=list(names)),
            *held(predictions=predictions, truth=truth, worst=np.abs(predictions - truth[T:]).max(axis=1)),
            alt.param("now", expr="predictions[at]"),
            said(message, steps="steps", h="h", horizon=str(HORIZON), **told),
        ),
        gettext(
            "The training has its inputs at the first {T} places. After them each prediction is the next input, so an "
            "error goes on into the next prediction. After few training steps the clock still has large weights, and the "
            "predictions swing with it. After 5000 steps they stay near the curve, far beyond the places of the training."
        ).format(T=T),
        Table(
            f"T = {T}, d_model = {D_MODEL}, dt = {DT}",
            [
                gettext("prediction"),
                gettext("true value"),
                *(gettext("{steps} steps").format(steps=one) for one in STEPS),
            ],
            [[h, truth[T + h - 1], *predictions[:, h - 1]] for h in (1, 2, 3, 4, 6, 8, 10, 12)],
        ),
        reads="said",
        section="A worked example",
    )
