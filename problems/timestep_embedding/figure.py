"""The rows of many times, from data to noise, by the factor that makes steps of times."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import choice, cursor, fixed, held, matrix, said, slider, tips
from grader.page.figure import Figure, Table, same

N, D_MODEL, PERIOD, SCALES = 25, 16, 10000.0, (1.0, 10.0, 100.0, 1000.0)


def figures(reference):
    times = np.asarray(jax.random.uniform(jax.random.key(0), (N,), dtype=jnp.float32), np.float64)
    order = np.argsort(times)
    rows = np.array([reference(0, N, D_MODEL, PERIOD, scale).reshape(N, D_MODEL)[order] for scale in SCALES])
    half = D_MODEL // 2
    same(rows[..., :half] ** 2 + rows[..., half:] ** 2, np.ones((len(SCALES), N, half)))
    return [_rows(times[order], rows)]


def _rows(times, rows):
    gaps = np.linalg.norm(rows[:, :, None] - rows[:, None], axis=-1)
    message = gettext(
        "Scale {scale}: the rows of the times {time} and {next} have distance {distance}. The two rows that are furthest "
        "apart have {most}"
    )
    told = {"time": fixed("times[row]", 3), "next": fixed("times[row + 1]", 3), "distance": fixed("gaps[at][row]")}
    cells = matrix(N, D_MODEL, gettext("times, the smallest first"), gettext("dimension"), every=4)
    cells = cells.transform_calculate(value="rows[at][datum.row][datum.column]", time="times[datum.row]")
    cells = cells.mark_rect(aria=False).encode(
        color=alt.Color("value:Q", title=gettext("value"), scale=alt.Scale(domain=[-1, 1], range="diverging")),
        tooltip=[
            alt.Tooltip("time:Q", title=gettext("time"), format=".3f"),
            *tips(column=gettext("dimension"), value=gettext("value")),
        ],
    )
    frame = cursor("row", "0", 120)
    return Figure(
        gettext("Times apart, rows apart"),
        (cells + frame)
        .properties(width="container", height=300)
        .add_params(
            choice("scale", gettext("scale"), SCALES, SCALES[-1]),
            slider("row", gettext("row"), 9, N - 2),
            alt.param("at", expr=f"indexof({list(SCALES)}, scale)"),
            *held(times=times, rows=rows, gaps=np.diagonal(gaps, 1, 1, 2), most=gaps.max(axis=(1, 2))),
            said(message, scale="scale", most=fixed("most[at]"), **told),
        ),
        gettext(
            "A row for each of {N} times between 0 and 1, sorted. The left half are the cosines, the right half the "
            "sines. With scale 1 only the few fastest waves move visibly, so all rows are much alike. With scale 1000 "
            "the fast waves tell near times apart, and the slow ones tell early from late."
        ).format(N=N),
        Table(
            f"d_model = {D_MODEL}, max_period = 10000",
            [gettext("scale"), gettext("smallest distance of two rows"), gettext("largest distance of two rows")],
            [
                [f"{scale:g}", gap[np.triu_indices(N, 1)].min(), gap.max()]
                for scale, gap in zip(SCALES, gaps, strict=True)
            ],
        ),
        reads="said",
        section="A worked example",
    )
