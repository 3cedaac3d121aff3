"""Clipped relative position bias (after Shaw et al., 2018, section 3.2)."""

import jax
import jax.numpy as jnp

from grader import Matrix, Pitfall, Problem, Whole, any_of


def relative_bias(seed, T, max_dist, *, distance="key - query", clip="both sides", offset="max_dist", future="kept"):
    """The `(T, T)` biases, flattened: of query i and key j, the table's entry of `clip(j - i, -max_dist, max_dist)`."""
    T, max_dist = int(T), int(max_dist)
    table = jax.random.normal(jax.random.key(seed), (2 * max_dist + 1,), dtype=jnp.float32)
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    apart = i - j if distance == "query - key" else j - i
    if distance == "absolute":
        apart = jnp.abs(apart)
    if offset == "before clipping":
        apart = apart + max_dist
    if clip == "both sides":
        apart = jnp.clip(apart, -max_dist, max_dist)
    index = apart + max_dist if offset == "max_dist" else apart
    bias = jnp.take(table, index) if clip == "none, filled" else table[index]
    if future != "kept":
        bias = jnp.where(j > i, future, bias)
    return bias.reshape(-1)


problem = Problem(
    reference=relative_bias,
    axes=("query", "key"),
    picture=Matrix("query", "key"),
    arguments={"T": Whole(), "max_dist": Whole()},
    cases=[
        (0, 1, 9),
        (1, 2, 3),
        (0, 4, 1),
        (0, 6, 8),
        (1, 9, 2),
        (2, 21, 10),
        (0, 50, 7),
    ],
    pitfalls=[
        Pitfall(
            "sign-flipped",
            why="Before and after have changed places: a key after its query has the bias of one as far before it.",
            hint="Is the distance of the next key positive or negative?",
            distance="query - key",
        ),
        Pitfall(
            "symmetric-distance",
            why="A key as far before its query has the same bias as one after it: half of the table is never read.",
            hint="How many entries does the table hold, and how many different distances do you look up?",
            # With the future masked, nothing tells this from a flipped sign.
            distance="absolute",
            future="kept",
        ),
        Pitfall(
            "no-clip",
            why="Distances beyond max_dist are not clipped, on one side at least: their index leaves the table, and "
            "what is read there is another entry, counted from the end, or NaN, and no error.",
            hint="Which index does the table get for a pair far further apart than max_dist?",
            # Square brackets wrap and clamp; jnp.take fills with NaN.
            clip=any_of("none", "none, filled"),
        ),
        Pitfall(
            "no-offset",
            why="The distance itself is the index: distance 0 reads the first entry, and negative ones count from the "
            "end of the table.",
            hint="Which entry of the table belongs to the most negative distance?",
            offset="none",
        ),
        Pitfall(
            "offset-before-clip",
            why="Every key after its query has the same bias: the distances were moved before they were clipped, so "
            "nearly all of that side is cut off.",
            hint="Within which bounds do distances lie, and within which bounds do indices?",
            offset="before clipping",
            clip="both sides",
        ),
        Pitfall(
            "future-masked",
            why="The keys after their query have no bias of their own, as if they were masked: the upper triangle is "
            "constant.",
            hint="Does the definition treat keys after the query otherwise than keys before it?",
            future=any_of(0.0, -float("inf")),
        ),
    ],
)
