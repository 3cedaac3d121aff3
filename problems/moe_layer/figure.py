"""Which experts each token goes through, with which weight, and how many tokens each expert gets."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, fixed, held, listed, matrix, numbers, said, slider, tips
from grader.page.figure import Figure, Table, same

N, D, E = 16, 8, 6


def figures(reference):
    keys = jax.random.split(jax.random.key(0), 4)
    shapes = (N, D), (D, E), (E, D, 2 * D), (E, 2 * D, D)
    drawn = [np.asarray(jax.random.normal(key, one, jnp.float32)) for key, one in zip(keys, shapes, strict=True)]
    x, router, first, second = (
        one / size for one, size in zip(drawn, (1, D**0.5, D**0.5, (2 * D) ** 0.5), strict=True)
    )
    order = np.argsort(-(x @ router), axis=1)
    # With k = 1, each token is what the first expert of its order makes of it.
    alone = [np.maximum(token @ first[e], 0) @ second[e] for token, e in zip(x, order[:, 0], strict=True)]
    same(np.array(alone), reference(0, N, D, E, 1))
    return [_routes(np.exp(x @ router), order.argsort(axis=1))]


def _routes(powers, places):
    totals = np.array([(powers * (places < k)).sum(axis=1) for k in range(E + 1)])
    loads = np.array([(places < k).sum(axis=0) for k in range(E + 1)])
    message = gettext(
        "k = {k}: the expert with the most tokens gets {high} of {N}, and the one with the fewest {low}. An even share is "
        "{even}"
    )
    told = {"high": "extent(loads[k])[1]", "low": "extent(loads[k])[0]", "even": fixed(f"{N} * k / {E}", 1)}
    cells = matrix(N, E, gettext("token"), gettext("expert")).transform_filter("places[datum.row][datum.column] < k")
    cells = cells.transform_calculate(weight="powers[datum.row][datum.column] / totals[k][datum.row]").encode(
        tooltip=tips(row=gettext("token"), column=gettext("expert"), weight=gettext("weight"))
    )
    weights = cells.mark_rect(aria=False).encode(
        color=alt.Color("weight:Q", title=gettext("weight"), scale=alt.Scale(domain=[0, 1], range="ramp"))
    )
    bars = numbers("expert", E, load="loads[k][datum.expert]").mark_bar(aria=False)
    bars = bars.encode(
        x=alt.X("expert:O", title=gettext("expert"), axis=alt.Axis(labelAngle=0)),
        y=alt.Y(**along("load", gettext("tokens"), 0, N)),
        tooltip=tips(0, expert=gettext("expert"), load=gettext("tokens")),
    )
    even = listed(load=f"{N} * k / {E}").mark_rule(strokeDash=[4, 4], aria=False).encode(y="load:Q")
    return Figure(
        gettext("Who goes where"),
        alt.vconcat(
            weights.properties(width="container", height=280), (bars + even).properties(width="container", height=110)
        ).add_params(
            slider("k", "k", 2, E, 1),
            *held(powers=powers, places=places, totals=totals, loads=loads),
            said(message, k="k", N=str(N), **told),
        ),
        gettext(
            "A row for each token, a column for each expert. Each token has k coloured cells, whose weights add up to 1. "
            "With a larger k, each expert of a token gets a smaller part. The bars say how many tokens each expert gets, "
            "and the dashed line is an even share. Nothing in the router makes the shares even."
        ),
        Table(
            gettext("{N} tokens: how many go through each expert").format(N=N),
            ["k", *(gettext("expert {expert}").format(expert=e) for e in range(E))],
            [[k, *loads[k].tolist()] for k in range(1, E + 1)],
        ),
        reads="said",
        section="A worked example",
    )
