"""The frequency of every pair before and after: kept, blended or divided."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import ABOVE, along, choice, fixed, held, numbers, said, slider
from grader.page.figure import Figure, Table, same

D_HEAD, BASE, ORIGINAL, FACTORS = 64, 10000.0, 4096.0, (2.0, 4.0, 8.0, 16.0)
PAIRS = D_HEAD // 2


def figures(reference):
    told = np.array([reference(0, D_HEAD, BASE, factor, ORIGINAL) for factor in FACTORS])
    before = BASE ** (-2 * np.arange(PAIRS) / D_HEAD)
    after = told[:, :PAIRS]
    same(after[:, 0], before[:1].repeat(len(FACTORS)))  # the fastest pair is kept
    return [_frequencies(before, after)]


def _frequencies(before, after):
    scale = np.array(FACTORS)[:, None]
    slower = before / after
    # 0 is kept, 1 is blended, 2 is divided.
    kind = np.where(slower < 1 + 1e-4, 0, np.where(slower > scale - 1e-4, 2, 1))
    kinds = gettext("kept"), gettext("blended"), gettext("divided")
    message = gettext(
        "Factor {factor}, pair {pair}: {kind}. It makes {turns} turns in a text of the training. In one that is {factor} "
        "times as long it makes {longer}, and {unchanged} if its frequency were kept"
    )
    rounds = f"{ORIGINAL} / (2 * PI) * "
    told = {
        "turns": rounds + "before[pair]",
        "longer": rounds + "factor * after[at][pair]",
        "unchanged": rounds + "factor * before[pair]",
    }
    pairs = numbers("pair", PAIRS, kind="kinds[kind[at][datum.pair]]", turns=rounds + "factor * after[at][datum.pair]")
    pairs = pairs.transform_calculate(kept=rounds + "factor * before[datum.pair]", known=rounds + "before[datum.pair]")
    x = alt.X(**along("pair", gettext("pair"), 0, PAIRS - 1, tickMinStep=1))
    log = alt.Scale(type="log", domain=[0.05, 20000], nice=False)
    y = {
        "title": gettext("turns"),
        "scale": log,
        "axis": alt.Axis(**ABOVE, values=[0.1, 1, 10, 100, 1000, 10000], format="~g"),
    }
    known = pairs.mark_line(strokeDash=[2, 3], aria=False).encode(x=x, y=alt.Y("known:Q", **y))
    kept = pairs.mark_line(aria=False, opacity=0.6).encode(x=x, y=alt.Y("kept:Q", **y))
    turned = pairs.mark_point(filled=True, size=60, opacity=1, aria=False)
    turned = turned.encode(x=x, y=alt.Y("turns:Q", **y), color=alt.Color("kind:N", title=None, sort=list(kinds)))
    here = pairs.transform_filter("datum.pair == pair").encode(x=x, y=alt.Y("turns:Q", **y))
    here = here.mark_point(style="chosen", filled=False, size=220, strokeWidth=3, description=gettext("the chosen dot"))
    return Figure(
        gettext("Which pairs are slowed"),
        (known + kept + turned + here)
        .properties(width="container", height=280)
        .add_params(
            choice("factor", gettext("factor"), FACTORS, 4.0),
            slider("pair", gettext("pair"), 18, PAIRS - 1),
            alt.param("at", expr=f"indexof({list(FACTORS)}, factor)"),
            alt.param("kinds", value=list(kinds)),
            alt.param("before", value=[float(f"{one:.7g}") for one in before]),
            alt.param("after", value=[[float(f"{one:.7g}") for one in each] for each in after]),
            *held(kind=kind),
            said(
                message,
                factor="factor",
                pair="pair",
                kind="kinds[kind[at][pair]]",
                **{n: fixed(v, 2) for n, v in told.items()},
            ),
        ),
        gettext(
            "How often each pair turns, on a scale where every line is ten times the one below. The dotted line is a "
            "text of the training, the full line one that is longer by the factor, without any change. The dots are the "
            "longer text with the new frequencies. Fast pairs stay on the full line. The slowest pairs are back on the "
            "dotted line, so none of their angles is new."
        ),
        Table(
            gettext("d_head = {d_head}, base = 10000, original = 4096, factor = 4").format(d_head=D_HEAD),
            [gettext("pair"), gettext("turns in training"), gettext("turns in the longer text"), gettext("frequency")],
            [
                [k, *(f"{ORIGINAL / (2 * np.pi) * one:.2f}" for one in (before[k], 4 * after[1, k])), kinds[kind[1, k]]]
                for k in (0, 5, 10, 12, 15, 18, 20, 22, 25, 31)
            ],
        ),
        reads="said",
        section="A worked example",
    )
