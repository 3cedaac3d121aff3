"""One step with clipping (Pascanu et al., 2013, algorithm 1) and decoupled decay (Loshchilov and Hutter, 2017) on a tree."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def tree_decay_step(seed, L, d, limit, decay):
    keys = iter(jax.random.split(jax.random.key(seed), 4 * L))

    def layer():
        w = jax.random.normal(next(keys), (d, d), dtype=jnp.float32)
        b = jax.random.normal(next(keys), (d,), dtype=jnp.float32)
        return {"w": w, "b": b}

    params = [layer() for _ in range(L)]
    grads = [layer() for _ in range(L)]

    # Matrices are pulled towards zero, and vectors are not.
    pull = jax.tree.map(lambda p: decay * p if p.ndim > 1 else jnp.zeros_like(p), params)
    #: bias-decayed: decay * p if p.ndim > 1 else jnp.zeros_like(p) -> decay * p
    #: mask-inverted: p.ndim > 1 -> p.ndim == 1

    # One length for all leaves together: the gradient keeps its direction.
    squares = [jnp.sum(g**2) for g in jax.tree.leaves(grads)]
    #: sum-of-norms: jnp.sum(g**2) -> jnp.linalg.norm(g)
    #: decay-clipped-too/added: jax.tree.leaves(grads) -> jax.tree.leaves(jax.tree.map(jnp.add, grads, pull))
    norm = jnp.sqrt(sum(squares))
    #: sum-of-norms: jnp.sqrt(sum(squares)) -> sum(squares)
    #: norm-not-rooted: jnp.sqrt(sum(squares)) -> sum(squares)
    factor = jnp.minimum(1.0, limit / norm)
    #: clip-to-limit-always: jnp.minimum(1.0, limit / norm) -> limit / norm
    clipped = jax.tree.map(lambda g: factor * g, grads)
    #: clipped-by-leaf (not with sum-of-norms, norm-not-rooted, clip-to-limit-always):
    #:     clipped = jax.tree.map(lambda g: g * jnp.minimum(1.0, limit / jnp.linalg.norm(g)), grads)
    #: clipped-by-layer (not with sum-of-norms, norm-not-rooted, clip-to-limit-always):
    #:     norms = [jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(layer))) for layer in grads]
    #:     clipped = [jax.tree.map(lambda g: g * jnp.minimum(1.0, limit / n), layer) for n, layer in zip(norms, grads)]

    new = jax.tree.map(lambda p, g, c: p - 0.1 * (g + c), params, clipped, pull)
    #: decay-not-scaled: p - 0.1 * (g + c) -> p - 0.1 * g - c
    #: decay-clipped-too/added (not with clipped-by-leaf, clipped-by-layer): c) -> factor * c)
    #: decay-clipped-too/scaled (not with clipped-by-leaf, clipped-by-layer): c) -> factor * c)
    #: decay-after-the-step (alone):
    #:     new = jax.tree.map(lambda p, g: p - 0.1 * g, params, clipped)
    #:     new = jax.tree.map(lambda p: p - 0.1 * decay * p if p.ndim > 1 else p, new)
    leaves = jax.tree.leaves(new)
    #: insertion-order: leaves = [layer[name] for layer in new for name in ("w", "b")]
    return jnp.concatenate([leaf.reshape(-1) for leaf in leaves])


problem = Problem(
    axes=("number",),
    arguments={"L": Whole(reach=4), "d": Whole(), "limit": Real(above=0.0), "decay": Real(0.0)},
    cases=[
        (0, 1, 1, 0.5, 0.5),
        (1, 2, 3, 100.0, 0.1),
        (6, 3, 1, 0.5, 0.1),
        (2, 3, 2, 1.5, 0.3),
        (3, 3, 9, 0.05, 0.2),
        (4, 4, 3, 2.0, 0.0),
        (8, 3, 5, 3.0, 0.4),
        (5, 1, 9, 6.0, 1.0),
    ],
)
