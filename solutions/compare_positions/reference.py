"""Three ways to compare two positions of the sinusoidal encoding (Vaswani et al., 2017, section 3.5)."""

import itertools

import jax.numpy as jnp

from grader import Pitfall, Problem, Whole, any_of

ORDERS = tuple(order for order in itertools.permutations(range(3)) if order != (0, 1, 2))


def compare_positions(
    seed,
    d_model,
    p,
    q,
    *,
    exponent="shared",
    functions="sin, cos",
    cosine="both norms",
    distance="euclidean",
    order=None,
):
    """The dot product, cosine similarity and Euclidean distance of the encodings of positions p and q."""
    d_model, p, q = int(d_model), int(p), int(q)
    k = jnp.arange(d_model // 2)
    step = {"half": 1, "double": 4}.get(exponent, 2)
    omega = 10000.0 ** (-step * k / d_model)
    of_cosine = 10000.0 ** (-(2 * k + 1) / d_model) if exponent == "per dim" else omega
    second = jnp.sin if functions == "sin, sin" else jnp.cos
    # How the dimensions are laid out changes none of the three numbers.
    a = jnp.concatenate([jnp.sin(p * omega), second(p * of_cosine)])
    b = jnp.concatenate([jnp.sin(q * omega), second(q * of_cosine)])
    dot = jnp.sum(a * b)
    if cosine == "both norms":
        similarity = dot / jnp.sqrt(jnp.sum(a * a) * jnp.sum(b * b))
    elif cosine == "squared norms":
        similarity = dot / (jnp.sum(a * a) * jnp.sum(b * b))
    elif cosine == "one norm":
        similarity = dot / jnp.sqrt(jnp.sum(a * a))
    elif cosine == "width":
        similarity = dot / d_model
    elif cosine == "one minus":
        similarity = 1.0 - dot / jnp.sqrt(jnp.sum(a * a) * jnp.sum(b * b))
    else:
        similarity = dot
    if distance == "euclidean":
        apart = jnp.sqrt(jnp.sum((a - b) ** 2))
    elif distance == "squared":
        apart = jnp.sum((a - b) ** 2)
    elif distance == "mean":
        apart = jnp.sqrt(jnp.mean((a - b) ** 2))
    else:
        apart = jnp.sum(jnp.abs(a - b))
    results = [dot, similarity, apart]
    if order:
        results = [results[index] for index in order]
    return jnp.stack(results).reshape(-1)


problem = Problem(
    reference=compare_positions,
    axes=("result",),
    arguments={"d_model": Whole(2, step=2), "p": Whole(0, reach=300), "q": Whole(0, reach=300)},
    legal=[lambda p, q: p != q],
    cases=[
        (0, 4, 1, 2),
        (0, 2, 3, 2),
        (0, 4, 0, 3),
        (0, 4, 3, 1),
        (0, 4, 3, 2),
        (0, 6, 2, 5),
        (0, 10, 7, 3),
        (0, 2, 1, 300),
        (0, 4, 301, 0),
    ],
    pitfalls=[
        Pitfall(
            "half-exponent",
            why="The encodings are those of 10000^(-k/d), the same as a base of 100: every pair but the first turns "
            "too fast, and the two positions come out less alike.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            exponent="half",
        ),
        Pitfall(
            "double-exponent",
            why="The encodings are those of 10000^(-4k/d): an index that already steps by two was doubled once more, "
            "and the two positions come out too much alike.",
            hint="Does your index count pairs, or dimensions?",
            exponent="double",
        ),
        Pitfall(
            "per-dim-exponent",
            why="The encodings are those of a table in which every dimension j has an exponent of its own, j/d: the "
            "cosines turn at other frequencies than their sines.",
            hint="Which two dimensions form one pair, and what do the two share?",
            exponent="per dim",
        ),
        Pitfall(
            "all-sine",
            why="Every dimension of the encodings is a sine: the second of each pair repeats the first, and encodings "
            "of different positions have different lengths.",
            hint="What tells the second dimension of a pair from the first?",
            functions="sin, sin",
        ),
        Pitfall(
            "cosine-unnormalised",
            why="The cosine similarity repeats the dot product: nothing was divided by the vectors' lengths.",
            hint="How large can a cosine be, and how large is yours?",
            cosine="dot",
        ),
        Pitfall(
            "one-norm",
            why="The cosine similarity is the dot product over the length of one vector: the other's length is still "
            "in it.",
            hint="Which lengths stand in a dot product, and how many of them did you divide by?",
            cosine="one norm",
        ),
        Pitfall(
            "squared-norm",
            why="The cosine similarity is the dot product over the squares of both lengths: it is too small wherever "
            "they are longer than 1.",
            hint="Is the sum of the squares of a vector its length, or is a step missing?",
            cosine="squared norms",
        ),
        Pitfall(
            "divided-by-width",
            why="The cosine similarity is the mean of the products, half of what it should be.",
            hint="A vector compared with itself should give 1: what does yours give?",
            cosine="width",
        ),
        Pitfall(
            "cosine-distance",
            why="Where the cosine similarity is due stands 1 minus it: a distance, small where the two are alike.",
            hint="Should two vectors that point the same way score high or low here?",
            cosine="one minus",
        ),
        Pitfall(
            "squared-distance",
            why="The distance is still squared.",
            hint="What did Pythagoras do last?",
            distance="squared",
        ),
        Pitfall(
            "manhattan",
            why="The distance is the sum of the absolute differences: the way along the axes, not the straight line.",
            hint="Which distance would a ruler measure?",
            distance="manhattan",
        ),
        Pitfall(
            "mean-distance",
            why="The squared differences were averaged, not added up: the distance no longer grows with the width.",
            hint="Does the theorem of Pythagoras add the squares of the sides, or average them?",
            distance="mean",
        ),
        Pitfall(
            "stale-order",
            why="The three results are right, but stand in another order than the one asked for.",
            hint="In which order does the statement list the three numbers?",
            order=any_of(*ORDERS),
        ),
    ],
)
