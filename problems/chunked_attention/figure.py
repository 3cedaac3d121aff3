"""The table of scores, block by block: which keys are read in which round, and where each query has its maximum."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import held, matrix, slider, tips
from grader.page.figure import Figure, Table, expression, same

T, D, SCALE, LARGEST, COLUMNS = 12, 4, 1.0, 6, 15


def figures(reference):
    drawn = (jax.random.normal(key, (T, D), dtype=jnp.float32) for key in jax.random.split(jax.random.key(0), 3))
    q, k, v = (np.asarray(one, np.float64) for one in drawn)
    scores = SCALE * q @ k.T / D**0.5
    powers = np.exp(scores)
    same(powers @ v / powers.sum(axis=1, keepdims=True), reference(0, T, D, 5, SCALE))
    return [_rounds(scores)]


def _rounds(scores):
    tops = np.array([scores[:, : max(seen, 1)].argmax(axis=1) for seen in range(T + 1)])
    # grown[block - 1][round - 1]: how many queries have a new maximum in this round.
    starts = [range(0, T, block) for block in range(1, LARGEST + 1)]
    grown = [[int((tops[min(start + each.step, T)] >= start).sum()) for start in each] for each in starts]
    first = gettext("Round 1 of {rounds}: keys 0 to {last}, {held} scores at once. Each query has its first maximum")
    later = gettext(
        "Round {round} of {rounds}: keys {from} to {last}, {held} scores at once. Queries with a larger maximum than "
        "before: {grown} of {T}"
    )
    told = {
        "round": "round",
        "rounds": "rounds",
        "from": "start",
        "last": "seen - 1",
        "held": f"{T} * block",
        "T": str(T),
    }
    told |= {"grown": "grown[block - 1][round - 1]"}
    said = f"round == 1 ? {expression(first, **told)} : {expression(later, **told)}"
    cells = matrix(T, COLUMNS, gettext("query i"), gettext("key j"))
    score = cells.transform_filter(f"datum.column < {T} && datum.column < seen").transform_calculate(
        score="scores[datum.row][datum.column]", now="datum.column >= start ? 1 : 0.25"
    )
    score = score.mark_rect(aria=False).encode(
        color=alt.Color(
            "score:Q", title=gettext("score"), scale=alt.Scale(domain=[-3, 3], range="diverging", clamp=True)
        ),
        opacity=alt.Opacity("now:Q", scale=None),
        tooltip=tips(row=gettext("query i"), column=gettext("key j"), score=gettext("score")),
    )
    padding = cells.transform_filter(f"datum.column >= {T} && datum.column < rounds * block")
    padding = padding.mark_text(text="×", fontSize=14, opacity=0.6, aria=False)
    tops_so_far = cells.transform_filter("datum.column == tops[seen][datum.row]")
    tops_so_far = tops_so_far.mark_point(style="chosen", size=60, aria=False)
    return Figure(
        gettext("Which scores exist in which round"),
        (score + padding + tops_so_far)
        .properties(width="container", height=300)
        .add_params(
            slider("block", "block", 5, LARGEST, 1),
            slider("round", gettext("round"), 2, T, 1),
            alt.param("rounds", expr=f"ceil({T} / block)"),
            alt.param("start", expr="(round - 1) * block"),
            alt.param("seen", expr=f"min(round * block, {T})"),
            alt.param("grown", value=grown),
            *held(scores=scores, tops=tops),
            alt.param("said", expr=said),
        ),
        gettext(
            "A row for each query, a column for each key. Only the scores with full colours exist in this round, and the "
            "pale ones are gone. Empty columns were not read yet, and a cross is padding. The dot of each row marks its "
            "largest score so far. Where a dot moves to a new block, what was summed before is made smaller."
        ),
        Table(
            gettext("{T} keys: queries with a new maximum in each round").format(T=T),
            ["block", *(gettext("round {round}").format(round=at) for at in range(1, 5))],
            [[block, *(grown[block - 1] + [""] * 4)[:4]] for block in range(3, LARGEST + 1)],
        ),
        reads="said",
        ends={"round": "rounds"},
    )
