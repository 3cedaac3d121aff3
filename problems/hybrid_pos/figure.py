"""Learned, sinusoidal and hybrid tables beyond the trained length."""

import altair as alt
import numpy as np

from grader.locale.language import gettext, pgettext
from grader.page.figure import Figure, Pick, Table, expression, rounded, same

T, D_MODEL, LENGTHS = 32, 16, (8, 16, 24)
KINDS = ("learned", "sinusoidal", "hybrid")


def figures(reference):
    # Beyond the table's rows the reference is sinusoidal alone: with a table of one row, from position 1 on.
    waves = reference(0, T, 1, D_MODEL).reshape(T, D_MODEL)
    waves[0] = np.arange(D_MODEL) % 2
    tables = np.full((len(LENGTHS), len(KINDS), T, D_MODEL), np.nan)
    for at, length in enumerate(LENGTHS):
        hybrid = reference(0, T, length, D_MODEL).reshape(T, D_MODEL)
        same(hybrid[length:], waves[length:])
        tables[at, 0, :length] = (hybrid - waves)[:length]
        tables[at, 1] = waves
        tables[at, 2] = hybrid
    return [_tables(tables)]


def _tables(tables):
    words = [pgettext("table", "learned"), pgettext("table", "sinusoidal"), pgettext("table", "hybrid")]  # as KINDS
    kind = alt.param(
        "kind",
        value="learned",
        bind=alt.binding_select(options=list(KINDS), labels=words, name=gettext("table") + " "),
    )
    length = alt.param(
        "length", value=16, bind=alt.binding_select(options=list(LENGTHS), name=gettext("trained length") + " ")
    )
    position, dim = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=most, step=1, name=f"{label} "))
        for name, value, most, label in (
            ("at_position", 20, T - 1, gettext("position")),
            ("at_dim", 3, D_MODEL - 1, gettext("dimension")),
        )
    )
    now = alt.param("now", expr=f"tables[indexof({list(LENGTHS)}, length)][indexof({list(KINDS)}, kind)]")
    value = "now[at_position][at_dim]"
    at = {"table": f"words[indexof({list(KINDS)}, kind)]", "position": "at_position", "dim": "at_dim"}
    there = expression(
        gettext("{table}, position {position}, dimension {dim}: {value}"), **at, value=f"format({value}, '.4f')"
    )
    beyond = expression(gettext("{table}, position {position}, dimension {dim}: there is no row"), **at)
    said = alt.param("said", expr=f"isNumber({value}) ? {there} : {beyond}")
    cells = (
        alt.Chart(alt.sequence(0, T * D_MODEL, as_="cell"))
        .transform_calculate(
            position=f"floor(datum.cell / {D_MODEL})",
            dim=f"datum.cell % {D_MODEL}",
            value="now[datum.position][datum.dim]",
        )
        .transform_filter("isNumber(datum.value)")
        .mark_rect(aria=False)
        .encode(
            x=alt.X(
                "dim:O",
                title=gettext("dimension"),
                axis=alt.Axis(labelAngle=0),
                scale=alt.Scale(domain=list(range(D_MODEL))),
            ),
            y=alt.Y(
                "position:O",
                title=gettext("position"),
                axis=alt.Axis(values=list(range(0, T, 4))),
                scale=alt.Scale(domain=list(range(T))),
            ),
            color=alt.Color(
                "value:Q", title=gettext("value"), scale=alt.Scale(domain=[-3, 3], range="diverging", clamp=True)
            ),
        )
    )
    end = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(position="length")
        .mark_rule(strokeWidth=2, strokeDash=[6, 3], aria=False)
        .encode(y=alt.Y("position:O", bandPosition=0))
    )
    cursor = (
        alt.Chart(alt.sequence(0, 1, as_="one"))
        .transform_calculate(position="at_position", dim="at_dim")
        .mark_point(style="cursor", size=150, aria=False)
        .encode(x="dim:O", y="position:O")
    )
    chart = (
        (cells + end + cursor)
        .properties(width="container", height=340)
        .add_params(
            *(kind, length, position, dim),
            *(alt.param("tables", value=rounded(tables)), alt.param("words", value=words), now, said),
        )
    )
    shown = tables[LENGTHS.index(16)]
    return Figure(
        gettext("Beyond the trained length"),
        chart,
        gettext(
            "A row for each position, a column for each dimension; the dashed line is the end of what was trained. The "
            "learned table has no rows below it. The sinusoidal table goes on for ever. The hybrid has a learned "
            "correction above the line, and below it is the sinusoidal table alone: it loses the correction, and nothing "
            "else."
        ),
        Table(
            gettext("trained length = 16 and d_model = {d_model}").format(d_model=D_MODEL),
            [gettext("position"), *(gettext("{table}, dim 0").format(table=word) for word in words)],
            [
                [p, *(gettext("no row") if np.isnan(one[p, 0]) else float(one[p, 0]) for one in shown)]
                for p in (0, 1, 14, 15, 16, 17, 31)
            ],
        ),
        reads="said",
        pick=Pick("pointermove", {"at_position": "position", "at_dim": "dim"}),
    )
