"""The tokens of a vision transformer (Dosovitskiy et al., 2020, arXiv:2010.11929, equation 1)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def patchify(seed, H, W, C, P, d):
    count = (H // P) * (W // P)
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    image = jax.random.normal(k1, (H, W, C), dtype=jnp.float32)
    E = jax.random.normal(k2, (P * P * C, d), dtype=jnp.float32) / (P * P * C) ** 0.5
    first = jax.random.normal(k3, (d,), dtype=jnp.float32)
    positions = jax.random.normal(k4, (1 + count, d), dtype=jnp.float32)

    # Row r of the image is row r % P of the patches in row r // P, and the same holds for columns.
    cut = image.reshape(H // P, P, W // P, P, C)
    #: sides-exchanged: (H // P, P, W // P, P, C) -> (W // P, P, H // P, P, C)
    #: image-transposed: image.reshape(H // P, P, W // P, P, C) -> image.transpose(1, 0, 2).reshape(W // P, P, H // P, P, C)
    patches = cut.transpose(0, 2, 1, 3, 4).reshape(count, P * P * C)
    #: strips-for-patches: .transpose(0, 2, 1, 3, 4) ->
    #: pixels-transposed: 1, 3, 4) -> 3, 1, 4)
    #: patches-by-columns: (0, 2 -> (2, 0
    #: channels-first: 1, 3, 4) -> 4, 1, 3)
    #: pixels-apart: cut.transpose(0, 2, 1, 3, 4) -> image.reshape(P, H // P, P, W // P, C).transpose(1, 3, 0, 2, 4)
    tokens = jnp.concatenate([first[None], patches @ E])
    #: class-token-last: [first[None], patches @ E] -> [patches @ E, first[None]]
    #: positions-shifted:
    #:     shift = positions[:-1] - positions[1:]
    #:     tokens = jnp.concatenate([first[None] - positions[:1], patches @ E + shift])
    #: positions-shifted:
    #:     shift = positions[:-1] - positions[1:]
    #:     tokens = jnp.concatenate([first[None] - positions[:1] + positions[-1:], patches @ E + shift])
    #: class-token-without-position: [first[None] -> [first[None] - positions[:1]
    #: class-token-left-zero: [first[None] -> [0 * first[None]
    return (tokens + positions).reshape(-1)
    #: first-position-for-all: + positions -> + positions[0]
    #: positions-left-out: tokens + positions -> tokens


problem = Problem(
    axes=("token", "dim"),
    picture=Heatmap("token", "dim"),
    arguments={"H": Whole(), "W": Whole(), "C": Whole(), "P": Whole(), "d": Whole()},
    legal=[lambda H, P: H % P == 0, lambda W, P: W % P == 0],
    cases=[
        (0, 4, 6, 3, 2, 4),
        (1, 1, 1, 3, 1, 3),
        (2, 2, 4, 3, 2, 3),
        (3, 3, 2, 3, 1, 3),
        (4, 9, 9, 2, 9, 2),
        (5, 6, 9, 2, 3, 9),
        (6, 3, 3, 9, 3, 4),
        (7, 1, 3, 4, 1, 9),
        (8, 9, 3, 1, 3, 4),
        (9, 6, 3, 3, 3, 1),
        (10, 2, 6, 1, 2, 3),
        (11, 3, 1, 4, 1, 3),
        (12, 4, 2, 3, 2, 4),
        (13, 3, 6, 3, 3, 2),
    ],
)
