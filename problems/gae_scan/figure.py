"""The advantage of every step, and how much of it comes from later steps, by gamma and lambda."""

import altair as alt
import jax
import numpy as np

from grader.locale.language import gettext
from grader.page.chart import choice, fixed, held, listed, numbers, slider, tips
from grader.page.figure import Figure, Pick, Table, expression, same

SEED, T, GAMMAS, LAMBDAS = 6, 16, (0.9, 1.0), (0.0, 0.5, 0.8, 1.0)


def figures(reference):
    done = np.asarray(jax.random.bernoulli(jax.random.split(jax.random.key(SEED), 3)[2], 0.2, (T,)))
    advantages = np.array([[reference(SEED, T, gamma, lam) for lam in LAMBDAS] for gamma in GAMMAS])
    # With lambda 0 the advantage is the error of the step alone, and so it is for the last step of an episode.
    same(advantages[:, :, done], np.repeat(advantages[:, :1, done], len(LAMBDAS), axis=1))
    return [_bars(advantages, done)]


def _bars(advantages, done):
    ends = [int(t + done[t:].argmax()) if done[t:].any() else T - 1 for t in range(T)]
    message = gettext(
        "Step {t}: error {error}, advantage {advantage}. The difference, {rest}, comes from later steps, as far as step "
        "{end}"
    )
    alone = gettext("Step {t}: error {error}, advantage {advantage}. No later step belongs to its episode")
    told = {"error": fixed("now[0][t]"), "advantage": fixed("now[at][t]"), "rest": fixed("now[at][t] - now[0][t]")}
    said = f"ends[t] == t ? {expression(alone, t='t', **told)} : {expression(message, t='t', end='ends[t]', **told)}"
    names = gettext("advantage"), gettext("error of the step alone")
    colour = alt.Color("name:N", title=None, scale=alt.Scale(domain=names))
    steps = numbers("step", T, advantage="now[at][datum.step]", error="now[0][datum.step]").encode(
        x=alt.X("step:O", title=gettext("step"), axis=alt.Axis(labelAngle=0)),
        tooltip=tips(step=gettext("step"), advantage=gettext("advantage")),
    )
    y = {"title": None, "scale": alt.Scale(domain=[-6, 6], nice=False)}
    bars = steps.transform_calculate(name="names[0]").mark_bar(aria=False)
    bars = bars.encode(y=alt.Y("advantage:Q", **y), color=colour)
    errors = steps.transform_calculate(name="names[1]").mark_tick(thickness=3, aria=False)
    errors = errors.encode(y=alt.Y("error:Q", **y), color=colour)
    here = steps.transform_filter("datum.step == t").encode(y=alt.Y("advantage:Q", **y))
    here = here.mark_point(style="chosen", size=100, description=gettext("the chosen step"))
    cuts = listed(*({"step": int(t)} for t in np.flatnonzero(done))).mark_rule(strokeDash=[4, 4], aria=False)
    cuts = cuts.encode(x=alt.X("step:O", bandPosition=1))
    return Figure(
        gettext("How far back an error is felt"),
        (bars + cuts + errors + here)
        .properties(width="container", height=260)
        .add_params(
            choice("lam", "lam", LAMBDAS, 0.8),
            choice("gamma", "gamma", GAMMAS, 0.9),
            slider("t", gettext("step"), 5, T - 1),
            alt.param("at", expr=f"indexof({list(LAMBDAS)}, lam)"),
            alt.param("names", value=list(names)),
            *held(advantages=advantages, ends=ends),
            alt.param("now", expr=f"advantages[indexof({list(GAMMAS)}, gamma)]"),
            alt.param("said", expr=said),
        ),
        gettext(
            "A bar for the advantage of each step, and a short line for its own error. A dashed line is the end of an "
            "episode. With lam = 0 both are equal. With a larger lam the errors of later steps count too, each step away "
            "by another factor of gamma times lam. No error counts across a dashed line."
        ),
        Table(
            f"gamma = {GAMMAS[0]}",
            [gettext("step"), gettext("ends an episode"), *(f"lam = {lam:g}" for lam in LAMBDAS)],
            [[t, gettext("yes") if done[t] else gettext("no"), *advantages[0, :, t]] for t in range(T)],
        ),
        reads="said",
        pick=Pick("click", {"t": "step"}),
    )
