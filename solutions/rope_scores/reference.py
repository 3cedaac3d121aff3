"""Attention scores of rotated queries and keys (Su et al., 2021, section 3.2.2)."""

import jax
import jax.numpy as jnp

from grader import Matrix, Pitfall, Problem, Whole, any_of


def rope_scores(
    seed,
    T,
    d_head,
    offset,
    *,
    signs=(1, 1),
    offset_of=("query", "key"),
    second_term=True,
    pairs="neighbours",
    step=2,
    base=10000.0,
    scale="root",
    softmax=False,
):
    """The `(T, T)` scaled dot products of queries and keys, both turned by their positions, which begin at `offset`."""
    T, d_head, offset = int(T), int(d_head), int(offset)
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key)
    q = jax.random.normal(k1, (T, d_head), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d_head), dtype=jnp.float32)
    half = d_head // 2
    omega = base ** (-step * jnp.arange(half) / d_head)

    def turned(x, start, sign):
        if sign == 0:
            return x
        angle = jnp.arange(start, T + start)[:, None] * (omega if sign > 0 else -omega)
        a, b = (x[:, 0::2], x[:, 1::2]) if pairs == "neighbours" else (x[:, :half], x[:, half:])
        if second_term:
            both = [a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)]
        else:
            both = [a * jnp.cos(angle), b * jnp.cos(angle)]
        return jnp.stack(both, axis=-1).reshape(T, d_head) if pairs == "neighbours" else jnp.concatenate(both, axis=-1)

    starts = (offset if side in offset_of else 0 for side in ("query", "key"))
    queries, keys = (turned(*each) for each in zip((q, k), starts, signs, strict=True))
    scores = queries @ keys.T
    if scale == "root":
        scores = scores / d_head**0.5
    elif scale == "width":
        scores = scores / d_head
    if softmax:
        scores = jax.nn.softmax(scores, axis=-1)
    return scores.reshape(-1)


# Where the turns of queries and keys do not cancel, it shows whether the offset was left out. That alone is right, as
# scores depend on distances: so it belongs to those mistakes, for both sides at once.
ANY_OFFSET = any_of(("query", "key"), ())

problem = Problem(
    reference=rope_scores,
    axes=("query", "key"),
    picture=Matrix("query", "key"),
    arguments={"T": Whole(), "d_head": Whole(2, step=2), "offset": Whole(0, reach=300)},
    cases=[
        (0, 1, 4, 300),
        (0, 2, 2, 3),
        (4, 2, 4, 2),
        (0, 3, 4, 0),
        (0, 3, 6, 5),
        (1, 5, 10, 1),
        (0, 9, 2, 2),
        (0, 9, 4, 100),
    ],
    pitfalls=[
        Pitfall(
            "queries-only",
            why="The queries are turned, the keys are not: the scores know where a query stands, but not how far "
            "away the key is.",
            hint="Which of the two vectors in a dot product has a position?",
            signs=(1, 0),
            offset_of=ANY_OFFSET,
        ),
        Pitfall(
            "keys-only",
            why="The keys are turned, the queries are not: the scores know where a key stands, but not how far away "
            "the query is.",
            hint="Which of the two vectors in a dot product has a position?",
            signs=(0, 1),
            offset_of=ANY_OFFSET,
        ),
        Pitfall(
            "opposite-signs",
            why="Queries and keys are turned in opposite directions: the angles add up, and the scores depend on the "
            "sum of the two positions.",
            hint="Two hands of a clock both move on by one hour: what happens to the angle between them?",
            signs=any_of((1, -1), (-1, 1)),
            offset_of=ANY_OFFSET,
        ),
        Pitfall(
            "rotates-backwards",
            why="Queries and keys are both turned in the wrong direction: a key that comes before is taken for one "
            "that comes after.",
            hint="Where does a turn by a small positive angle take a point of the first axis: up or down?",
            signs=(-1, -1),
        ),
        Pitfall(
            "not-turned",
            why="These are the dot products of q and k as they were drawn: no position has entered them.",
            hint="Are the arrays that you multiply the ones that you have turned?",
            signs=(0, 0),
            offset_of=("query", "key"),
            second_term=True,
            pairs="neighbours",
            step=2,
            base=10000.0,
        ),
        Pitfall(
            "offset-on-one-side",
            why="Queries and keys count their positions from different starts: every distance is off by the offset.",
            hint="A query and a key at the same index: are they at the same position?",
            offset_of=any_of(("query",), ("key",)),
        ),
        Pitfall(
            "no-second-term",
            why="Every value is multiplied by a cosine and nothing is added: the pairs shrink, they do not turn.",
            hint="What does the second member of a pair give to the first when the two are turned?",
            second_term=False,
            signs=(1, 1),
            offset_of=ANY_OFFSET,
        ),
        Pitfall(
            "half-split",
            why="Dimension k was turned together with dimension k + d/2: the pairs are those of the two halves.",
            hint="Which dimension stands beside dimension 0 in the pairs that are asked for?",
            pairs="halves",
        ),
        Pitfall(
            "half-exponent",
            why="The frequencies are those of 10000^(-k/d), the same as a base of 100: every pair but the first "
            "turns too fast.",
            hint="By how much does the exponent grow from one pair to the next?",
            step=1,
        ),
        Pitfall(
            "double-exponent",
            why="The frequencies are those of 10000^(-4k/d): an index that already steps by two was doubled once "
            "more, and every pair but the first turns too slowly.",
            hint="Does your index count pairs, or dimensions?",
            step=4,
        ),
        Pitfall(
            "wrong-base",
            why="The frequencies have the right form, but fall from pair to pair by another base than the one in the "
            "formula.",
            hint="Did a base from a newer model's code slip in?",
            base=any_of(1000.0, 100000.0, 500000.0, 1000000.0),
            step=2,  # half the exponent of a base is another base: one or the other
        ),
        Pitfall(
            "missing-scale",
            why="The dot products are not divided by anything: they grow with the number of dimensions.",
            hint="Which factor keeps the spread of a dot product the same, however many dimensions it sums over?",
            scale="none",
        ),
        Pitfall(
            "scaled-by-width",
            why="The dot products are divided by the number of dimensions itself: the scores are too small.",
            hint="By how much does the spread of a sum of d random terms grow with d?",
            scale="width",
        ),
        Pitfall(
            "softmax-taken",
            why="Every row sums to 1: these are attention weights, made of the scores that were asked for.",
            hint="At which step of attention does this problem stop?",
            softmax=True,
        ),
    ],
)
