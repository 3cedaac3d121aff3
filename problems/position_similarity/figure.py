"""How similar position 0 and position p are, with frequencies a factor apart and with frequencies a step apart."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, choice, fixed, held, listed, numbers, said, slider, tips
from grader.page.figure import Figure, Table, same

T, SIZES = 100, (6, 64, 512)


def figures(reference):
    # All lengths are equal, so the similarity is a mean of cosines. The reference tells it for the lesson's frequencies.
    factors = [1e4 ** (-2 * np.arange(size // 2) / size) for size in SIZES]
    steps = [np.linspace(one[0], one[-1], len(one)) for one in factors]
    curves = np.array([[np.cos(np.outer(np.arange(T), one)).mean(axis=1) for one in kind] for kind in (factors, steps)])
    for at, size in enumerate(SIZES):
        same(curves[0, at], reference(0, T, size)[:T])
    return [_curve(curves)]


def _curve(curves):
    kinds = gettext("equal factors"), gettext("equal steps")
    message = gettext(
        "d_model = {size}, positions 0 and {p}: similarity {one} by equal factors, and {other} by equal steps. By equal "
        "factors, as in this lesson, it falls as far as position {low}, and then rises"
    )
    low = (np.diff(curves[0]) >= 0).argmax(axis=-1)
    told = {"size": "d_model", "p": "p", "one": fixed("curves[0][at][p]"), "other": fixed("curves[1][at][p]")}
    x = alt.X(**along("position", gettext("position p"), 0, T - 1))
    y = alt.Y(**along("similarity", gettext("similarity with position 0"), -1, 1))
    colour = alt.Color("kind:N", title=gettext("frequencies"), sort=list(kinds), legend=alt.Legend(columns=1))
    points = numbers("cell", 2 * T, kind=f"kinds[floor(datum.cell / {T})]", position=f"datum.cell % {T}")
    points = points.transform_calculate(similarity=f"curves[floor(datum.cell / {T})][at][datum.position]")
    lines = points.mark_line(aria=False).encode(x=x, y=y, color=colour)
    here = points.transform_filter("datum.position == p").mark_point(
        style="chosen", size=100, description=gettext("the chosen position")
    )
    here = here.encode(x=x, y=y, tooltip=tips(position=gettext("position"), similarity=gettext("similarity")))
    zero = listed({"similarity": 0}).mark_rule(aria=False).encode(y="similarity:Q")
    return Figure(
        gettext("The similarity with position 0"),
        (zero + lines + here)
        .properties(width="container", height=260)
        .add_params(
            choice("d_model", "d_model", SIZES, 64),
            slider("p", gettext("position p"), 7, T - 1),
            alt.param("at", expr=f"indexof({list(SIZES)}, d_model)"),
            alt.param("kinds", value=list(kinds)),
            *held(curves=curves, low=low),
            said(message, **told, low="low[at]"),
        ),
        gettext(
            "The similarity of position 0 and position p, for two ways to choose frequencies between 1 and the smallest. By "
            "equal factors many are slow: with 64 dimensions or more, far positions stay rather similar, and near ones are "
            "more similar. By equal steps most are fast: with 64 dimensions or more, the curve drops to zero within four "
            "positions. With 6 dimensions both curves swing widely."
        ),
        Table(
            "d_model = 64",
            [gettext("position p"), *kinds],
            [[p, *curves[:, SIZES.index(64), p]] for p in (0, 1, 2, 3, 4, 5, 7, 10, 20, 50, 99)],
        ),
        reads="said",
        section="A worked example",
    )
