"""Which stretches `jax.lax.associative_scan` joins in which round, as it calls its function."""

import altair as alt
import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import along, listed, said, slider, tips
from grader.page.figure import Figure, Table, same

T = 16


def figures(reference):
    return [_tree(_joins(T))]


def _joins(count):
    """Every join of so many steps: its round, the first and the last step of the earlier stretch, the last of both."""
    rounds = []

    def recorded(left, right):
        if left[0].size:  # JAX also calls it with no stretch at all
            rounds.append(zip(*(np.asarray(one).tolist() for one in (*left, right[1])), strict=True))
        return left[0], right[1]

    steps = jnp.arange(1, count + 1)
    same(jax.lax.associative_scan(recorded, (steps, steps))[0], np.ones(count))
    return [(at + 1, *join) for at, joins in enumerate(rounds) for join in joins]


def _tree(joins):
    made = {(step, step): 0 for step in range(1, T + 1)} | {(first, last): at for at, first, _, last in joins}
    parts = {(first, last): [(first, middle), (middle + 1, last)] for _, first, middle, last in joins}
    uses = {one: [] for one in made}
    for step in range(1, T + 1):
        reached = [(1, step)]
        for one in reached:
            uses[one].append(step)
            reached += parts.get(one, [])
    kinds = gettext("from step 1 on"), gettext("from a later step on")
    at = {one: {"step": one[1], "round": made[one]} for one in made}
    dots = [at[one] | {"first": one[0], "kind": kinds[one[0] > 1]} for one in made]
    lines = [at[part] | {"to": one[1], "next": made[one], "uses": uses[one]} for one in parts for part in parts[one]]
    x = alt.X(**along("step", gettext("step"), 0.5, T + 0.5, tickMinStep=1, grid=False))
    y = alt.Y(
        **along(
            "round",
            gettext("round"),
            joins[-1][0] + 0.4,
            -0.4,
            values=list(range(joins[-1][0] + 1)),
            grid=False,
            labelOverlap=False,
        )
    )
    needed = "indexof(datum.uses, step) >= 0"
    joined = listed(*lines).mark_rule(aria=False).encode(x=x, y=y, x2="to:Q", y2="next:Q")
    joined = joined.encode(
        strokeWidth=alt.condition(needed, alt.value(3), alt.value(1)),
        opacity=alt.condition(needed, alt.value(1), alt.value(0.4)),
    )
    stretches = listed(*dots).mark_point(filled=True, size=90, opacity=1, aria=False).encode(x=x, y=y)
    stretches = stretches.encode(
        color=alt.Color("kind:N", title=gettext("stretch"), sort=list(kinds)),
        tooltip=tips(0, first=gettext("first step"), step=gettext("last step")),
    )
    ring = listed(step="step", round="done[step - 1]").encode(x="step:Q", y="round:Q")
    ring = ring.mark_point(
        size=260, style="chosen", filled=False, strokeWidth=3, description=gettext("the chosen step")
    )
    message = gettext(
        "The state after step {step} is known after round {done}: {joins} joins lead to it. All {T} states need {rounds} "
        "rounds and {all} joins, and a loop over the steps needs {T} rounds"
    )
    needs = [sum(step in uses[one] for one in parts) for step in range(1, T + 1)]
    counts = {"T": str(T), "rounds": str(joins[-1][0]), "all": str(len(joins))}
    return Figure(
        gettext("Which stretches are joined when"),
        (joined + stretches + ring)
        .properties(width="container", height=280)
        .add_params(
            slider("step", gettext("step"), 14, T, 1),
            alt.param("done", value=[made[1, step] for step in range(1, T + 1)]),
            alt.param("needs", value=needs),
            said(message, step="step", done="done[step - 1]", joins="needs[step - 1]", **counts),
        ),
        gettext(
            "A dot for each stretch of neighbouring steps, at its last step and at the round that makes it. Two lines lead "
            "down to it from the two stretches that are joined. First the stretches become longer and fewer. Then those that"
            " begin at step 1 are joined with others, until every step has one. Thick lines lead to the chosen step."
        ),
        Table(
            gettext("the rounds that JAX makes"),
            ["T", gettext("rounds"), gettext("joins"), gettext("rounds of a loop")],
            [[count, made[-1][0], len(made), count] for count in (2, 4, 8, 16) for made in [_joins(count)]],
        ),
        reads="said",
    )
