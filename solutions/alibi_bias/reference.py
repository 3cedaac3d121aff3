"""ALiBi: attention with linear biases (Press et al., 2022), with the slopes of the paper's public code."""

import jax.numpy as jnp

from grader import Matrix, Pitfall, Problem, Whole, any_of


def alibi_bias(seed, H, T, *, slopes="paper", first=1, distance="key - query", hidden=-jnp.inf):
    """The `(H, T, T)` bias: -m_h * (i - j) where key j is not after query i, -inf where it is."""
    H, T = int(H), int(T)

    def powers(n):
        return 2.0 ** (-8 * jnp.arange(first, n + first) / n)

    # The largest power of two that is at most H, or, by mistake, below H.
    P = 2 ** ((H - 1 if slopes == "power below" and H > 1 else H).bit_length() - 1)
    if slopes == "one formula":
        m = powers(H)
    elif slopes == "eight heads":
        m = 2.0 ** (-8 * jnp.arange(first, H + first) / 8)
    elif slopes == "next power":
        m = powers(P if H == P else 2 * P)[:H]
    else:
        others = {"in order": slice(0, None), "from its second": slice(1, None, 2)}
        m = jnp.concatenate([powers(P), powers(2 * P)[others.get(slopes, slice(0, None, 2))][: H - P]])
    if slopes in ("steep first", "flat first"):
        m = jnp.sort(m)[:: -1 if slopes == "steep first" else 1]
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    away = j - i  # how far ahead a key is: not above zero where it is seen
    if hidden == "nothing, distances":
        away = -jnp.abs(away)
    if distance == "query - key":
        away = -away
    elif distance == "key":
        away = j
    elif distance in ("one more", "one less"):
        away = away - 1 if distance == "one more" else away + 1
    bias = m[:, None, None] * away
    if hidden in ("nothing", "nothing, distances"):
        return jnp.broadcast_to(bias, (H, T, T)).reshape(-1)
    seen = j < i if hidden == "itself too" else j <= i
    return jnp.where(seen, bias, -jnp.inf if isinstance(hidden, str) else hidden).reshape(-1)


problem = Problem(
    reference=alibi_bias,
    axes=("head", "query", "key"),
    picture=Matrix("query", "key"),
    arguments={"H": Whole(), "T": Whole()},
    cases=[
        (0, 5, 1),
        (0, 1, 3),
        (0, 2, 3),
        (0, 3, 3),
        (0, 8, 2),
        (0, 6, 4),
        (0, 12, 5),
        (0, 23, 13),
    ],
    pitfalls=[
        Pitfall(
            "zero-based-slopes",
            why="The exponent of the first head is 0: its slope is 1, and every head has the slope that is due to "
            "the one before it.",
            hint="Which slope does the last head have, where the number of heads is a power of two?",
            first=0,
        ),
        Pitfall(
            "naive-slopes",
            why="One formula serves every number of heads. It holds for powers of two; elsewhere the slopes are "
            "others.",
            hint="What are the slopes where the number of heads is not a power of two?",
            slopes="one formula",
        ),
        Pitfall(
            "eight-heads-only",
            why="The slopes halve from head to head: these are the slopes of eight heads, whatever the number of "
            "heads.",
            hint="Where in the exponent does the number of heads stand?",
            slopes="eight heads",
        ),
        Pitfall(
            "next-power",
            why="The slopes are the first of the list for the next power of two above: the list below was not used.",
            hint="Which list comes first where the number of heads lies between two powers of two?",
            slopes="next power",
        ),
        Pitfall(
            "further-slopes-in-order",
            why="The further heads take the longer list's slopes one after the other: some of them are given twice.",
            hint="Which slopes of the longer list does the shorter list hold already?",
            slopes="in order",
        ),
        Pitfall(
            "further-slopes-repeated",
            why="The further heads take slopes that the first heads have already: the wrong half of the longer list.",
            hint="Which slopes of the longer list does the shorter list hold already?",
            slopes="from its second",
        ),
        Pitfall(
            "slopes-sorted",
            why="The slopes are those that are due, but sorted by size: some heads have the slope of another head.",
            hint="In which order do the slopes of six heads stand?",
            slopes=any_of(alone=["steep first", "flat first"]),
        ),
        Pitfall(
            "power-strictly-below",
            why="Where the number of heads is a power of two, the heads have the right slopes in another order: half of "
            "them have the list for half as many heads, and the others follow.",
            hint="Of how many lists are the slopes taken where the number of heads is a power of two?",
            slopes=any_of(alone=["power below"]),
        ),
        Pitfall(
            "positive-bias",
            why="The bias grows with the distance: far keys are favoured over near ones.",
            hint="Should a key that is far away gain or lose?",
            distance="query - key",
        ),
        Pitfall(
            "key-position-only",
            why="Where a key is seen, its bias is the same for every query: it grows with the position of the key, "
            "wherever the query stands.",
            hint="Which entry of a row should be zero: the first one, or the one of the query itself?",
            # In a softmax the rows come to the same: public code adds this, and masks elsewhere.
            distance="key",
            hidden=any_of(-jnp.inf, "nothing"),
        ),
        Pitfall(
            "key-minus-query",
            why="The distance is counted from the query to the key and nothing is hidden: keys gain by standing before "
            "the query and lose by coming after it.",
            hint="Which of the two indices, of the query and of the key, is the larger for a key in the past?",
            # With a mask of the future it is positive-bias; with a mask that follows the sign it is the transpose.
            distance="query - key",
            hidden="nothing",
        ),
        Pitfall(
            "symmetric-distance",
            why="Keys that come after the query are treated like those before it: the bias depends on the absolute "
            "distance.",
            hint="What may a query know of a key that comes after it?",
            hidden="nothing, distances",
        ),
        Pitfall(
            "future-not-masked",
            why="The formula goes on above the diagonal: keys that come after the query gain a positive bias.",
            hint="What may a query know of a key that comes after it?",
            hidden="nothing",
        ),
        Pitfall(
            "blind-to-itself",
            why="The diagonal is hidden: a query does not see the key at its own position, and the first query sees "
            "nothing.",
            hint="What is the bias of a key at distance zero?",
            hidden="itself too",
        ),
        Pitfall(
            "masked-with-zero",
            why="Keys that come after the query have the bias 0: the largest of all, so they are seen best.",
            hint="Which number, added to a score, makes its weight vanish in the softmax?",
            hidden=0.0,
        ),
        Pitfall(
            "finite-mask",
            why="Keys that come after the query are hidden by a large negative number, where minus infinity is due.",
            hint="How does JAX write a number that is below every other?",
            hidden=any_of(-1e4, -1e9, -1e10, -1e30, float(jnp.finfo(jnp.float32).min)),
        ),
        Pitfall(
            "distance-one-off",
            why="Every distance is off by one: the key at the query's own position has a bias that is not 0.",
            hint="What is the distance between a position and itself in your code?",
            distance=any_of(alone=["one more", "one less"]),
        ),
    ],
)
