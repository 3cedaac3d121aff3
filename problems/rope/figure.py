"""The pairs of one head as hands that turn with the position, each at a frequency of its own."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import ABOVE, fixed, held, listed, numbers, said, slider
from grader.page.figure import Figure, Table, same

T, D_HEAD = 101, 8


def figures(reference):
    x = np.asarray(jax.random.normal(jax.random.key(0), (T, 1, D_HEAD), dtype=jnp.float32), np.float64).reshape(
        T, D_HEAD
    )
    pairs = [one[:, 0::2] + 1j * one[:, 1::2] for one in (x, reference(0, T, 1, D_HEAD).reshape(T, D_HEAD))]
    turned = pairs[1] / pairs[0]
    # The hand of position 0 points to the right, and every other one has turned on from the position before.
    same(np.abs(turned), np.ones((T, D_HEAD // 2)))
    return [_hands(np.unwrap(np.angle(turned), axis=0))]


def _hands(angles):
    message = gettext(
        "Position {p}. Rounds that the pairs have turned, from the first to the last: {rounds}. All hands keep their length"
    )
    rounds = " + ', ' + ".join(fixed(f"angles[p][{k}] / (2 * PI)", 2) for k in range(D_HEAD // 2))
    scale = alt.Scale(domain=[-1.2, 1.2], nice=False)
    bare = alt.Axis(labels=False, ticks=False, domain=False, grid=False, **ABOVE)
    clocks = []
    for k in range(D_HEAD // 2):
        fields = {"x": f"cos(angles[datum.at][{k}])", "y": f"sin(angles[datum.at][{k}])"}
        title = gettext("dimensions {first} and {second}").format(first=2 * k, second=2 * k + 1)
        xy = {"x": alt.X("x:Q", scale=scale, axis=None), "y": alt.Y("y:Q", title=title, scale=scale, axis=bare)}
        rim = numbers("at", 65, x="cos(datum.at * PI / 32)", y="sin(datum.at * PI / 32)")
        rim = rim.mark_line(opacity=0.3, aria=False).encode(order="at:Q", **xy)
        trail = numbers("at", T, **fields).transform_filter("datum.at <= p")
        trail = trail.mark_point(filled=True, size=25, aria=False).encode(**xy)
        hand = listed(at="p", zero="0", **fields).mark_rule(strokeWidth=3, aria=False)
        hand = hand.encode(x2="zero:Q", y2="zero:Q", **xy)
        tip = listed(at="p", **fields).mark_point(style="chosen", size=90, description=gettext("the chosen position"))
        clocks.append(alt.layer(rim, trail, hand, tip.encode(**xy)).properties(width=140, height=140))
    return Figure(
        gettext("Hands that turn"),
        alt.vconcat(alt.hconcat(*clocks[:2]), alt.hconcat(*clocks[2:])).add_params(
            slider("p", gettext("position"), 5, T - 1), *held(angles=angles), said(message, p="p", rounds=rounds)
        ),
        gettext(
            "A circle for each pair of one head. The hand points to the right at position 0, and the small dots are the "
            "positions before the chosen one. The first pair turns by 1 at each step, so it comes around after about 6. "
            "Each next pair turns ten times more slowly. Even {last} positions turn the last one by only {degrees} degrees."
        ).format(last=T - 1, degrees=round(np.degrees(angles[-1, -1]))),
        Table(
            gettext("rounds turned, for {setting}").format(setting=f"d_head = {D_HEAD}"),
            [
                gettext("position"),
                *(
                    gettext("dimensions {first} and {second}").format(first=k, second=k + 1)
                    for k in range(0, D_HEAD, 2)
                ),
            ],
            [[p, *(angles[p] / (2 * np.pi))] for p in (0, 1, 2, 3, 6, 10, 31, 63, 100)],
        ),
        reads="said",
    )
