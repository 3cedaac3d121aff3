"""The errors of both fits at every position, by the frequency of the wave that is predicted."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, fixed, held, listed, numbers, said, slider, tips
from grader.page.figure import Figure, Table, same

T, TRAINED, D_MODEL, RIDGE, TENTHS = 48, 24, 8, 0.1, 11


def figures(reference):
    errors = np.array([reference(0, T, TRAINED, D_MODEL, at / 10, RIDGE).reshape(2, T) for at in range(TENTHS)])
    # A learned fit to a wave that does not move is equally wrong everywhere.
    same(errors[0, 1], errors[0, 1, :1].repeat(T))
    return [_errors(errors)]


def _errors(errors):
    names = gettext("sinusoidal fit"), gettext("learned fit")
    message = gettext(
        "omega = {omega}. Largest error at the trained positions: {in0} sinusoidal, {in1} learned. Largest error after "
        "them: {out0} sinusoidal, {out1} learned"
    )
    told = {f"{part}{kind}": fixed(f"{part}most[at][{kind}]") for part in ("in", "out") for kind in (0, 1)}
    points = numbers(
        "cell", 2 * T, kind=f"floor(datum.cell / {T})", position=f"datum.cell % {T}", name="names[datum.kind]"
    )
    lines = points.transform_calculate(error="errors[at][datum.kind][datum.position]").mark_line(aria=False)
    lines = lines.encode(
        x=alt.X(**along("position", gettext("position"), 0, T - 1)),
        y=alt.Y(**along("error", gettext("error"), 0, 5)),
        color=alt.Color("name:N", title=None, sort=list(names)),
        tooltip=tips(name=gettext("fit"), position=gettext("position"), error=gettext("error")),
    )
    end = listed({"position": TRAINED - 0.5}).mark_rule(strokeDash=[6, 3], strokeWidth=2, aria=False)
    return Figure(
        gettext("Errors beyond the training"),
        (end.encode(x="position:Q") + lines)
        .properties(width="container", height=260)
        .add_params(
            slider("omega", "omega", 0.2, 1, 0, 0.1),
            alt.param("at", expr="round(10 * omega)"),
            alt.param("names", value=list(names)),
            *held(errors=errors, inmost=errors[:, :, :TRAINED].max(axis=2), outmost=errors[:, :, TRAINED:].max(axis=2)),
            said(message, omega=fixed("omega", 1), **told),
        ),
        gettext(
            "The errors of both fits at each position; the dashed line is the end of the training. The learned fit is "
            "good before the line for every omega, and gives one number after it. The sinusoidal fit goes on rightly "
            "where omega is 0.1 or 1, because such waves stand in its table. With omega = 0.2 it is good before the "
            "line, and far off after it."
        ),
        Table(
            f"T = {T}, train_len = {TRAINED}, d_model = {D_MODEL}, ridge = {RIDGE}",
            [
                *("omega", gettext("sinusoidal, trained"), gettext("sinusoidal, after")),
                *(gettext("learned, trained"), gettext("learned, after")),
            ],
            [
                [f"{at / 10:g}", *(part.max() for fit in errors[at] for part in (fit[:TRAINED], fit[TRAINED:]))]
                for at in range(TENTHS)
            ],
        ),
        reads="said",
        section="A worked example",
    )
