"""The table of similarities, and the shares of its rows and columns by temperature."""

import altair as alt
import jax
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, rounded, same

N, D, SEED = 8, 4, 2
STEP, STEPS = 0.05, 20
TEMPERATURES = [STEP * (at + 1) for at in range(STEPS)]


def figures(reference):
    k1, k2 = jax.random.split(jax.random.key(SEED))
    images = 2 * np.asarray(jax.random.normal(k1, (N, D)), np.float64)
    texts = images + np.asarray(jax.random.normal(k2, (N, D)), np.float64)
    cosines = _unit(images) @ _unit(texts).T
    powers = np.exp(cosines / np.reshape(TEMPERATURES, (-1, 1, 1)))
    rows, columns = powers / powers.sum(axis=2, keepdims=True), powers / powers.sum(axis=1, keepdims=True)
    own = np.arange(N)
    losses = -np.log(rows[:, own, own] * columns[:, own, own]).mean(axis=1) / 2
    same(losses, np.concatenate([reference(SEED, N, D, temperature) for temperature in TEMPERATURES]))
    return [_table(cosines, rows, columns, losses)]


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _table(cosines, rows, columns, losses):
    ways = gettext("cosine"), gettext("share among the texts"), gettext("share among the images")
    shown = alt.param("shown", value=ways[1], bind=alt.binding_select(options=list(ways), name=gettext("shown") + " "))
    temperature = alt.param(
        "temperature",
        value=0.2,
        bind=alt.binding_range(min=STEP, max=STEP * STEPS, step=STEP, name=gettext("temperature") + " "),
    )
    image, text = (
        alt.param(name, value=2, bind=alt.binding_range(min=0, max=N - 1, step=1, name=f"{label} "))
        for name, label in (("image", gettext("image")), ("text", gettext("text")))
    )
    at = alt.param("at", expr=f"round(temperature / {STEP}) - 1")
    which = alt.param("which", expr=f"shown == {expression(ways[0])} ? 0 : shown == {expression(ways[1])} ? 1 : 2")
    now = alt.param("now", expr="which == 0 ? cosines : which == 1 ? rows[at] : columns[at]")
    fields = {
        "temperature": "format(temperature, '.2f')",
        "image": "image",
        "text": "text",
        "what": "shown",
        "value": "format(now[image][text], '.3f')",
        "loss": "format(losses[at], '.3f')",
    }
    said = alt.param(
        "said",
        expr=expression(
            gettext("Temperature {temperature}, loss {loss}. Image {image} and text {text}: {what} {value}"), **fields
        ),
    )
    cells = (
        alt.Chart(alt.sequence(0, N * N, as_="cell"))
        .transform_calculate(
            image=f"floor(datum.cell / {N})", text=f"datum.cell % {N}", value="now[datum.image][datum.text]"
        )
        .encode(
            x=alt.X("text:O", title=gettext("text"), axis=alt.Axis(labelAngle=0)),
            y=alt.Y("image:O", title=gettext("image")),
        )
    )
    values = cells.mark_rect(aria=False).encode(
        color=alt.Color("value:Q", title=gettext("value"), scale=alt.Scale(domain=[-1, 1], range="diverging")),
        tooltip=[
            alt.Tooltip("image:O", title=gettext("image")),
            alt.Tooltip("text:O", title=gettext("text")),
            alt.Tooltip("value:Q", title=gettext("value"), format=".3f"),
        ],
    )
    cursor = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(image="image", text="text")
        .mark_point(style="cursor", size=500, aria=False)
        .encode(x="text:O", y="image:O")
    )
    chart = (
        (values + cursor)
        .properties(width="container", height=320)
        .add_params(
            shown,
            temperature,
            image,
            text,
            *(
                alt.param(name, value=rounded(of, 3))
                for name, of in (("cosines", cosines), ("rows", rows), ("columns", columns), ("losses", losses))
            ),
            at,
            which,
            now,
            said,
        )
    )
    told = (0.05, 0.1, 0.2, 0.5, 1.0)
    return Figure(
        gettext("The table of similarities"),
        chart,
        gettext(
            "A row for each image, a column for each text; the pairs are on the diagonal. Cosines lie between -1 and 1. "
            "The shares of the texts add up to 1 in each row, and those of the images in each column. At a temperature "
            "of 1, the largest share of a row is at most 7.4 times its smallest. The lower the temperature, the more of "
            "a row goes to its largest cosine."
        ),
        Table(
            gettext("{N} pairs of width {d}").format(N=N, d=D),
            [
                gettext("temperature"),
                gettext("loss"),
                gettext("smallest share of a pair"),
                gettext("largest share of a pair"),
            ],
            [
                [f"{one:g}", losses[at], np.diag(rows[at]).min(), np.diag(rows[at]).max()]
                for at, one in enumerate(TEMPERATURES)
                if round(one, 2) in told
            ],
        ),
        reads="said",
        pick=Pick("pointermove", {"image": "image", "text": "text"}),
        section="A worked example",
    )
