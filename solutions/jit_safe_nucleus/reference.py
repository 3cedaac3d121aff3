"""Top-p filtering (Holtzman et al., 2020, section 3.1) in fixed shapes: each token asks what is ahead of it."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Real, Tokens, Whole, any_of


def jit_safe_nucleus(
    seed, N, V, p, *, axis="row", ranking="falling", stop="when reached", shared="by the sum", place="own"
):
    """The `(N, V)` shares of the most probable tokens of each row, as few as reach `p`, made to add up to 1."""
    N, V = int(N), int(V)
    z = jax.random.normal(jax.random.key(seed), (N, V), dtype=jnp.float32)
    if axis == "column":
        z = z.T

    shares = jax.nn.softmax(z, axis=1)
    if ranking == "none":
        sooner = jnp.broadcast_to(jnp.arange(z.shape[1])[:, None] > jnp.arange(z.shape[1]), (*z.shape, z.shape[1]))
    elif ranking == "rising":
        sooner = shares[:, None, :] < shares[:, :, None]
    else:
        sooner = shares[:, None, :] > shares[:, :, None]  # [n, i, j]: token j of row n comes before token i
    ahead = jnp.where(sooner, shares[:, None, :], 0.0).sum(axis=2)

    kept = ahead < p
    if stop == "at what is left":
        kept = ahead < 1 - p
    elif stop == "one late":
        kept = rank_of(sooner) <= kept.sum(axis=1, keepdims=True)
    elif stop == "one early":
        kept = ahead + shares <= p
    elif stop == "one early, never none":
        kept = (ahead + shares <= p) | (rank_of(sooner) == 0)
    elif stop == "by the number of tokens":
        kept = rank_of(sooner) < p * z.shape[1]
    elif stop == "by the number of tokens, rounded down":
        kept = rank_of(sooner) < jnp.floor(p * z.shape[1])

    filtered = jnp.where(kept, shares, 0.0)
    if shared == "by the sum":
        filtered = filtered / filtered.sum(axis=1, keepdims=True)
    elif shared == "by a softmax":
        filtered = jax.nn.softmax(jnp.where(kept, shares, -jnp.inf), axis=1)
    elif shared == "by a softmax, zeros and all":
        filtered = jax.nn.softmax(filtered, axis=1)
    elif shared == "by a softmax of the logits, hidden ones at zero":
        filtered = jax.nn.softmax(jnp.where(kept, z, 0.0), axis=1)

    for _ in range({"own": 0, "by rank": 1, "by rank of rank": 2}[place]):
        filtered = jnp.take_along_axis(filtered, jnp.argsort(rank_of(sooner), axis=1), axis=1)
    return (filtered.T if axis == "column" else filtered).reshape(-1)


def rank_of(sooner):
    """How many tokens come before each."""
    return sooner.sum(axis=2)


# Seeds are chosen with care: no sum of shares, in any order that a mistake puts them in, lies near p.
problem = Problem(
    reference=jit_safe_nucleus,
    axes=("row", "token"),
    picture=[Heatmap("row", "token"), Tokens("token")],
    contract="jit",
    arguments={"N": Whole(), "V": Whole(), "p": Real(above=0.0, below=1.0)},
    cases=[
        (5, 2, 1, 0.78),
        (2, 1, 2, 0.7),
        (1, 3, 1, 0.025),
        (0, 1, 3, 0.96),
        (5, 2, 9, 0.025),
        (5, 11, 2, 0.96),
        (34, 4, 7, 0.9),
    ],
    pitfalls=[
        Pitfall(
            "stops-short",
            why="In some rows the token at which the sum reaches p is missing: before the division, what was kept "
            "there adds up to less than p.",
            hint="What do the tokens that you keep add up to before the division, and does that reach p?",
            stop=any_of("one early", "one early, never none"),
        ),
        Pitfall(
            "one-too-many",
            why="One token more than needed was kept: without the last of them the sum reaches p already.",
            hint="When p is already reached, may the next token still come in?",
            stop="one late",
        ),
        Pitfall(
            "fraction-of-tokens",
            why="The number of tokens that were kept is the same in every row: p was read as a part of the vocabulary.",
            hint="Of what is p a part, of the tokens or of their probability?",
            stop=any_of("by the number of tokens", "by the number of tokens, rounded down"),
        ),
        Pitfall(
            "complement-of-p",
            why="The sum of the kept shares stops at 1 - p, and not at p.",
            hint="With p = 0.9, should a row keep nearly all of its probability, or a tenth of it?",
            stop=any_of(alone=["at what is left"]),
        ),
        Pitfall(
            "keeps-the-tail",
            why="The least probable tokens were kept: the sum began at the wrong end.",
            hint="Which token should be the first to come in, and which one is the first in your order?",
            ranking="rising",
        ),
        Pitfall(
            "unsorted",
            why="The shares were added up in the order of the vocabulary: what was kept is the beginning of each row.",
            hint="In which order do the tokens come in, and in which order does your sum take them?",
            ranking="none",
            place="own",
        ),
        Pitfall(
            "not-renormalised",
            why="The tokens that were kept have the shares that they had before: a row adds up to p or more, and not "
            "to 1.",
            hint="What must the shares of a row add up to, if one of its tokens is to be drawn?",
            shared="not",
        ),
        Pitfall(
            "softmax-of-shares",
            why="A second softmax was taken, of the shares. It makes them nearly alike.",
            hint="Shares that are too small by one common factor: what makes them add up to 1, and keeps their ratios?",
            shared=any_of("by a softmax", "by a softmax, zeros and all"),
        ),
        Pitfall(
            "zeroed-logits",
            why="The logits of the tokens that were dropped were set to zero before a second softmax: they still have a "
            "share.",
            hint="What is the exponential of the logit that you gave to a dropped token?",
            shared="by a softmax of the logits, hidden ones at zero",
        ),
        Pitfall(
            "left-sorted",
            why="The shares are right, and stand in the order of their rank: they belong to other tokens.",
            hint="Which token does the first number of a row belong to, before the sorting and after it?",
            place="by rank",
        ),
        Pitfall(
            "sorted-again",
            why="On the way back the shares were permuted by the order of the sorting once more, which leads further away.",
            hint="The order says where each rank comes from. Is that also where each token went?",
            place="by rank of rank",
        ),
        Pitfall(
            "over-columns",
            why="Softmax and selection ran down the columns: tokens of different rows were compared with each other.",
            hint="Along which axis do the tokens of one row lie?",
            axis="column",
        ),
    ],
)
