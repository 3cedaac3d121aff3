"""A shift as a turn: one pair as the hand of a clock, before and after the reference's matrix."""

import altair as alt
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Table, expression, rounded, same

D_MODEL, MOST = 8, 40


def figures(reference):
    blocks = np.array([_blocks(reference(0, D_MODEL, delta)) for delta in range(2 * MOST + 1)])
    # Two shifts one after the other are one shift by their sum: the hands of the figure are made that way.
    same(blocks[13] @ blocks[7], blocks[20])
    same(np.swapaxes(blocks, -1, -2)[5], _blocks(reference(0, D_MODEL, -5)))
    return [_clock(rounded(blocks[:, :, 0, :]), blocks)]


def _blocks(matrix):
    """The two by two block of each pair, of shape (pairs, 2, 2)."""
    blocks = matrix.reshape(D_MODEL // 2, 2, D_MODEL // 2, 2)
    return np.stack([blocks[pair, :, pair, :] for pair in range(D_MODEL // 2)])


def _clock(turns, blocks):
    pair, position, delta = (
        alt.param(name, value=value, bind=alt.binding_range(min=0, max=most, step=1, name=f"{label} "))
        for name, value, most, label in (
            ("pair", 1, D_MODEL // 2 - 1, gettext("pair")),
            ("position", 10, MOST, gettext("position p")),
            ("delta", 5, MOST, gettext("shift by delta")),
        )
    )
    # Position p is position 0 shifted by p. Position 0 is (sin 0, cos 0): a hand that points up.
    turned = alt.param("turns", value=turns)
    hands = (
        alt.Chart(alt.Data(values=[{"hand": "p"}, {"hand": "p + delta"}]))
        .transform_calculate(p="datum.hand == 'p' ? position : position + delta")
        .transform_calculate(sine="turns[datum.p][pair][1]", cosine="turns[datum.p][pair][0]", zero="0")
    )
    scale = alt.Scale(domain=[-1.3, 1.3], nice=False)
    lines = hands.mark_rule(strokeWidth=3, aria=False).encode(
        x=alt.X("zero:Q", title=gettext("sine"), scale=scale),
        x2="sine:Q",
        y=alt.Y("zero:Q", title=gettext("cosine"), scale=scale),
        y2="cosine:Q",
        color=alt.Color("hand:N", scale=alt.Scale(range="category"), legend=None),
    )
    ends = hands.mark_point(size=140, filled=True).encode(
        x=alt.X("sine:Q", title=gettext("sine")),
        y=alt.Y("cosine:Q", title=gettext("cosine")),
        color=alt.Color("hand:N", title=gettext("hand")),
        shape=alt.Shape("hand:N", title=gettext("hand"), legend=None),
        tooltip=[
            alt.Tooltip("sine:Q", title=gettext("sine"), format=".4f"),
            alt.Tooltip("cosine:Q", title=gettext("cosine"), format=".4f"),
        ],
    )
    names = hands.mark_text(fontSize=13, dy=-14, aria=False).encode(x="sine:Q", y="cosine:Q", text="hand:N")
    circle = (
        alt.Chart(alt.sequence(0, 101, as_="part"))
        .transform_calculate(x="sin(datum.part * PI / 50)", y="cos(datum.part * PI / 50)")
        .mark_line(strokeWidth=1, opacity=0.6, aria=False)
        .encode(x="x:Q", y="y:Q", order="part:Q")
    )
    said = alt.param(
        "said",
        expr=expression(
            gettext(
                "Pair {pair}, position {position}: sine {sine}, cosine {cosine}. Shifted by {delta}: sine "
                "{shifted_sine}, cosine {shifted_cosine}"
            ),
            pair="pair",
            position="position",
            sine="format(turns[position][pair][1], '.4f')",
            cosine="format(turns[position][pair][0], '.4f')",
            delta="delta",
            shifted_sine="format(turns[position + delta][pair][1], '.4f')",
            shifted_cosine="format(turns[position + delta][pair][0], '.4f')",
        ),
    )
    chart = (
        (circle + lines + ends + names)
        .properties(width=280, height=280)
        .add_params(pair, position, delta, turned, said)
    )
    return Figure(
        gettext("A shift turns every hand"),
        chart,
        gettext(
            "The sine and the cosine of one pair are the end of a hand of a clock. A shift by delta turns the hand by "
            "the same angle, wherever it stood: move the position, and the angle between the two hands stays. The hand "
            "of pair 0 turns fastest, that of pair 3 a thousand times more slowly."
        ),
        Table(
            f"d_model = {D_MODEL}",
            [
                gettext("shift by delta"),
                *(
                    what.format(pair=pair)
                    for pair in (0, 1)
                    for what in (gettext("cosine of pair {pair}"), gettext("sine of pair {pair}"))
                ),
            ],
            [[delta, *blocks[delta, 0, 0], *blocks[delta, 1, 0]] for delta in (0, 1, 2, 3, 5, 10, 20, 40)],
        ),
        reads="said",
    )
