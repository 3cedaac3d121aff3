"""The arrays of a step in the colours of the devices that hold their rows, as asked and with a mistake."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import choice, held, listed, said
from grader.page.figure import Figure, Table, same

N, D, DEVICES = 8, 4, (1, 2, 4)
MISTAKES = (None, "weights-whole", "gathered-outside", "batch-whole")
ROWS = (N, D, D, D, D)  # of x, W, U, G and the new W


def figures(reference):
    alone = reference(0, N, D, 1)
    made = [[_parts(alone, alone)] for _ in MISTAKES]
    for listed_parts, mistake in zip(made, MISTAKES, strict=True):
        chosen = {} if mistake is None else {"mistake": mistake}
        listed_parts += [_parts(reference(0, N, D, devices, **chosen), alone) for devices in DEVICES[1:]]
    return [_arrays(np.array(made, int))]


def _parts(result, alone):
    """How many rows of each array a device holds; all other numbers are those of one device."""
    shapes = -2 * len(ROWS)
    same(result[:shapes], alone[:shapes])
    rows, columns = result[shapes:].reshape(-1, 2).T
    same(columns, np.full(len(ROWS), D))
    return rows


def _arrays(parts):
    ways = (
        gettext("as asked"),
        gettext("W placed whole"),
        gettext("W gathered outside of the loss"),
        gettext("x placed whole"),
    )
    places = {"x": (0, 0), "W": (0, 5), "U": (6, 5), "G": (0, 10), gettext("new W"): (6, 10)}
    cells = [
        {"name": name, "array": array, "line": i, "row": top + i, "column": left + j}
        for array, (name, (top, left)) in enumerate(places.items())
        for i in range(ROWS[array])
        for j in range(D)
    ]
    held_rows = "parts[way][at][datum.array]"
    holder = f"floor(datum.line / {held_rows})"
    everywhere = f"{held_rows} == {list(ROWS)}[datum.array]"
    drawn = listed(*cells, device=f"devices > 1 && {everywhere} ? everywhere : names[{holder}]")
    grid = {"axis": None, "type": "ordinal"}
    x, y = (
        alt.X("column", scale=alt.Scale(domain=list(range(15)), paddingInner=0.06), **grid),
        alt.Y("row", scale=alt.Scale(domain=list(range(-1, 10)), paddingInner=0.08), **grid),
    )
    boxes = drawn.mark_rect(aria=False).encode(
        x=x,
        y=y,
        color=alt.Color("device:N", title=gettext("held by")),
        tooltip=[alt.Tooltip("name:N", title=gettext("array")), alt.Tooltip("device:N", title=gettext("held by"))],
    )
    names = listed(*({"name": name, "row": top - 1, "column": left} for name, (top, left) in places.items()))
    names = names.mark_text(align="left", dx=-6, fontSize=13, aria=False).encode(x=x, y=y, text="name:N")
    total = D * sum(ROWS)
    numbers = parts.sum(axis=-1) * D
    message = gettext("{way}, devices: {devices}. Each device holds {part} of the {all} numbers of these arrays")
    return Figure(
        gettext("Cut or whole"),
        (boxes + names)
        .properties(width="container", height=320)
        .add_params(
            choice("way", gettext("program"), range(len(ways)), labels=ways),
            choice("devices", gettext("devices"), DEVICES, DEVICES[-1]),
            alt.param("at", expr="devices == 1 ? 0 : devices == 2 ? 1 : 2"),
            alt.param("everywhere", value=gettext("every device")),
            alt.param("names", value=[gettext("device {device}").format(device=at) for at in range(DEVICES[-1])]),
            alt.param("ways", value=list(ways)),
            *held(parts=parts, counts=numbers),
            said(message, way="ways[way]", devices="devices", part="counts[way][at]", all=str(total)),
        ),
        gettext(
            "The rows of five arrays in the colours of the devices that hold them, by the shapes that the function "
            "returns. As asked, each of several devices holds a part of each array. With one mistake the loss and the new "
            "weights are the same numbers, and each device holds more of the arrays."
        ),
        Table(
            gettext("the numbers that each device holds, of {all}").format(all=total),
            [gettext("devices"), *ways],
            [[devices, *(int(one) for one in numbers[:, at])] for at, devices in enumerate(DEVICES)],
        ),
        reads="said",
    )
