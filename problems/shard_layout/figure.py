"""An array in the colours of the devices that hold it, for meshes and specs."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import choice, held, matrix, said
from grader.page.figure import Figure, Table

N, M, DEVICES = 8, 8, 4
MESHES, SPECS = ((2, 2), (1, 4), (4, 1)), ('P("x", "y")', 'P(("y", "x"))', 'P(None, "x")')


def figures(reference):
    array = reference(0, N, M, 1, 1)[: N * M]  # one device holds all
    return [_array(np.array([_holders(array, reference(0, N, M, *mesh), mesh[0]) for mesh in MESHES]))]


def _holders(array, told, a):
    """Who holds each number, by spec: 1 for device 0, 2 for device 1, 4 for device 2, 8 for device 3, added up."""
    by_device = (np.split(one, DEVICES) for one in np.split(told, [N * M, 2 * N * M]))
    return [sum(np.isin(array, part) << device for device, part in enumerate(parts)) for parts in by_device]


def _array(holders):
    words = [", ".join(str(device) for device in range(DEVICES) if bits >> device & 1) for bits in range(1 << DEVICES)]
    copies = [[bin(bits[0]).count("1") for bits in by_spec] for by_spec in holders]
    message = gettext(
        "{a} rows and {b} columns of devices, {spec}: each device holds {part} of {all} numbers. Each number lies on "
        "{copies} of {devices} devices"
    )
    told = {"a": "meshes[mesh][0]", "b": "meshes[mesh][1]", "spec": "specs[spec]", "copies": "copies[mesh][spec]"}
    counts = {"all": str(N * M), "devices": str(DEVICES), "part": f"{N * M // DEVICES} * copies[mesh][spec]"}
    cells = matrix(N, M, gettext("row"), gettext("column"), holders="words[holders[mesh][spec][datum.cell]]")
    return Figure(
        gettext("Who holds what"),
        cells.mark_rect(aria=False)
        .encode(
            color=alt.Color("holders:N", title=gettext("devices"), legend=alt.Legend(columns=4)),
            tooltip=alt.Tooltip("holders:N", title=gettext("devices")),
        )
        .properties(width="container", height=280)
        .add_params(
            choice("mesh", gettext("mesh"), range(len(MESHES)), labels=[f"{a} × {b}" for a, b in MESHES]),
            choice("spec", "spec", range(len(SPECS)), labels=SPECS),
            alt.param("words", value=words),
            alt.param("specs", value=list(SPECS)),
            *held(meshes=MESHES, holders=holders, copies=copies),
            said(message, **told, **counts),
        ),
        gettext(
            "The array of {N} rows and {M} columns, in the colours of the devices that hold its numbers. With two names, "
            "each device has a part of its own. In a tuple the first name is the slow one, so the order of the devices "
            "changes. Where the spec names one axis alone, devices that differ in the other axis hold copies."
        ).format(N=N, M=M),
        Table(
            gettext("the devices that hold a number in the mesh 2 × 2"),
            [gettext("row and column"), *SPECS],
            [
                [
                    gettext("{row} and {column}").format(row=i, column=j),
                    *(words[spec[M * i + j]] for spec in holders[0]),
                ]
                for i in (0, 2, 4, 6)
                for j in (0, 4)
            ],
        ),
        reads="said",
    )
