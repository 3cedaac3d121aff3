"""The spread by depth, for some gains, with the weights divided by the fan-in or by the fan-out."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Table, expression, rounded

L, D = 24, 32
GAINS = (1.0, 1.5, 2.0, 3.0, 4.0)


def figures(reference):
    spreads = np.array(
        [[reference(0, L, D, gain, **made) for gain in GAINS] for made in ({}, {"mistake": "fan-out-for-fan-in"})]
    )
    return [_by_depth(spreads)]


def _by_depth(spreads):
    fan_in, fan_out = gettext("number of inputs"), gettext("number of outputs")
    by = alt.param(
        "by", value=fan_in, bind=alt.binding_select(options=[fan_in, fan_out], name=gettext("divided by the") + " ")
    )
    layer = alt.param("layer", value=20, bind=alt.binding_range(min=0, max=L - 1, step=1, name=gettext("layer") + " "))
    drawn = alt.param("spreads", value=rounded(spreads, 10))
    now = alt.param("now", expr=f"spreads[by == {expression(fan_in)} ? 0 : 1]")
    said = alt.param(
        "said",
        expr=expression(
            gettext(
                "Layer {layer}, divided by the {fan}: the spread is {small} with gain 1, {kept} with gain 2, "
                "{large} with gain 4"
            ),
            layer="layer",
            fan="by",
            **{
                name: f"format(now[{GAINS.index(gain)}][layer], '.3~g')"
                for name, gain in (("small", 1.0), ("kept", 2.0), ("large", 4.0))
            },
        ),
    )
    points = alt.Chart(alt.sequence(0, L * len(GAINS), as_="at")).transform_calculate(
        layer=f"datum.at % {L}",
        gain=f"[{', '.join(f'{gain:g}' for gain in GAINS)}][floor(datum.at / {L})]",
        spread=f"now[floor(datum.at / {L})][datum.at % {L}]",
    )
    lines = points.mark_line(aria=False).encode(
        x=alt.X("layer:Q", title=gettext("layer"), scale=alt.Scale(domain=[0, L - 1], nice=False)),
        y=alt.Y("spread:Q", title=gettext("spread"), scale=alt.Scale(type="log"), axis=alt.Axis(format="~g")),
        color=alt.Color("gain:O", title=gettext("gain"), scale=alt.Scale(domain=list(GAINS), range="category")),
        tooltip=[
            alt.Tooltip("gain:O", title=gettext("gain")),
            alt.Tooltip("layer:Q", title=gettext("layer")),
            alt.Tooltip("spread:Q", title=gettext("spread"), format=".3~g"),
        ],
    )
    here = (
        points.transform_filter("datum.layer == layer")
        .mark_point(style="chosen", size=60, aria=False)
        .encode(x="layer:Q", y="spread:Q")
    )
    chart = (lines + here).properties(width="container", height=300).add_params(by, layer, drawn, now, said)
    shown = (0, 1, 2, 5, 10)
    return Figure(
        gettext("Spread by depth"),
        chart,
        gettext(
            "A line for each gain; each step up the axis is a factor. With the gain 2 the line stays about level. For "
            "smaller gains it falls and for larger ones it rises, in each layer by about the same factor. If the weights "
            "are divided by the number of outputs, the lines are zigzags: the spread is too small in each even "
            "layer, and right "
            "again in the next one."
        ),
        Table(
            gettext("width {d}, divided by the number of inputs").format(d=D),
            [gettext("gain"), *(gettext("layer {layer}").format(layer=layer) for layer in shown)],
            [
                [f"{gain:g}", *(f"{row[layer]:.3g}" for layer in shown)]
                for gain, row in zip(GAINS, spreads[0], strict=True)
            ],
        ),
        reads="said",
        section="A worked example",
    )
