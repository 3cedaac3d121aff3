"""Which block of the causal scores each device computes in which round."""

import altair as alt

from grader.locale.language import gettext
from grader.page.chart import choice, matrix, said, slider
from grader.page.figure import Figure, Table, same

T, D, DEVICES = 12, 2, (2, 3, 4)


def figures(reference):
    same(reference(0, T, D, DEVICES[-1]), reference(0, T, D, 1))  # the blocks of all rounds are the whole
    return [_blocks()]


def _blocks():
    # counts[devices][round]: the scores that the mask leaves.
    sizes = [T // devices for devices in DEVICES]
    counts = [
        [devices * size * (size + 1) // 2, *(size**2 * (devices - at) for at in range(1, devices))]
        for devices, size in zip(DEVICES, sizes, strict=True)
    ]
    message = gettext(
        "Round {round}, with {devices} devices: {all} scores are computed, and the mask leaves {count}. Devices whose block "
        "is hidden as a whole: {round}"
    )
    told = {"round": "round", "devices": "devices", "all": f"{T * T} / devices"}
    names = [gettext("device {device}").format(device=device) for device in range(DEVICES[-1])]
    cells = matrix(
        *(T, T, gettext("query a"), gettext("key b")),
        device=f"floor(datum.row * devices / {T})",
        source=f"floor(datum.column * devices / {T})",
        round="(datum.device - datum.source + devices) % devices",
        name="names[datum.device]",
        strength="datum.round == round ? 1 : 0.3",
    ).transform_filter("datum.round <= round")
    seen = cells.transform_filter("datum.column <= datum.row").mark_rect(aria=False)
    seen = seen.encode(
        color=alt.Color("name:N", title=gettext("computed by"), scale=alt.Scale(domain=names)),
        opacity=alt.Opacity("strength:Q", scale=None),
        tooltip=[
            alt.Tooltip(f"{field}:N", title=title)
            for field, title in (("name", gettext("device")), ("source", gettext("block")), ("round", gettext("round")))
        ],
    )
    hidden = cells.transform_filter("datum.column > datum.row && datum.round == round")
    hidden = hidden.mark_text(text="×", fontSize=14, opacity=0.6, aria=False)
    return Figure(
        gettext("Which block in which round"),
        (seen + hidden)
        .properties(width="container", height=320)
        .add_params(
            choice("devices", gettext("devices"), DEVICES, DEVICES[-1]),
            slider("round", gettext("round"), 1, DEVICES[-1] - 1),
            alt.param("last", expr="devices - 1"),
            alt.param("names", value=names),
            alt.param("counts", value=counts),
            said(message, count=f"counts[indexof({list(DEVICES)}, devices)][round]", **told),
        ),
        gettext(
            "A row for each query, a column for each key, in the colours of the devices that compute the scores. Full "
            "colours are this round, pale ones the rounds before. A cross is a score that the mask hides. Each round moves "
            "all blocks by one device. From the last device a block goes to device 0, where all its keys come later."
        ),
        Table(
            gettext("T = {T} and {devices} devices").format(T=T, devices=DEVICES[-1]),
            [
                gettext("round"),
                gettext("scores computed"),
                gettext("left by the mask"),
                gettext("blocks hidden as a whole"),
            ],
            [[at, T * T // DEVICES[-1], count, at] for at, count in enumerate(counts[-1])],
        ),
        reads="said",
        ends={"round": "last"},
    )
