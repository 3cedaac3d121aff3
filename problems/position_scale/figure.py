"""The entropy of every query by the scale of the positions."""

import altair as alt
import numpy as np

from grader.locale.language import gettext, pgettext
from grader.page.figure import Figure, Table, expression, rounded

T, D_MODEL = 16, 16
SEEDS = (0, 1)
STEP, MOST = 1.0, 10.0
SCALES = [STEP * at for at in range(int(MOST / STEP) + 1)]


def figures(reference):
    entropies = np.array([[reference(seed, T, D_MODEL, scale) for scale in SCALES] for seed in SEEDS])
    return [_by_scale(entropies, rounded(entropies))]


def _by_scale(entropies, values):
    sentence = alt.param("sentence", value=0, bind=alt.binding_select(options=list(SEEDS), name=gettext("seed") + " "))
    scale = alt.param(
        "scale", value=1.0, bind=alt.binding_range(min=0, max=MOST, step=STEP, name=gettext("scale") + " ")
    )
    drawn = alt.param("entropies", value=values)
    means = alt.param("means", value=rounded(entropies.mean(axis=-1)))
    at = alt.param("at", expr=f"round(scale / {STEP})")
    said = alt.param(
        "said",
        expr=expression(
            gettext("Scale {scale}: mean entropy {entropy}"),
            scale="format(scale, '.1f')",
            entropy="format(means[sentence][at], '.4f')",
        ),
    )
    curve = alt.Chart(alt.sequence(0, len(SCALES), as_="at_scale")).transform_calculate(
        by=f"datum.at_scale * {STEP}", mean="means[sentence][datum.at_scale]"
    )
    entropy = alt.Scale(domain=[0, 3])
    line = curve.mark_line(aria=False).encode(
        x=alt.X("by:Q", title=gettext("scale of the positions"), scale=alt.Scale(domain=[0, MOST], nice=False)),
        y=alt.Y("mean:Q", title=gettext("mean entropy"), scale=entropy),
    )
    here = (
        curve.transform_filter("datum.at_scale == at")
        .mark_point(style="chosen", size=90, description=gettext("the chosen scale"))
        .encode(x="by:Q", y="mean:Q")
    )
    bars = (
        alt.Chart(alt.sequence(0, T, as_="query"))
        .transform_calculate(entropy="entropies[sentence][at][datum.query]")
        .mark_bar(aria=False)
        .encode(
            x=alt.X("query:O", title=gettext("query"), axis=alt.Axis(labelAngle=0)),
            y=alt.Y("entropy:Q", title=gettext("entropy"), scale=entropy),
            tooltip=[
                alt.Tooltip("query:O", title=gettext("query")),
                alt.Tooltip("entropy:Q", title=gettext("entropy"), format=".4f"),
            ],
        )
    )
    chart = alt.vconcat(
        (line + here).properties(width="container", height=180),
        bars.properties(width="container", height=180),
    ).add_params(sentence, scale, drawn, means, at, said)
    return Figure(
        gettext("Entropy by scale"),
        chart,
        gettext(
            "The curve is the mean entropy of the {T} queries of a drawn sentence, by the scale of the positions. The bars "
            "below are the entropies of all queries at the chosen scale. The largest possible entropy is the logarithm of "
            "{T}, about {largest}. At scale 0 only the words count. The mean is much lower at scale 10: most queries "
            "give nearly all their weight to one key there."
        ).format(T=T, largest=f"{np.log(T):.2f}"),
        Table(
            gettext("seed = 0, T = {T} and d_model = {d_model}").format(T=T, d_model=D_MODEL),
            [
                gettext("scale"),
                gettext("mean entropy"),
                pgettext("entropy", "smallest"),
                pgettext("entropy", "largest"),
            ],
            [
                [f"{scale:g}", one.mean(), one.min(), one.max()]
                for scale, one in zip(SCALES, entropies[0], strict=True)
                if scale in (0, 1, 2, 3, 5, 7, 10)
            ],
        ),
        reads="said",
        section="A worked example",
    )
