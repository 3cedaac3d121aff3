"""The learning rate of every step, by the length of the warmup and by the floor."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, choice, fixed, held, listed, numbers, slider, tips
from grader.page.figure import Figure, Table, expression, same

STEPS, FLOORS = 20, (0.0, 0.2, 0.5)


def figures(reference):
    rates = np.array([[reference(0, STEPS, warmup, 1.0, floor) for warmup in range(STEPS)] for floor in FLOORS])
    for warmup in range(STEPS):
        same(rates[:, warmup, warmup], np.ones(len(FLOORS)))
        same(rates[:, warmup, STEPS:], np.repeat(FLOORS, 2))
    return [_curve(rates)]


def _curve(rates):
    falls = np.maximum(-np.diff(rates), 0.0)
    first = falls[:, np.arange(STEPS), np.arange(STEPS)]
    rises = gettext("The rate rises by {rise} in each step, as far as step {step}.")
    none = gettext("The rate begins at the peak, because there is no warmup.")
    down = gettext(
        "Then it falls by {first} in the first step, and by {most} in the fastest. From step {last} on it is {floor}"
    )
    up = f"warmup == 0 ? {expression(none)} : {expression(rises, rise=fixed('1 / warmup'), step='warmup')}"
    told = {"first": fixed("first[at][warmup]"), "most": fixed("fastest[at][warmup]"), "floor": fixed("floor", 1)}
    said = f"({up}) + ' ' + {expression(down, last=str(STEPS), **told)}"
    steps = numbers("step", STEPS + 2, rate="rates[at][warmup][datum.step]").encode(
        x=alt.X(**along("step", gettext("step"), 0, STEPS + 1, grid=False)),
        y=alt.Y(**along("rate", gettext("learning rate"), 0, 1.1)),
        tooltip=tips(step=gettext("step"), rate=gettext("learning rate")),
    )
    curve = steps.mark_line(aria=False) + steps.mark_point(filled=True, size=45, aria=False)
    end = steps.transform_filter("datum.step == warmup").mark_point(
        style="chosen", size=120, description=gettext("the end of the warmup")
    )
    levels = listed(
        *({"name": name, "peak": peak} for name, peak in ((gettext("peak"), 1), (gettext("floor"), 0))),
        rate="datum.peak ? 1 : floor",
        step=str(STEPS + 1),
    ).encode(y="rate:Q")
    marked = levels.mark_rule(strokeDash=[4, 4], aria=False)
    names = levels.mark_text(align="right", dy=-8, aria=False).encode(x="step:Q", text="name:N")
    controls = slider("warmup", "warmup", 5, STEPS - 1), choice("floor", "floor", FLOORS, FLOORS[1])
    at = alt.param("at", expr=f"indexof({list(FLOORS)}, floor)")
    data = held(rates=rates, first=first, fastest=falls.max(axis=-1))
    return Figure(
        gettext("Up a line, down a wave"),
        (marked + curve + end + names)
        .properties(width="container", height=240)
        .add_params(*controls, at, *data, alt.param("said", expr=said)),
        gettext(
            "The learning rate of each step, with a peak of 1 and {steps} steps. It rises along a straight line to the end "
            "of the warmup, which the large dot marks. Then it falls: slowly at first, fast in the middle, slowly at the "
            "end. After that it stays at the floor. A longer warmup leaves fewer steps for the fall, so the fall is "
            "steeper."
        ).format(steps=STEPS),
        Table(
            f"steps = {STEPS}, peak = 1, floor = {FLOORS[1]}",
            [gettext("step"), *(f"warmup = {warmup}" for warmup in (0, 5, 10))],
            [[step, *rates[1, [0, 5, 10], step]] for step in (0, 1, 2, 5, 8, 10, 12, 15, 18, 20, 21)],
        ),
        reads="said",
    )
