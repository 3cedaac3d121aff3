"""A small GPT in training: one causal block, a tied head, momentum under `lax.scan` (Radford et al., 2018, section 3.1)."""

import jax
import jax.numpy as jnp
import optax

from grader import Curve, Problem, Trace, Whole


def train_gpt(seed, B, T, V, d, steps):
    keys = jax.random.split(jax.random.key(seed), 5)
    # Batches of texts: which word follows depends on the word before the last one.
    table = 3 * jax.random.normal(keys[0], (V, V), dtype=jnp.float32)
    first, second = jax.random.randint(keys[1], (2, steps + 1, B), 0, V)

    def write(pair, key):
        before, last = pair
        word = jax.random.categorical(key, table[before])
        return (last, word), word

    _, following = jax.lax.scan(write, (first, second), jax.random.split(keys[2], T - 1))
    text = jnp.moveaxis(jnp.concatenate([first[None], second[None], following]), 0, -1)  # (steps + 1, B, T + 1)
    # The first weights, from two draws: a row for each word and each place, and four matrices.
    rows = jax.random.normal(keys[3], (V + T, d), dtype=jnp.float32) / jnp.sqrt(d)
    Wq, Wk, Wv, Wo = jax.random.normal(keys[4], (4, d, d), dtype=jnp.float32) / jnp.sqrt(d)
    weights = {"E": rows[:V], "pos": rows[V:], "Wq": Wq, "Wk": Wk, "Wv": Wv, "Wo": Wo}

    def norm(x):
        return x / jnp.sqrt(jnp.mean(x**2, axis=-1, keepdims=True) + 1e-6)

    def loss(weights, batch):
        inputs, targets = batch[:, :-1], batch[:, 1:]
        #: predicts-its-input: batch[:, 1:] -> batch[:, :-1]
        h = weights["E"][inputs] + weights["pos"]
        #: no-positions: + weights["pos"] ->
        x = norm(h)
        #: norm-skipped: norm(h) -> h
        scores = (x @ weights["Wq"]) @ (x @ weights["Wk"]).mT / jnp.sqrt(d)
        causal = jnp.tril(jnp.ones((T, T), bool))
        #: sees-the-future: causal = jnp.ones((T, T), bool)
        #: sees-itself-alone: causal = jnp.eye(T, dtype=bool)
        shares = jax.nn.softmax(jnp.where(causal, scores, -jnp.inf), axis=-1)
        h = h + shares @ (x @ weights["Wv"]) @ weights["Wo"]
        #: residual-missing: h + shares -> shares
        #: no-attention: -
        logits = norm(h) @ weights["E"].T
        #: head-detached: weights["E"].T -> jax.lax.stop_gradient(weights["E"].T)
        costs = optax.softmax_cross_entropy_with_integer_labels(logits, targets)
        return jnp.mean(costs)
        #: summed-loss: jnp.mean -> jnp.sum

    optimizer = optax.sgd(0.1, momentum=0.9)
    #: gradient-ascent: 0.1 -> -0.1
    #: tenth-of-a-step: 0.1 -> 0.01

    def step(state, batch):
        weights, velocity = state
        cost, slopes = jax.value_and_grad(loss)(weights, batch)
        #: head-not-trained:
        #:     cost, slopes = jax.value_and_grad(loss)(weights, batch)
        #:     slopes["E"] = jnp.zeros((V, d))
        updates, velocity = optimizer.update(slopes, velocity)
        #: fresh-momentum: velocity) -> optimizer.init(weights))
        weights = optax.apply_updates(weights, updates)
        return (weights, velocity), cost
        #: loss-after-the-step: cost -> loss(weights, batch)

    # One round for each batch. The last batch is kept apart: the model never learns from it.
    start = weights, optimizer.init(weights)
    (weights, _), losses = jax.lax.scan(step, start, text[:-1])
    #: same-batch-again: text[:-1] -> jnp.broadcast_to(text[0], text[:-1].shape)
    return jnp.append(losses, loss(weights, text[-1]))
    #: tests-on-training-text: text[-1] -> text[-2]


problem = Problem(
    axes=("step",),
    picture=Curve("step"),
    contract="trace",
    trace=Trace(needs=["scan"], grows="no", size="steps"),
    arguments={
        "B": Whole(2, reach=3),
        "T": Whole(2, reach=4),
        "V": Whole(3, reach=5),
        "d": Whole(2, reach=4),
        "steps": Whole(2, reach=5),
    },
    cases=[
        (15, 2, 3, 4, 3, 3),
        (1, 3, 3, 5, 4, 2),
        (1, 3, 3, 5, 4, 8),
        (3, 3, 2, 4, 3, 3),
        (3, 3, 4, 5, 2, 5),
        (4, 3, 4, 3, 4, 3),
    ],
)
