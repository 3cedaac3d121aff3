"""One step of gradient descent on a batch that is read in parts: sums over micro-batches, then one division and one clip."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Trace, Whole


def accumulate_gradients(seed, micro, B, T, V, limit):
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (micro, B, T), 0, V, dtype=jnp.int32)
    W = jax.random.normal(k2, (V, V), dtype=jnp.float32)

    def summed(W, batch):
        inputs, targets = batch[:, :-1], batch[:, 1:]
        log_probabilities = jax.nn.log_softmax(W[inputs], axis=-1)
        costs = -jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1)[..., 0]
        counts = targets != 0
        #: counts-padding: != -> >=
        #: masks-by-input: targets != 0 -> inputs != 0
        return jnp.sum(costs * counts), jnp.sum(counts)

    def add(sums, batch):
        loss, gradient, count = sums
        (cost, counted), slope = jax.value_and_grad(summed, has_aux=True)(W, batch)
        #: steps-each-micro-batch: (W, batch) -> (W - 0.5 * gradient, batch)
        #: clips-each-micro-batch (not with last-micro-batch):
        #:     (cost, counted), slope = jax.value_and_grad(summed, has_aux=True)(W, batch)
        #:     slope = slope * jnp.minimum(1.0, limit * counted / jnp.linalg.norm(slope))
        #: clips-each-micro-batch (not with last-micro-batch):
        #:     (cost, counted), slope = jax.value_and_grad(summed, has_aux=True)(W, batch)
        #:     slope = slope * jnp.minimum(1.0, limit / jnp.linalg.norm(slope))
        return (loss + cost, gradient + slope, count + counted), None
        #: divides-by-last-count (not with last-micro-batch): count + counted -> counted
        #: mean-of-means (not with counts-padding): + cost, gradient + slope -> + cost / counted, gradient + slope / counted
        #: means-added: + cost, gradient + slope -> + cost / counted, gradient + slope / counted
        #: last-micro-batch: loss + cost, gradient + slope, count + counted -> cost, slope, counted
        #: steps-each-micro-batch:
        #:     length = jnp.linalg.norm(slope / counted)
        #:     own = slope / counted * jnp.minimum(1.0, limit / length)
        #:     return (loss + cost, gradient + own, count + counted), None

    start = (0.0, jnp.zeros_like(W), 0)
    (loss, gradient, count), _ = jax.lax.scan(add, start, tokens)
    # One division by the count of all: each target weighs the same, in whichever micro-batch it stands.
    loss, gradient = jax.tree.map(lambda total: total / count, (loss, gradient))
    #: mean-of-means: / count -> / micro
    #: means-added: / count ->
    #: means-added/all-positions (not with counts-padding): / count -> / (B * (T - 1))
    #: sum-of-losses: / count ->
    #: divides-by-rows: / count -> / (micro * B)
    #: divides-twice: / count -> / (count * micro)
    #: divides-by-all-positions (not with counts-padding): / count -> / (micro * B * (T - 1))
    #: steps-each-micro-batch: loss = loss / count
    factor = jnp.minimum(1.0, limit / jnp.linalg.norm(gradient))
    #: largest-singular-value: jnp.linalg.norm(gradient) -> jnp.linalg.norm(gradient, 2)
    #: never-clips: jnp.minimum(1.0, limit / jnp.linalg.norm(gradient)) -> 1.0
    #: clip-to-limit-always: jnp.minimum(1.0, limit / jnp.linalg.norm(gradient)) -> limit / jnp.linalg.norm(gradient)
    #: clips-each-micro-batch: jnp.minimum(1.0, limit / jnp.linalg.norm(gradient)) -> 1.0
    #: steps-each-micro-batch: jnp.minimum(1.0, limit / jnp.linalg.norm(gradient)) -> 1.0
    return jnp.append(loss, W - 0.5 * factor * gradient)
    #: loss-after-the-step:
    #:     new = W - 0.5 * factor * gradient
    #:     return jnp.append(summed(new, tokens.reshape(-1, T))[0] / count, new)


problem = Problem(
    axes=("number",),
    contract="trace",
    trace=Trace(needs=["scan"], grows="no", size="micro"),
    arguments={"micro": Whole(), "B": Whole(), "T": Whole(2), "V": Whole(2), "limit": Real(above=0.0)},
    cases=[
        (2, 2, 1, 3, 3, 100.0),
        (0, 1, 3, 4, 4, 0.2),
        (3, 2, 3, 5, 4, 0.2),
        (4, 4, 2, 3, 5, 100.0),
        (0, 3, 4, 2, 9, 0.3),
        (2, 3, 9, 3, 2, 0.3),
        (6, 3, 4, 3, 4, 0.05),
        (0, 9, 4, 9, 5, 0.15),
        (4, 2, 1, 4, 3, 0.2),
        (4, 8, 1, 4, 3, 0.2),
    ],
)
