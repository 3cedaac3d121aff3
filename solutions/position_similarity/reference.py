"""Cosine similarity of every two positions of the sinusoidal encoding (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Matrix, Pitfall, Problem, Whole


def position_similarity(
    seed,
    T,
    d_model,
    *,
    exponent="shared",
    functions="sin, cos",
    centred=False,
    normalised="rows",
    distance=False,
):
    """The `(T, T)` table of cosine similarities of the rows of the position encoding, flattened."""
    T, d_model = int(T), int(d_model)
    k = jnp.arange(d_model // 2)
    step = {"half": 1, "double": 4}.get(exponent, 2)
    position = jnp.arange(T)[:, None]
    angle = position * 10000.0 ** (-step * k / d_model)
    of_cosine = position * 10000.0 ** (-(2 * k + 1) / d_model) if exponent == "per dim" else angle
    second = jnp.sin if functions == "sin, sin" else jnp.cos
    # How the dimensions are laid out changes no similarity.
    table = jnp.concatenate([jnp.sin(angle), second(of_cosine)], axis=1)
    if centred:
        table = table - jnp.mean(table, axis=1, keepdims=True)
    left = right = table
    if normalised == "rows":
        left = right = table / jnp.sqrt(jnp.sum(table * table, axis=1, keepdims=True))
    elif normalised == "columns":
        left = right = table / jnp.sqrt(jnp.sum(table * table, axis=0, keepdims=True))
    elif normalised == "squared":
        left = right = table / jnp.sum(table * table, axis=1, keepdims=True)
    elif normalised == "one norm":
        left = table / jnp.sqrt(jnp.sum(table * table, axis=1, keepdims=True))
    elif normalised == "width":
        left = table / d_model
    similarity = left @ right.T
    if distance:
        similarity = 1.0 - similarity
    return similarity.reshape(-1)


problem = Problem(
    reference=position_similarity,
    axes=("position", "with"),
    picture=Matrix("position", "with"),
    arguments={"T": Whole(), "d_model": Whole(2, step=2)},
    cases=[
        (0, 1, 4),
        (0, 2, 4),
        (0, 3, 4),
        (0, 4, 6),
        (0, 5, 2),
        (0, 7, 10),
        (0, 12, 8),
        (0, 50, 64),
    ],
    pitfalls=[
        Pitfall(
            "half-exponent",
            why="The encodings are those of 10000^(-k/d), the same as a base of 100: every pair but the first turns "
            "too fast, and positions far apart come out less alike.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            exponent="half",
        ),
        Pitfall(
            "double-exponent",
            why="The encodings are those of 10000^(-4k/d): an index that already steps by two was doubled once more, "
            "and positions far apart come out too much alike.",
            hint="Does your index count pairs, or dimensions?",
            exponent="double",
        ),
        Pitfall(
            "per-dim-exponent",
            why="The encodings are those of a table in which every dimension j has an exponent of its own, j/d: the "
            "similarity no longer depends on the distance alone.",
            hint="Which two dimensions form one pair, and what do the two share?",
            exponent="per dim",
        ),
        Pitfall(
            "all-sine",
            why="Every dimension of the encodings is a sine: the second of each pair repeats the first, and position "
            "0 has no direction at all.",
            hint="What tells the second dimension of a pair from the first?",
            functions="sin, sin",
        ),
        Pitfall(
            "correlation",
            why="Each encoding had its mean taken away before it was compared: these are coefficients of correlation.",
            hint="From where are the two vectors measured when you ask for the angle between them?",
            centred=True,
        ),
        Pitfall(
            "not-normalised",
            why="These are dot products: the diagonal shows the squared length of an encoding.",
            hint="What is the cosine of the angle between a vector and itself, and what stands on your diagonal?",
            normalised="nothing",
        ),
        Pitfall(
            "normalised-columns",
            why="Each dimension was scaled to length 1 over all positions, where each position should be over its "
            "dimensions.",
            hint="Along which axis do the numbers of one encoding lie?",
            normalised="columns",
        ),
        Pitfall(
            "squared-norm",
            why="The dot products were divided by the squares of the lengths: the diagonal is too small.",
            hint="Is the sum of the squares of a vector its length, or is a step missing?",
            normalised="squared",
        ),
        Pitfall(
            "one-norm",
            why="The dot products were divided by the length of one of the two encodings: the other's is still in "
            "them.",
            hint="Which lengths stand in a dot product, and how many of them did you divide by?",
            normalised="one norm",
        ),
        Pitfall(
            "divided-by-width",
            why="The dot products were divided by the number of dimensions: every similarity is half of what it "
            "should be.",
            hint="What is the length of an encoding of d_model numbers, if each pair has length 1?",
            normalised="width",
        ),
        Pitfall(
            "cosine-distance",
            why="These are distances, 1 minus the similarity: the diagonal is zero.",
            hint="Should two encodings that point the same way score high or low here?",
            distance=True,
        ),
    ],
)
