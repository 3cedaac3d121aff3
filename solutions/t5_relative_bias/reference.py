"""The relative position bias of T5 (Raffel et al., 2020, section 2.1), bidirectional."""

import jax
import jax.numpy as jnp

from grader import Matrix, Pitfall, Problem, Real, Whole, any_of


def t5_relative_bias(
    seed,
    T,
    H,
    num_buckets,
    max_distance,
    *,
    distance="key - query",
    sides="two",
    scale="floor of the logarithm",
    clip="last bucket",
    future="kept",
    given="both",
    border=None,
):
    """The `(H, T, T)` biases, flattened: of head h, query i and key j, `table[bucket(j - i), h]`."""
    T, H, num_buckets, max_distance = int(T), int(H), int(num_buckets), float(max_distance)
    if num_buckets < 4 or num_buckets % 2 or max_distance <= num_buckets // 4:
        raise ValueError("the statement promises an even num_buckets and a max_distance beyond the exact buckets")
    table = jax.random.normal(jax.random.key(seed), (num_buckets, H), dtype=jnp.float32)
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    apart = i - j if distance == "query - key" else j - i
    n = jnp.maximum(-apart, 0) if sides == "before only" else jnp.abs(apart)
    if given in ("the distance alone", "neither", "neither, filled"):
        num_buckets = 32
    if given in ("the buckets alone", "neither", "neither, filled"):
        max_distance = 128.0
    half = num_buckets if sides == "before only" else num_buckets // 2
    max_exact = half // 2
    if scale == "none":
        bucket = n
    elif scale == "logarithm from one":
        steps = jnp.log(n) / jnp.log(max_distance) * (half - max_exact)
        bucket = jnp.where(n < max_exact, n, max_exact + jnp.floor(steps).astype(jnp.int32))
    else:
        left = (num_buckets if scale == "steps of both sides" else half) - max_exact
        steps = jnp.log(n / max_exact) / jnp.log(max_distance / max_exact) * left
        if border:
            steps = steps * border
        if scale == "rounded logarithm":
            steps = jnp.round(steps)
        # Where steps are used they are positive, so the cast rounds them down. At n == max_exact they are 0 and both
        # sides agree: the exact one cannot be rounded below.
        bucket = jnp.where(n <= max_exact, n, max_exact + steps.astype(jnp.int32))
    if clip == "last bucket":
        bucket = jnp.minimum(bucket, half - 1)
    if sides == "two":
        bucket = bucket + half * (apart > 0)
    if sides == "two, zero above":
        bucket = bucket + half * (apart >= 0)
    bias = jnp.take(table, bucket, axis=0) if clip == "none, filled" or given == "neither, filled" else table[bucket]
    if future != "kept":
        bias = jnp.where((j > i)[:, :, None], future, bias)
    return bias.transpose(2, 0, 1).reshape(-1)


problem = Problem(
    reference=t5_relative_bias,
    axes=("head", "query", "key"),
    picture=Matrix("query", "key"),
    arguments={"T": Whole(), "H": Whole(), "num_buckets": Whole(4, step=2), "max_distance": Real(above=1.0)},
    legal=[lambda num_buckets, max_distance: max_distance > num_buckets // 4],
    cases=[
        (5, 3, 1, 4, 1.05),
        (0, 1, 9, 10, 66.75),
        (0, 2, 3, 4, 28.5),
        (1, 2, 3, 6, 1.05),
        (0, 6, 1, 8, 6),
        (1, 7, 3, 8, 12),
        (0, 9, 2, 8, 5.5),
        (1, 12, 5, 12, 7.5),
    ],
    pitfalls=[
        Pitfall(
            "sign-flipped",
            why="The two halves of the table have changed places: keys after their query read the buckets of keys "
            "before it.",
            hint="For the key right after a query, is the distance positive or negative, and which half does it read?",
            distance="query - key",
        ),
        Pitfall(
            "direction-lost",
            why="A key before its query has the same bias as one as far after it: half of the table is never read.",
            hint="Which buckets of the table does no pair of positions reach?",
            # Without a direction a flipped sign changes nothing, and a masked future hides the half that is missing.
            sides="one",
            distance="key - query",
            future="kept",
        ),
        Pitfall(
            "causal-buckets",
            why="These are the buckets of T5's decoder: all of them serve the keys before the query, and every key "
            "after it shares the bucket of distance 0.",
            hint="May a query of an encoder look at both sides, and how many buckets does each side then get?",
            sides="before only",
        ),
        Pitfall(
            "zero-in-upper-half",
            why="Distance 0 reads the upper half of the table: the diagonal is wrong, and all the rest is right.",
            hint="Is a distance of zero positive?",
            sides="two, zero above",
        ),
        Pitfall(
            "natural-scale",
            why="The logarithm was rounded to the nearest whole number: each of the far buckets begins too early.",
            hint="Which bucket does a distance belong to that has gone three quarters of the way to the next border?",
            scale="rounded logarithm",
        ),
        Pitfall(
            "log-from-one",
            why="The logarithmic part counts from distance 1: between the exact buckets and the others is a jump.",
            hint="At which distance does the logarithmic part begin, and what should the logarithm be there?",
            scale="logarithm from one",
        ),
        Pitfall(
            "steps-of-both-sides",
            why="The logarithm was cut into as many steps as both sides have buckets: the last bucket of each half "
            "begins too early.",
            hint="How many buckets does one side have for the distances that are not exact?",
            scale=any_of(alone=["steps of both sides"]),
        ),
        Pitfall(
            "all-exact",
            why="Every distance has a bucket of its own until the half is full: nothing grows with the logarithm.",
            hint="Up to which distance does each have its own bucket, and what shares the buckets that are left?",
            scale="none",
        ),
        Pitfall(
            "no-clip",
            why="Distances beyond max_distance run past the last bucket of their half: those before the query read the "
            "other half, and those after it leave the table, and no error is raised.",
            hint="Which bucket does your formula give to a distance twice as large as max_distance?",
            # Square brackets clamp an index that leaves the table; jnp.take fills with NaN.
            clip=any_of("none", "none, filled"),
        ),
        Pitfall(
            "future-masked",
            why="The keys after their query have no bias of their own, as if they were masked: the upper triangle of "
            "every head is constant.",
            hint="Does a bidirectional bias hide any key?",
            future=any_of(0.0, -float("inf")),
        ),
        Pitfall(
            "defaults-for-given",
            why="These are the buckets of T5's own numbers, of 32 buckets or a largest distance of 128: a number that is "
            "given was not used.",
            hint="Do the buckets change when num_buckets or max_distance does?",
            # Beyond the table's end, square brackets give the last row and jnp.take gives NaN.
            given=any_of(alone=["neither", "neither, filled", "the buckets alone", "the distance alone"]),
            # With T5's numbers some distances fall on a border, and rounding moves all of them to one side.
            border=any_of(1 + 1e-6, 1 - 1e-6),
        ),
    ],
)
