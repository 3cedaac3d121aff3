"""A random walk with a key for each step (Salmon et al., Parallel Random Numbers, 2011)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def first_keys(seed, N, T):
    key = jax.random.key(seed)
    for_start, for_steps = jax.random.split(key, 2)
    #: keys-exchanged: for_start, for_steps -> for_steps, for_start
    #: key-not-split: for_start, for_steps = key, key
    start = jax.random.normal(for_start, (N,), dtype=jnp.float32)
    #: key-used-up: for_start -> key
    #: start-left-out: start = jnp.zeros(N)

    def noise(t):
        own = jax.random.fold_in(for_steps, t)
        #: steps-from-one: for_steps, t -> for_steps, t + 1
        #: folded-into-the-first-key: for_steps, t -> key, t
        #: same-noise-in-each-step: own = for_steps
        return jax.random.normal(own, (N,), dtype=jnp.float32)

    steps = jax.vmap(noise)(jnp.arange(T))
    #: one-draw-for-all-steps: steps = jax.random.normal(for_steps, (T, N), dtype=jnp.float32)
    total = jnp.cumsum(steps, axis=0)
    #: steps-not-added: total = steps
    #: walkers-added: axis=0 -> axis=1
    #: own-step-left-out: total = jnp.cumsum(steps, axis=0) - steps
    return (start + total).reshape(-1)


problem = Problem(
    axes=("step", "walker"),
    picture=Heatmap("step", "walker"),
    contract="keys",
    arguments={"N": Whole(), "T": Whole()},
    cases=[(3, 3, 3), (0, 1, 4), (1, 4, 1), (2, 2, 5), (4, 5, 2), (5, 9, 3), (6, 3, 9)],
)
