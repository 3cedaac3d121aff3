"""Three ways to compare two positions of the sinusoidal encoding (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Problem, Whole


def compare_positions(seed, d_model, p, q):
    k = jnp.arange(d_model // 2)
    omega = 10000.0 ** (-2 * k / d_model)
    #: half-exponent: -2 * k -> -k
    #: double-exponent (not with per-dim-exponent): -2 * k -> -4 * k
    positions = jnp.array([p, q])[:, None]
    angles = positions * omega
    # No result depends on the order of the dimensions, so the halves may stay side by side.
    a, b = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
    #: per-dim-exponent (not with half-exponent): (angles)] -> (positions * 10000.0 ** (-(2 * k + 1) / d_model))]
    #: all-sine: jnp.cos -> jnp.sin
    #: all-sine/with-guard: jnp.cos -> jnp.sin
    dot = a @ b
    cosine = dot / (jnp.linalg.norm(a) * jnp.linalg.norm(b))
    #: all-sine/with-guard: cosine = dot / jnp.maximum(jnp.linalg.norm(a) * jnp.linalg.norm(b), 1e-8)
    #: cosine-unnormalised: cosine = dot
    #: one-norm: cosine = dot / jnp.linalg.norm(a)
    #: squared-norm: cosine = dot / ((a @ a) * (b @ b))
    #: divided-by-width: cosine = dot / d_model
    #: cosine-distance/second: cosine = 1.0 - dot / (jnp.linalg.norm(a) * jnp.linalg.norm(b))
    distance = jnp.linalg.norm(a - b)
    #: squared-distance: distance = jnp.sum((a - b) ** 2)
    #: manhattan: distance = jnp.sum(jnp.abs(a - b))
    #: cosine-distance/third: distance = 1.0 - cosine
    #: mean-distance: distance = jnp.sqrt(jnp.mean((a - b) ** 2))
    return jnp.stack([dot, cosine, distance])
    #: stale-order: dot, cosine, distance -> dot, distance, cosine, or cosine, dot, distance, or cosine, distance, dot
    #: stale-order: dot, cosine, distance -> distance, dot, cosine, or distance, cosine, dot


problem = Problem(
    axes=("result",),
    arguments={"d_model": Whole(2, step=2), "p": Whole(0, reach=300), "q": Whole(0, reach=300)},
    legal=[lambda p, q: p != q],
    cases=[
        (0, 4, 1, 2),
        (0, 2, 300, 2),
        (0, 4, 0, 3),
        (0, 4, 3, 1),
        (0, 4, 3, 2),
        (0, 6, 2, 300),
        (0, 10, 7, 3),
        (0, 2, 1, 300),
        (0, 4, 301, 0),
    ],
)
