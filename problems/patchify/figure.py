"""Which pixels go into which token: cut into patches, and cut by a reshape alone, as the reference does both."""

import altair as alt
import jax
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Pick, Table, expression, rounded

SIDE, P = 8, 4
WIDTH, COUNT = P * P, (SIDE // P) ** 2


def figures(reference):
    keys = jax.random.split(jax.random.key(0), 4)
    shapes = (SIDE, SIDE), (WIDTH, WIDTH), (WIDTH,), (1 + COUNT, WIDTH)
    image, E, _, positions = (
        np.asarray(jax.random.normal(key, shape), np.float64) for key, shape in zip(keys, shapes, strict=True)
    )
    # A token is as wide as a patch, so the matrix has an inverse, and the pixels of each token can be had from it.
    places = []
    for made in ({}, {"mistake": "strips-for-patches"}):
        tokens = reference(0, SIDE, SIDE, 1, P, WIDTH, **made).reshape(1 + COUNT, WIDTH)
        pixels = np.linalg.solve(E.T / WIDTH**0.5, (tokens - positions)[1:].T).T
        places.append(np.abs(pixels.reshape(-1, 1) - image.reshape(-1)).argmin(axis=1).reshape(COUNT, WIDTH))
    return [_cut(image, np.array(places))]


def _cut(image, places):
    tokens = np.empty((2, SIDE * SIDE), int)
    for way in range(2):
        tokens[way, places[way].reshape(-1)] = np.repeat(1 + np.arange(COUNT), WIDTH)
    patches, strips = gettext("reshape and transpose"), gettext("a reshape alone")
    way = alt.param("way", value=patches, bind=alt.binding_select(options=[patches, strips], name=gettext("cut") + " "))
    token = alt.param("token", value=2, bind=alt.binding_range(min=1, max=COUNT, step=1, name=gettext("token") + " "))
    rows, columns = places // SIDE, places % SIDE
    ends = np.stack([rows.min(-1), rows.max(-1), columns.min(-1), columns.max(-1)], axis=-1)
    now = alt.param("now", expr=f"way == {expression(patches)} ? 0 : 1")
    said = alt.param(
        "said",
        expr=expression(
            gettext("Token {token} holds the pixels of rows {top} to {bottom} and columns {left} to {right}"),
            token="token",
            **{name: f"ends[now][token - 1][{at}]" for at, name in enumerate(("top", "bottom", "left", "right"))},
        ),
    )
    cells = (
        alt.Chart(alt.sequence(0, SIDE * SIDE, as_="pixel"))
        .transform_calculate(
            row=f"floor(datum.pixel / {SIDE})",
            column=f"datum.pixel % {SIDE}",
            value="image[datum.pixel]",
            of="tokens[now][datum.pixel]",
        )
        .encode(
            x=alt.X("column:O", title=gettext("column"), axis=alt.Axis(labelAngle=0)),
            y=alt.Y("row:O", title=gettext("row")),
        )
    )
    pixels = cells.mark_rect(aria=False).encode(
        color=alt.Color("value:Q", title=gettext("pixel"), scale=alt.Scale(domain=[-3, 3], range="diverging")),
        tooltip=[
            alt.Tooltip("row:O", title=gettext("row")),
            alt.Tooltip("column:O", title=gettext("column")),
            alt.Tooltip("of:O", title=gettext("token")),
        ],
    )
    numbers = (
        cells.transform_filter("datum.of != token").mark_text(fontSize=11, opacity=0.5, aria=False).encode(text="of:N")
    )
    marked = cells.transform_filter("datum.of == token").mark_point(style="chosen", size=220, aria=False)
    chart = (
        (pixels + numbers + marked)
        .properties(width="container", height=320)
        .add_params(
            way,
            token,
            alt.param("image", value=rounded(image.reshape(-1))),
            alt.param("tokens", value=tokens.tolist()),
            alt.param("ends", value=ends.tolist()),
            now,
            said,
        )
    )
    return Figure(
        gettext("Which pixels a token holds"),
        chart,
        gettext(
            "An image of {side} times {side} pixels and patches of {P} times {P}. The number in each cell is the token that "
            "holds the pixel, and the pixels of the chosen token are marked. With the transpose each token holds a "
            "square. A reshape alone gives each token two whole rows of the image."
        ).format(side=SIDE, P=P),
        Table(
            gettext("rows and columns of the pixels that each token holds"),
            [gettext("token"), patches, strips],
            [
                [
                    1 + at,
                    *(
                        gettext("rows {top} to {bottom}, columns {left} to {right}").format(
                            **dict(zip(("top", "bottom", "left", "right"), ends[one, at].tolist(), strict=True))
                        )
                        for one in range(2)
                    ),
                ]
                for at in range(COUNT)
            ],
        ),
        reads="said",
        pick=Pick("click", {"token": "of"}),
    )
