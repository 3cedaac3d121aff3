"""A training run that is saved as plain arrays and goes on as if it had never stopped: weights, Adam's state and the key."""

import jax
import jax.numpy as jnp
import optax

from grader import Problem, Whole


def resume_exactly(seed, N, d, before, after):
    k1, key = jax.random.split(jax.random.key(seed))
    target = jax.random.normal(k1, (d,), dtype=jnp.float32)
    optimizer = optax.adam(0.1, b2=0.95)

    def loss(w, x):
        return jnp.mean((x @ (w - target)) ** 2)

    def flat(w, mu, nu, count, words, losses):
        """The five saved arrays and the losses in one array. Each of the key's two words is cut into halves of 16 bits."""
        halves = jnp.stack([words >> 16, words & 0xFFFF], axis=1) / 65536
        parts = w, mu, nu, count / 100, halves, losses
        return jnp.concatenate([jnp.ravel(part).astype(jnp.float32) for part in parts])

    def step(state, _):
        w, adam, key = state
        key, sub = jax.random.split(key)
        #: halves-swapped: key, sub = -> sub, key =
        x = jax.random.normal(sub, (N, d), dtype=jnp.float32)
        cost, slope = jax.value_and_grad(loss)(w, x)
        updates, adam = optimizer.update(slope, adam)
        return (optax.apply_updates(w, updates), adam, key), cost
        #: loss-after-the-step: , cost -> , loss(optax.apply_updates(w, updates), x)

    zeros = jnp.zeros(d)
    start = zeros, optimizer.init(zeros), key
    (w, adam, key), _ = jax.lax.scan(step, start, length=before)
    #: saved-one-step-early: length=before -> length=before - 1

    # What goes to disk: arrays, and no objects of JAX or Optax.
    means = adam[0]
    w, mu, nu, count = w, means.mu, means.nu, means.count
    #: saved-in-half: = w, -> = w.astype(jnp.bfloat16).astype(jnp.float32),
    words = jax.random.key_data(key)
    #: spent-key-saved: words = jax.random.key_data(jax.random.split(key)[1])
    #: spent-key-saved:
    #:     last, _ = jax.lax.scan(lambda key, _: (jax.random.split(key)[0], None), start[2], length=before - 1)
    #:     words = jax.random.key_data(jax.random.split(last)[1])

    # A new process has these five arrays and nothing else.
    adam = optax.tree.set(optimizer.init(zeros), mu=mu, nu=nu, count=count)
    #: fresh-optimizer: adam = optimizer.init(zeros)
    #: count-restarts: count=count -> count=0
    #: moments-lost (not with count-restarts): mu=mu, nu=nu, ->
    #: moments-swapped (not with count-restarts): mu=mu, nu=nu -> mu=nu, nu=mu
    key = jax.random.wrap_key_data(words)
    #: keys-from-the-start: key = start[2]
    #: key-of-its-own: key = jax.random.fold_in(jax.random.wrap_key_data(words), before)
    _, losses = jax.lax.scan(step, (w, adam, key), length=after)
    #: weights-lost: (w, adam, key) -> (zeros, adam, key)
    return flat(w, mu, nu, count, words, losses)


problem = Problem(
    axes=("number",),
    contract="jit",
    arguments={"N": Whole(), "d": Whole(), "before": Whole(reach=5), "after": Whole(reach=5)},
    cases=[
        (0, 2, 1, 2, 2),
        (1, 3, 2, 3, 5),
        (38, 2, 3, 16, 3),  # weights near 1, which 16 bits hold badly
        (3, 1, 4, 3, 4),
        (4, 9, 3, 2, 3),
        (5, 3, 9, 4, 1),
        (6, 3, 5, 1, 5),
        (7, 4, 1, 3, 3),
        (8, 3, 4, 5, 2),
        (9, 4, 9, 4, 3),
    ],
)
