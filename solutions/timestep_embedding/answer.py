"""Embeddings of diffusion times (Dhariwal and Nichol, 2021, arXiv:2105.05233; after Ho et al., 2020, appendix B)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Real, Whole


def timestep_embedding(seed, N, d_model, max_period, scale):
    time = jax.random.uniform(jax.random.key(seed), (N,), dtype=jnp.float32)

    steps = scale * time
    #: time-not-scaled: steps = time
    #: whole-steps: steps = jnp.floor(scale * time)
    #: whole-steps (alone): steps = jnp.round(scale * time)
    half = d_model // 2
    #: one-wave-too-many: half = (d_model + 1) // 2
    frequencies = max_period ** (-jnp.arange(half) / half)
    #: divided-by-one-less: / half -> / max(half - 1, 1)
    #: divided-by-dims: / half -> / (2 * half)
    #: divided-by-half-the-size: / half -> / (d_model / 2)
    #: fixed-base: max_period -> 10000.0
    #: fixed-base (alone): max_period -> 1000.0
    #: power-swapped (alone): frequencies = (jnp.arange(half) / half) ** max_period
    angles = steps[:, None] * frequencies  # (N, half)
    #: whole-turns: steps -> 2 * jnp.pi * steps
    waves = [jnp.cos(angles), jnp.sin(angles)]
    #: sines-first: waves = [jnp.sin(angles), jnp.cos(angles)]
    rows = jnp.concatenate(waves, axis=1)
    #: interleaved: rows = jnp.stack(waves, axis=2).reshape(N, 2 * half)
    # An odd size has one dimension more than there are waves.
    return jnp.pad(rows, ((0, 0), (0, d_model % 2))).reshape(-1)
    #: spare-dimension-first: (0, d_model % 2) -> (d_model % 2, 0)
    #: one-wave-too-many: return rows[:, :d_model].reshape(-1)


problem = Problem(
    axes=("time", "dim"),
    picture=Heatmap("time", "dim"),
    arguments={"N": Whole(), "d_model": Whole(2), "max_period": Real(least=50.0), "scale": Real(least=0.5)},
    cases=[
        (0, 1, 4, 10000.0, 1000.0),
        (0, 4, 2, 100.0, 2.0),
        (1, 2, 5, 10000.0, 100.0),
        (2, 3, 6, 50.0, 10.0),
        (2, 10, 9, 60.0, 0.5),
        (0, 3, 3, 60.0, 2.0),
    ],
)
