"""The matrices of the layer in the colours of the devices that hold their columns and rows."""

import altair as alt

from grader.locale.language import gettext
from grader.page.chart import choice, listed, said, slider
from grader.page.figure import Figure, Pick, Table, same

N, D, D_FF, DEVICES = 3, 4, 8, (1, 2, 4)


def figures(reference):
    for devices in DEVICES[1:]:
        same(reference(0, N, D, D_FF, devices), reference(0, N, D, D_FF, 1))
    return [_matrices()]


def _matrices():
    # A product stands where the rows of its left factor and the columns of its right factor meet.
    places = {"x": (9, 0, N, D), "b1": (2, 5, 1, D_FF), "w1": (4, 5, D, D_FF), gettext("hidden"): (9, 5, N, D_FF)}
    places |= {"w2": (0, 14, D_FF, D), "y": (9, 14, N, D)}
    cells = [
        {"name": name, "row": top + i, "column": left + j}
        | ({} if name in "xy" else {"unit": i if name == "w2" else j})
        for name, (top, left, rows, columns) in places.items()
        for i in range(rows)
        for j in range(columns)
    ]
    message = gettext(
        "Hidden unit {unit} belongs to device {device}: column {unit} of w1, number {unit} of b1, row {unit} of w2. Each "
        "device holds {part} of the {all} numbers of these three"
    )
    grid = {"axis": None, "type": "ordinal"}
    x, y = (
        alt.X("column", scale=alt.Scale(domain=list(range(18)), paddingInner=0.06), **grid),
        alt.Y("row", scale=alt.Scale(domain=list(range(-1, 12)), paddingInner=0.08), **grid),
    )
    drawn = listed(*cells, device=f"!isNumber(datum.unit) ? everywhere : names[floor(datum.unit * devices / {D_FF})]")
    colour = alt.Color("device:N", title=gettext("held by"))
    boxes = drawn.mark_rect(aria=False).encode(
        x=x, y=y, color=colour, tooltip=alt.Tooltip("name:N", title=gettext("matrix"))
    )
    chosen = (
        drawn.transform_filter("datum.unit == unit").mark_point(style="cursor", size=60, aria=False).encode(x=x, y=y)
    )
    names = listed(*({"name": name, "row": top - 1, "column": left} for name, (top, left, _, _) in places.items()))
    names = names.mark_text(align="left", dx=-6, fontSize=13, aria=False).encode(x=x, y=y, text="name:N")
    told = {"unit": "unit", "device": f"floor(unit * devices / {D_FF})", "part": f"{D_FF * (2 * D + 1)} / devices"}
    return Figure(
        gettext("One unit, one device"),
        (boxes + chosen + names)
        .properties(width="container", height=320)
        .add_params(
            choice("devices", gettext("devices"), DEVICES, DEVICES[-1]),
            slider("unit", gettext("hidden unit"), 5, D_FF - 1),
            alt.param("everywhere", value=gettext("every device")),
            alt.param("names", value=[gettext("device {device}").format(device=at) for at in range(DEVICES[-1])]),
            said(message, all=str(D_FF * (2 * D + 1)), **told),
        ),
        gettext(
            "Each product stands where the rows of its left factor meet the columns of its right factor. The colours are "
            "the devices. A frame marks what belongs to the chosen hidden unit: all of it is on one device, so gelu needs "
            "no other device. Each number of y is a sum over all hidden units, so it needs all devices."
        ),
        Table(
            gettext("d = {d} and {setting}").format(d=D, setting=f"d_ff = {D_FF}"),
            [gettext("devices"), gettext("units on device 0"), gettext("numbers of w1, b1 and w2 on each device")],
            [
                [
                    f"{devices}",
                    gettext("{first} to {last}").format(first=0, last=D_FF // devices - 1),
                    D_FF * (2 * D + 1) // devices,
                ]
                for devices in DEVICES
            ],
        ),
        reads="said",
        pick=Pick("click", {"unit": "unit"}),
    )
