"""The staircase of rounded values, and its two slopes: the true one and that of the straight-through estimator."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, choice, fixed, held, listed, numbers, said, slider
from grader.page.figure import Figure, Table, same

LEVELS, SCALE, TENTHS = (2, 4, 8), 1.5, np.arange(-20, 21)  # none of these tenths stands on the edge of a step


def figures(reference):
    x = SCALE * np.asarray(jax.random.normal(jax.random.key(0), (100,), dtype=jnp.float32), np.float64)
    for levels in LEVELS:
        same(_nearest(x, levels), reference(0, 100, levels, SCALE))
    return [_staircase(np.array([_nearest(TENTHS / 10, levels) for levels in LEVELS]))]


def _nearest(x, levels):
    steps = np.arange(-levels, levels + 1) / levels
    return steps[np.abs(x[:, None] - steps).argmin(axis=1)]


def _staircase(values):
    names = gettext("rounded"), gettext("as if not rounded")
    message = gettext(
        "x = {x}: value {value}. The slope of the staircase is 0, and the derivative of this lesson is {slope}"
    )
    x = alt.X(**along("x", "x", -2, 2, values=[-2, -1, 0, 1, 2]))
    colour = alt.Color("kind:N", title=None, sort=list(names), scale=alt.Scale(domain=list(names)))
    shape = {"x": x, "color": colour}
    flats = numbers(
        "at",
        2 * LEVELS[-1] + 1,
        step="datum.at - levels",
        x="datum.at == 0 ? -2 : (datum.step - 0.5) / levels",
        right="datum.step == levels ? 2 : (datum.step + 0.5) / levels",
        y="datum.step / levels",
        kind="kinds[0]",
    ).transform_filter("datum.step <= levels")
    y = alt.Y(**along("y", gettext("value y"), -1.3, 1.3))
    stairs = flats.mark_rule(strokeWidth=4, aria=False).encode(y=y, x2="right:Q", **shape)
    clip = listed(*({"x": a, "y": min(1, max(-1, a))} for a in (-2, -1, 1, 2)), kind="kinds[1]")
    clip = clip.mark_line(strokeDash=[5, 3], aria=False).encode(y=y, **shape)
    chosen = listed(x="x", y="now", left="x - 0.4", right="x + 0.4", low="now - 0.4 * slope", high="now + 0.4 * slope")
    tangent = chosen.mark_rule(strokeWidth=2, aria=False).encode(x="left:Q", x2="right:Q", y="low:Q", y2="high:Q")
    here = chosen.mark_point(style="chosen", size=110, description=gettext("the chosen x")).encode(x="x:Q", y="y:Q")
    parts = [(-2, 2, 0, 0), (-2, -1, 0, 1), (-1, 1, 1, 1), (1, 2, 0, 1)]
    slopes = listed(
        *(dict(zip(("x", "right", "y", "of"), part, strict=True)) for part in parts), kind="kinds[datum.of]"
    )
    slopes = slopes.mark_rule(strokeWidth=4, aria=False).encode(
        y=alt.Y(**along("y", gettext("slope"), -0.2, 1.2, values=[0, 1])), x2="right:Q", **shape
    )
    return Figure(
        gettext("A staircase and two slopes"),
        alt.vconcat(
            (stairs + clip + tangent + here).properties(width="container", height=260),
            slopes.properties(width="container", height=90),
        ).add_params(
            choice("levels", "levels", LEVELS),
            slider("x", "x", 0.3, 2, -2, 0.1),
            alt.param("kinds", value=list(names)),
            *held(values=values),
            alt.param("now", expr=f"values[indexof({list(LEVELS)}, levels)][round(10 * x) + 20]"),
            alt.param("slope", expr="abs(x) <= 1 ? 1 : 0"),
            said(message, x=fixed("x", 1), value=fixed("now", 3), slope="slope"),
        ),
        gettext(
            "The rounded value is a staircase: flat on each step, so its slope is 0 wherever it has one. More levels make "
            "finer steps, and no slope. The dashed line is the value without the rounding, cut off at -1 and 1. Its slope "
            "is the one of the backward pass: 1 between -1 and 1, and 0 beyond. The line through the chosen point has it."
        ),
        Table(
            gettext("the value for each number of levels, and both slopes"),
            [
                "x",
                *(f"levels = {levels}" for levels in LEVELS),
                *(gettext("slope {of}").format(of=name) for name in names),
            ],
            [
                [f"{at / 10:g}", *values[:, at + 20], 0, int(abs(at) <= 10)]
                for at in (-20, -12, -10, -6, 0, 3, 7, 10, 14)
            ],
        ),
        reads="said",
    )
