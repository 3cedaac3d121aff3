"""One step of speculative decoding (Leviathan, Kalman and Matias, 2023, algorithm 1)."""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Whole, any_of


def speculative_step(
    seed,
    K,
    V,
    *,
    test="share of the target over that of the draft",
    token="drawn",
    counted="leading",
    told="accepted",
    row=("n", "n"),
    last="target",
    rest="clipped",
    shared="by the sum",
):
    """How many draft tokens are accepted, and the `V` shares of the token after them: `(1 + V,)`."""
    K, V = int(K), int(V)
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    q = jax.nn.softmax(2 * jax.random.normal(k1, (K, V), dtype=jnp.float32), axis=-1)
    p = jax.nn.softmax(2 * jax.random.normal(k2, (K + 1, V), dtype=jnp.float32), axis=-1)
    draft = jax.random.categorical(k3, jnp.log(q), axis=-1)
    u = jax.random.uniform(k4, (K,), dtype=jnp.float32)

    looked = {"drawn": draft, "best of the draft": q.argmax(axis=1), "best of the target": p[:K].argmax(axis=1)}[token]
    mine = looked[:, None] == jnp.arange(V)  # [i, v]: is v the token at place i?
    at_p, at_q = jnp.where(mine, p[:K], 0.0).sum(axis=1), jnp.where(mine, q, 0.0).sum(axis=1)
    accepted = {
        "share of the target over that of the draft": lambda: u < at_p / at_q,
        "inverted": lambda: u < at_q / at_p,
        "no number drawn": lambda: at_p >= at_q,
        "target alone": lambda: u < at_p,
        "draft alone": lambda: u < at_q,
        "logarithm": lambda: u < jnp.log(at_p) - jnp.log(at_q),
        "other way": lambda: u >= at_p / at_q,
        "best of the target": lambda: looked == p[:K].argmax(axis=1),
        "first not tested": lambda: (u < at_p / at_q) | (jnp.arange(K) == 0),
    }[test]()

    places = jnp.arange(K)
    refused_before = (~accepted[None, :] & (places[None, :] <= places[:, None])).any(axis=1)
    n = (accepted if counted == "all" else ~refused_before).sum()
    if counted == "none where all pass":
        n = jnp.where(n == K, 0, n)

    # As in any answer: past the end, JAX takes the last row, and before the first one, it counts from the end.
    moved = {
        "n": lambda: n,
        "next": lambda: n + 1,
        "before": lambda: n - 1,
        "before or 0": lambda: jnp.maximum(n - 1, 0),
    }
    at, less = (moved[which]() for which in row)
    if rest == "without the refused token":
        left = jnp.where(jnp.arange(V) == draft[less], 0.0, p[at])
    else:
        left = {
            "clipped": lambda a, b: jnp.maximum(a - b, 0.0),
            "target": lambda a, b: a,
            "draft": lambda a, b: b,
            "absolute": lambda a, b: jnp.abs(a - b),
            "other way": lambda a, b: jnp.maximum(b - a, 0.0),
        }[rest](p[at], q[less])
    if shared == "by the sum":
        left = left / left.sum()
    elif shared == "by a softmax":
        left = jax.nn.softmax(left)

    end = {
        "target": lambda: p[K],
        "row before": lambda: p[K - 1],
        "rest of the row before": lambda: residual(p[K - 1], q[K - 1]),
        "less the last draft": lambda: residual(p[K], q[K - 1]),
    }[last]()
    share = jnp.where(n == K, end, left)
    if told == "with the next":
        n = n + 1
    return jnp.concatenate([n[None].astype(jnp.float32), share])


def residual(a, b):
    """What `a` has more than `b`, made to add up to 1."""
    more = jnp.maximum(a - b, 0.0)
    return more / more.sum()


# Seeds are chosen with care: no number that decides lies near a ratio, in the right test or in a wrong one.
problem = Problem(
    reference=speculative_step,
    axes=("entry",),
    contract="jit",
    arguments={"K": Whole(), "V": Whole(2)},
    cases=[
        (3, 9, 2),
        (10, 2, 3),
        (15, 4, 3),
        (12, 3, 4),
        (2, 3, 5),
        (11, 5, 6),
        (2, 1, 9),
    ],
    pitfalls=[
        Pitfall(
            "target-for-residual",
            why="After a refusal, the shares are those of the large model itself: tokens that the draft model likes come "
            "out too often.",
            hint="The accepted draft tokens bring some shares already. What must the next token add?",
            rest="target",
            shared="by the sum",
        ),
        Pitfall(
            "refused-token-removed",
            why="After a refusal, the large model's shares were kept but for the refused token, which got nothing.",
            hint="By how much does a token that was not refused fall short of what the large model wants?",
            rest="without the refused token",
        ),
        Pitfall(
            "absolute-difference",
            why="After a refusal, tokens that the draft model draws too often have a share: the size of the difference "
            "was taken, whatever its sign.",
            hint="What should a token get that the draft model draws too often already?",
            rest="absolute",
        ),
        Pitfall(
            "residual-of-the-draft",
            why="After a refusal, the shares are what the draft model has more than the large one: the difference was "
            "taken the wrong way round.",
            hint="Which tokens does the draft model draw too seldom?",
            rest=any_of(alone=["other way"]),
        ),
        Pitfall(
            "draft-again",
            why="After a refusal, the shares are those of the draft model.",
            hint="Which of the two models should the text follow, where they disagree?",
            rest="draft",
            shared="by the sum",
        ),
        Pitfall(
            "residual-unnormalised",
            why="After a refusal, the shares add up to less than 1: the difference was left as it is.",
            hint="What must the shares add up to, if a token is to be drawn?",
            shared="not",
        ),
        Pitfall(
            "softmax-of-the-rest",
            why="After a refusal, a softmax was taken of shares: tokens that must have none get some.",
            hint="What does a softmax make of a zero?",
            shared=any_of(alone=["by a softmax"]),
        ),
        Pitfall(
            "counts-all-accepted",
            why="Tokens after the first refusal were counted too.",
            hint="On which tokens does the draft after a refused token rest?",
            counted="all",
        ),
        Pitfall(
            "none-if-all-pass",
            why="Where all draft tokens pass, none is counted.",
            hint="What does `argmin` give if every place is `True`?",
            counted="none where all pass",
        ),
        Pitfall(
            "ratio-inverted",
            why="The ratio is upside down: what the draft model draws too often passes, and what it draws too seldom is "
            "refused.",
            hint="A token that the large model likes twice as much as the draft model: how often should it pass?",
            test="inverted",
        ),
        Pitfall(
            "greedy-acceptance",
            why="A token passes where the large model's share is at least that of the draft model, and never elsewhere: "
            "the numbers drawn have no say.",
            hint="If the large model's share is half as large, how often should the token pass?",
            test="no number drawn",
        ),
        Pitfall(
            "ratio-forgotten",
            why="The number drawn was compared with one model's share of the token, not with a ratio.",
            hint="If both models agree to the last digit, how often should a token be refused?",
            test=any_of("target alone", alone=["draft alone"]),
        ),
        Pitfall(
            "logarithm-left",
            why="The number drawn was compared with the logarithm of the ratio: tokens that both models like alike are "
            "refused.",
            hint="What is the logarithm of a ratio of 1, and what can be below it?",
            test=any_of(alone=["logarithm"]),
        ),
        Pitfall(
            "accepts-the-refused",
            why="The comparison points the wrong way: what should pass is refused.",
            hint="A ratio above 1: can a number below 1 refuse it?",
            test=any_of(alone=["other way"]),
        ),
        Pitfall(
            "only-the-best",
            why="A token passes only where the large model finds it the most probable: the numbers drawn have no say.",
            hint="If the large model's share is half as large, how often should the token pass?",
            test=any_of(alone=["best of the target"]),
        ),
        Pitfall(
            "first-not-tested",
            why="The first draft token always passes: it was not tested.",
            hint="At which place does your loop or your slice begin?",
            test=any_of(alone=["first not tested"]),
        ),
        Pitfall(
            "most-probable-token",
            why="The ratios are those of the most probable token at each place, not of the token that was drawn.",
            hint="Which token is it that has to pass at each place?",
            token=any_of("best of the draft", alone=["best of the target"]),
        ),
        Pitfall(
            "one-row-late",
            why="After a refusal, shares of the place after the refused token were taken.",
            hint="Which place must be filled anew when a token is refused?",
            row=any_of(("next", "next"), alone=[("next", "n")]),
        ),
        Pitfall(
            "one-row-early",
            why="Where tokens pass before one is refused, shares of the place before the refused token were taken.",
            hint="If two tokens pass, which place comes next, counted from zero?",
            row=any_of(("before", "before"), ("before or 0", "before or 0"), alone=[("n", "before")]),
        ),
        Pitfall(
            "no-bonus",
            why="Where all draft tokens pass, the shares come from the last place of the draft: the large model's last row "
            "is not used.",
            hint="How many rows does the large model have, and for which place is the last one?",
            last=any_of("row before", "rest of the row before"),
        ),
        Pitfall(
            "last-draft-subtracted",
            why="Where all draft tokens pass, the last row of the draft model was subtracted: it belongs to another place.",
            hint="In JAX, which row do you get when you ask for one past the end?",
            last="less the last draft",
        ),
        Pitfall(
            "counts-the-next",
            why="The count is too large by one: it holds the token that is still to be drawn.",
            hint="How many of the draft tokens are left if the very first is refused?",
            told="with the next",
        ),
    ],
)
