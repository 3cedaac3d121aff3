"""Two far positions with nearly equal rows, by base."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Table, expression, rounded, same

T, D_MODEL, GAP = 100, 6, 10
BASES = (10, 20, 50, 100, 1000, 10000)


def figures(reference):
    # The distance depends on the shift alone. The reference tells it where one shift alone is in question.
    turns = np.array(BASES, np.float64)[:, None] ** (-2 * np.arange(D_MODEL // 2) / D_MODEL)
    half = np.arange(1, T)[:, None, None] * turns / 2
    curves = np.sqrt(((2 * np.sin(half)) ** 2).sum(-1)).T
    for at, shift in zip(range(len(BASES)), (1, 9, 44, 63, 94, 99), strict=True):
        same(curves[at, shift - 1], reference(0, shift + 1, D_MODEL, float(BASES[at]), shift)[1])
    nearest = np.array([reference(0, T, D_MODEL, float(base), GAP) for base in BASES])
    same(curves[:, GAP - 1 :].min(axis=1), nearest[:, 1])
    return [_curve(rounded(curves), nearest)]


def _curve(curves, nearest):
    base = alt.param("base", value=50, bind=alt.binding_select(options=list(BASES), name=gettext("base") + " "))
    shift = alt.param("shift", value=94, bind=alt.binding_range(min=1, max=T - 1, step=1, name=gettext("shift") + " "))
    at = alt.param("at", expr=f"indexof({list(BASES)}, base)")
    told = {"base": "base", "shift": "shift", "distance": "format(curves[at][shift - 1], '.4f')", "gap": str(GAP)}
    smallest = expression(
        gettext(
            "Base {base}: two rows {shift} apart have distance {distance}, the smallest of all that are {gap} or more "
            "apart"
        ),
        **told,
    )
    another = expression(
        gettext(
            "Base {base}: two rows {shift} apart have distance {distance}. The nearest of all that are {gap} or more "
            "apart are {nearest} apart, with distance {least}"
        ),
        **told,
        nearest="nearest[at][0]",
        least="format(nearest[at][1], '.4f')",
    )
    said = alt.param("said", expr=f"shift == nearest[at][0] ? {smallest} : {another}")
    points = alt.Chart(alt.sequence(1, T, as_="shift")).transform_calculate(distance="curves[at][datum.shift - 1]")
    line = points.mark_line(aria=False).encode(
        x=alt.X(
            "shift:Q",
            title=gettext("how far apart the positions are"),
            scale=alt.Scale(domain=[0, T], nice=False),
            axis=alt.Axis(values=list(range(0, T + 1, 20))),
        ),
        y=alt.Y("distance:Q", title=gettext("distance of their rows"), scale=alt.Scale(domain=[0, 5], nice=False)),
    )
    its = expression(
        gettext("shift: {shift}; distance: {distance}"), shift="shift", distance="format(curves[at][shift - 1], '.4f')"
    )
    chosen = points.transform_filter("datum.shift == shift").mark_point(
        style="chosen", size=120, description=alt.ExprRef(its)
    )
    low = (
        points.transform_filter("datum.shift == nearest[at][0]")
        .mark_point(shape="triangle-up", size=140, filled=True, yOffset=12, description=gettext("the nearest"))
        .encode(
            x="shift:Q",
            y="distance:Q",
            tooltip=[
                alt.Tooltip("shift:Q", title=gettext("shift")),
                alt.Tooltip("distance:Q", title=gettext("distance"), format=".4f"),
            ],
        )
    )
    gap = alt.Chart(alt.Data(values=[{"gap": GAP}])).mark_rule(strokeDash=[4, 4], aria=False).encode(x="gap:Q")
    chart = (
        (gap + line + low + chosen.encode(x="shift:Q", y="distance:Q"))
        .properties(width="container", height=260)
        .add_params(
            *(base, shift, at, said),
            *(alt.param("curves", value=curves), alt.param("nearest", value=rounded(nearest))),
        )
    )
    return Figure(
        gettext("Far, and nearly the same"),
        chart,
        gettext(
            "How far apart the rows of two positions are, by the distance of the positions, for three pairs of waves. "
            "The triangle marks the lowest point from the dashed line on. At base 20 all three waves are back nearly "
            "where they began after 50 positions: these two rows are nearer than two neighbours are. At base 10000 the "
            "slow waves hardly move, and the lowest point is just beyond the line, after two rounds of the fastest wave."
        ),
        Table(
            gettext("{count} positions and {setting}").format(count=T, setting=f"d_model = {D_MODEL}"),
            [gettext("base"), gettext("nearest shift from {gap} on").format(gap=GAP), gettext("distance")],
            [[base, int(shift), distance] for base, (shift, distance) in zip(BASES, nearest, strict=True)],
        ),
        reads="said",
    )
