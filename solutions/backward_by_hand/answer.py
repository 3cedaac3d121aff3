"""The gradients of two layers and a cross-entropy (Goodfellow, Bengio and Courville, 2016, algorithm 6.4)."""

import jax
import jax.numpy as jnp

from grader import Problem, Tokens, Whole


def backward_by_hand(seed, N, d, H):
    keys = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(keys[0], (N, d), dtype=jnp.float32)
    labels = jax.random.randint(keys[1], (N,), 0, 3)
    W1 = jax.random.normal(keys[2], (d, H), dtype=jnp.float32) / d**0.5
    b1 = jax.random.normal(keys[3], (H,), dtype=jnp.float32)
    W2 = jax.random.normal(keys[4], (H, 3), dtype=jnp.float32) / H**0.5
    b2 = jax.random.normal(keys[5], (3,), dtype=jnp.float32)

    z = x @ W1 + b1
    h = jnp.maximum(z, 0.0)
    logits = h @ W2 + b2
    y = jnp.eye(3)[labels]
    loss = -(y * jax.nn.log_softmax(logits)).sum() / N
    #: sum-for-mean: .sum() / N -> .sum()
    #: softmax-over-all: log_softmax(logits) -> log_softmax(logits, axis=None)
    #: loss-not-divided: .sum() / N -> .sum()
    #: divided-by-classes-too: .sum() / N -> .sum() / y.size
    #: divided-by-classes-too: =
    #: divided-by-classes-too: .sum() / N -> .sum() / y.size

    # The softmax and the logarithm together have this simple derivative. The loss is a mean over N rows.
    by_logits = (jax.nn.softmax(logits) - y) / N
    #: softmax-over-all: softmax(logits) -> softmax(logits, axis=None)
    #: softmax-over-rows: softmax(logits) -> softmax(logits, axis=0)
    #: labels-left-out: (jax.nn.softmax(logits) - y) -> jax.nn.softmax(logits)
    #: sign-flipped: (jax.nn.softmax(logits) - y) -> (y - jax.nn.softmax(logits))
    #: not-divided-by-rows: (jax.nn.softmax(logits) - y) / N -> jax.nn.softmax(logits) - y
    #: sum-for-mean: (jax.nn.softmax(logits) - y) / N -> jax.nn.softmax(logits) - y
    #: divided-by-classes-too: / N -> / y.size
    #: divided-by-classes-too: / N -> / y.size
    #: divided-by-classes-too: =
    #: softmax-twice:
    #:     p = jax.nn.softmax(logits)
    #:     by_logits = (p - y) * p * (1 - p) / N
    by_W2 = h.T @ by_logits
    #: z-for-h: h.T -> z.T
    by_b2 = by_logits.sum(axis=0)
    #: bias-not-summed: .sum(axis=0) -> .mean(axis=0)
    #: bias-not-summed: .sum(axis=0) -> [0]
    by_h = by_logits @ W2.T
    by_z = jnp.where(z > 0, by_h, 0.0)
    #: mask-from-gradient: z > 0 -> by_h > 0
    #: relu-passed-over: jnp.where(z > 0, by_h, 0.0) -> by_h
    #: mask-flipped: z > 0 -> z < 0
    #: multiplied-by-h: jnp.where(z > 0, by_h, 0.0) -> by_h * h
    by_W1 = x.T @ by_z
    #: relu-passed-over-once: by_z -> by_h
    #: relu-passed-over-once: =
    by_b1 = by_z.sum(axis=0)
    #: relu-passed-over-once: =
    #: relu-passed-over-once: by_z -> by_h
    #: bias-not-summed: .sum(axis=0) -> .mean(axis=0)
    #: bias-not-summed: .sum(axis=0) -> [0]
    return jnp.concatenate([loss[None], by_W1.ravel(), by_b1, by_W2.ravel(), by_b2])
    #: matrices-by-columns: by_W1.ravel(), by_b1, by_W2.ravel() -> by_W1.T.ravel(), by_b1, by_W2.T.ravel()
    #: matrices-by-columns: by_W1.ravel() -> by_W1.T.ravel()
    #: matrices-by-columns: by_W2.ravel() -> by_W2.T.ravel()
    #: matrices-before-biases: by_b1, by_W2.ravel(), by_b2 -> by_W2.ravel(), by_b1, by_b2
    #: second-layer-first: by_W1.ravel(), by_b1, by_W2.ravel(), by_b2 -> by_W2.ravel(), by_b2, by_W1.ravel(), by_b1


problem = Problem(
    axes=("number",),
    picture=Tokens("number"),
    arguments={"N": Whole(), "d": Whole(), "H": Whole()},
    cases=[
        (0, 4, 2, 3),
        (1, 1, 3, 4),
        (2, 2, 9, 3),
        (3, 9, 1, 4),
        (4, 3, 3, 1),
        (5, 5, 4, 9),
        (6, 9, 3, 2),
        (7, 2, 2, 2),
        (8, 3, 9, 9),
    ],
)
