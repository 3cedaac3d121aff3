"""Generalized advantage estimation (Schulman et al., 2015, arXiv:1506.02438, equations 11 to 16), with ends of episodes."""

import jax
import jax.numpy as jnp

from grader import Curve, Pitfall, Problem, Real, Trace, Whole, any_of


def gae_scan(
    seed,
    T,
    gamma,
    lam,
    *,
    advantage_cut="here",
    value_cut=True,
    mask="goes on",
    ends="here",
    direction="back",
    decay="both",
    value="subtracted",
    last="value",
    value_factor="gamma",
    start="zero",
    given_back="advantages",
    order="time",
):
    """The `(T,)` advantages: errors of later steps, summed from the last one back."""
    T, gamma, lam = int(T), float(gamma), float(lam)
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    rewards = jax.random.normal(k1, (T,), dtype=jnp.float32)
    values = jax.random.normal(k2, (T + 1,), dtype=jnp.float32)
    done = jax.random.bernoulli(k3, 0.2, (T,))

    none = jnp.zeros((1,), dtype=bool)
    if ends == "after":
        done = jnp.concatenate([done[1:], none])
    elif ends == "after, the last its own":
        done = jnp.concatenate([done[1:], done[-1:]])
    elif ends == "before":
        done = jnp.concatenate([none, done[:-1]])
    alive = jnp.where(done, 0.0, 1.0) if mask == "goes on" else jnp.where(done, 1.0, 0.0)

    following = values[1:]
    if last == "zero":
        following = jnp.concatenate([following[:-1], jnp.zeros(1)])
    following = alive * following if value_cut else following
    deltas = rewards + (gamma * following if value_factor == "gamma" else following)
    if value == "subtracted":
        deltas = deltas - values[:-1]
    elif value == "discounted too":
        deltas = deltas - gamma * values[:-1]
    elif value == "subtracted where it goes on":
        deltas = deltas - alive * values[:-1]

    factor = {"both": gamma * lam, "gamma": gamma, "lam": lam}[decay]
    one = jnp.ones((1,))
    cut = {
        "here": alive,
        "before": jnp.concatenate([one, alive[:-1]]),
        "after": jnp.concatenate([alive[1:], one]),
        "inverted": 1.0 - alive,
        "nowhere": jnp.ones((T,)),
        "with the error": alive,
    }[advantage_cut]
    if advantage_cut == "with the error":
        deltas = alive * deltas

    def step(carried, row):
        delta, factor = row
        advantage = delta + factor * carried
        return advantage, carried if given_back == "carries" else advantage

    later = values[-1] if start == "last value" else jnp.zeros(())
    _, advantages = jax.lax.scan(step, later, (deltas, factor * cut), reverse=direction == "back")
    if given_back == "returns":
        advantages = advantages + values[:-1]
    elif given_back == "errors":
        advantages = deltas
    elif given_back == "last carry":
        advantages = advantages[:1]  # a reverse scan ends at the first step
    return advantages[::-1] if order == "backwards" else advantages


problem = Problem(
    reference=gae_scan,
    axes=("step",),
    picture=Curve("step"),
    contract="trace",
    trace=Trace(needs=["scan"], grows="no", size="T"),
    arguments={"T": Whole(), "gamma": Real(0.0, 1.0), "lam": Real(0.0, 1.0)},
    cases=[
        (0, 1, 0.9, 0.5),
        (2, 2, 0.5, 0.8),
        (0, 3, 0.0, 0.5),
        (0, 3, 0.9, 0.0),
        (5, 3, 1.0, 0.5),
        (7, 4, 0.9, 0.7),
        (7, 9, 0.9, 1.0),
        (7, 16, 0.9, 0.7),
    ],
    pitfalls=[
        Pitfall(
            "trace-not-cut",
            why="The sum goes on past the end of an episode: advantages of the next episode are counted in this one.",
            hint="What may the last step of an episode take over from the step after it?",
            advantage_cut="nowhere",
        ),
        Pitfall(
            "bootstrap-not-cut",
            why="At the end of an episode the value of the next state is added, and that state belongs to another episode.",
            hint="How much is still to come once an episode has ended?",
            value_cut=False,
        ),
        Pitfall(
            "done-shifted",
            why="The ends of the episodes are read at a neighbouring step: `done[t]` belongs to step `t` itself.",
            hint="Which transition does `done[t]` describe, and which value stands after it?",
            ends=any_of("after", "before", alone=["after, the last its own"]),
        ),
        Pitfall(
            "mask-inverted",
            why="What comes later is kept at the ends of episodes, and dropped everywhere else.",
            hint="For which value of `done` is there something to come?",
            mask="done",
        ),
        Pitfall(
            "forward-scan",
            why="The sum runs from the first step to the last: each advantage holds what came before it.",
            hint="Does an advantage look at the past or at the future, and where must the scan begin then?",
            direction="forth",
        ),
        Pitfall(
            "one-factor",
            why="Each later error is weighted by one factor only: `gamma` and `lam` both belong to it.",
            hint="What is the weight of the error that is one step away?",
            decay=any_of("gamma", "lam"),
        ),
        Pitfall(
            "value-not-subtracted",
            why="The value of the present state is not subtracted: these estimate what comes, not how much better it is "
            "than expected.",
            hint="An advantage compares two estimates. Which is the second?",
            value="left out",
        ),
        Pitfall(
            "value-discounted-too",
            why="In each error, the value of the present state is multiplied by `gamma` as well: only the value after "
            "the step has that factor.",
            hint="Which terms of the error stand inside of your brackets, and which of them belong there?",
            value=any_of(alone=["discounted too"]),
        ),
        Pitfall(
            "value-masked-too",
            why="At the end of an episode, the value of the present state is not subtracted: the mask falls on it as "
            "well.",
            hint="Which term of the error belongs to the next state, and which does `done[t]` leave alone?",
            value=any_of(alone=["subtracted where it goes on"]),
        ),
        Pitfall(
            "last-value-dropped",
            why="The value after the last step is taken as zero, as if an episode always ended there.",
            hint="How many values are drawn, and which step needs the last of them?",
            last="zero",
        ),
        Pitfall(
            "value-not-discounted",
            why="In each error, the value after the step counts in full: its factor `gamma` is missing.",
            hint="Which factors stand before the value after the step in the formula of the error?",
            value_factor="none",
        ),
        Pitfall(
            "carry-from-last-value",
            why="The sum begins with the value after the last step, and not with zero.",
            hint="Which advantage stands after the last step in the formula?",
            start="last value",
        ),
        Pitfall(
            "returns-not-advantages",
            why="The values have been added to the advantages again: these are targets for the values.",
            hint="Which of the two quantities of this lesson is asked for?",
            given_back="returns",
        ),
        Pitfall(
            "errors-only",
            why="These are the errors of single steps: nothing has been handed from one step to another.",
            hint="What does the scan hand back from a later step?",
            given_back="errors",
        ),
        Pitfall(
            "carry-before-the-step",
            why="Each step handed out the carry that it got, and not the one that it makes: the advantages stand one step "
            "off.",
            hint="Your step has two carries, the one that it gets and the one that it makes. Which of them is its "
            "advantage?",
            given_back="carries",
        ),
        Pitfall(
            "carry-returned",
            why="This is the advantage of the first step alone: a reverse scan carries it to its end.",
            hint="A scan returns two things. Which of them has an entry for each step?",
            given_back=any_of(alone=["last carry"]),
        ),
        Pitfall(
            "time-reversed",
            why="The advantages are right, and their order is not: they stand from the last step to the first.",
            hint="In which order does your scan collect its results?",
            order="backwards",
        ),
        Pitfall(
            "cut-one-step-off",
            why="The sum is cut at a neighbouring step: `done[t]` keeps what comes later out of the advantage of step `t`.",
            hint="Which step takes over nothing if the episode ends with step `t`?",
            advantage_cut=any_of("before", "after"),
        ),
        Pitfall(
            "cut-where-it-goes-on",
            why="The sum of later errors goes on at the ends of episodes, and stops everywhere else.",
            hint="For which value of `done` does a step take over nothing?",
            advantage_cut="inverted",
        ),
        Pitfall(
            "error-cut-too",
            why="At the end of an episode the advantage is zero: the mask falls on the error of the step as well.",
            hint="Does the last step of an episode have an error of its own?",
            advantage_cut="with the error",
        ),
    ],
)
