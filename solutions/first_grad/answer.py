"""The gradients of a mean squared error (Baydin et al., JMLR 2018, section 3)."""

import jax
import jax.numpy as jnp

from grader import Problem, Tokens, Whole


def first_grad(seed, N, d):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    t = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d,), dtype=jnp.float32)
    b = jax.random.normal(k4, (), dtype=jnp.float32)

    def loss(w, b):
        predicted = x @ w + b
        #: bias-forgotten: + b ->
        errors = predicted - t
        #: targets-forgotten: predicted - t -> predicted
        #: targets-added: predicted - t -> predicted + t
        return jnp.mean(errors**2)
        #: summed-loss: jnp.mean -> jnp.sum
        #: absolute-errors: errors**2 -> jnp.abs(errors)
        #: halved-loss: jnp.mean(errors**2) -> jnp.mean(errors**2) / 2
        #: square-of-the-mean: jnp.mean(errors**2) -> jnp.mean(errors) ** 2
        #: root-of-the-loss: jnp.mean(errors**2) -> jnp.sqrt(jnp.mean(errors**2))

    value, (by_w, by_b) = jax.value_and_grad(loss, argnums=(0, 1))(w, b)
    result = jnp.concatenate([value[None], by_w, by_b[None]])
    #: bias-not-learned: by_b[None] -> jnp.zeros(1)
    #: gradients-negated: by_w, by_b[None] -> -by_w, -by_b[None]
    #: bias-before-weights: by_w, by_b[None] -> by_b[None], by_w
    #: weights-in-place-of-gradients: by_w, by_b[None] -> w, b[None]
    #: loss-at-the-end: value[None], by_w, by_b[None] -> by_w, by_b[None], value[None]
    return result


problem = Problem(
    axes=("number",),
    picture=Tokens("number"),
    arguments={"N": Whole(), "d": Whole()},
    cases=[(3, 3, 3), (0, 1, 4), (1, 4, 1), (2, 2, 5), (4, 5, 2), (5, 9, 3), (6, 3, 9)],
)
