"""One trace for all pieces (Frostig, Johnson and Leary, Compiling machine learning programs via tracing, 2018)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def compile_once(seed, N, size, degree):
    x = jax.random.uniform(jax.random.key(seed), (N,), minval=-1.0, maxval=1.0)
    traces = []

    def add_powers(total, piece, degree):
        traces.append(piece.shape)
        #: counts-powers: traces.extend(range(degree))
        return total + jnp.stack([(piece**k).sum() for k in range(1, degree + 1)])
        #: powers-from-zero: range(1, degree + 1) -> range(degree)
        #: powers-from-zero: =

    # The shape of the result depends on the degree, so its number must be known. The old total is not needed again.
    add = jax.jit(add_powers, static_argnums=2, donate_argnums=0)
    count = -(-N // size)
    # Zeros fill up the last piece: they add nothing, and all pieces have one shape.
    pieces = jnp.pad(x, (0, count * size - N)).reshape(count, size)
    #: zeros-in-front: (0, count * size - N) -> (count * size - N, 0)
    #: last-piece-shorter: pieces = [x[i * size : (i + 1) * size] for i in range(count)]
    total = jnp.zeros(degree)
    #: first-total-differs: jnp.zeros(degree) -> jnp.full(degree, 0.0)
    rows = []
    for i in range(count):
        total = add(total, pieces[i], degree)
        #: one-trace-a-call: add -> jax.jit(lambda *given: add_powers(*given), static_argnums=2)
        #: piece-alone: (total -> (jnp.zeros(degree)
        #: mean-of-means: total = total + add(jnp.zeros(degree), pieces[i], degree) / min(size, N - i * size)
        #: sums-not-kept: (total -> (jnp.zeros(degree)
        #: counts-before-the-call:
        #:     before = len(traces)
        #:     total = add(total, pieces[i], degree)
        seen = min((i + 1) * size, N)
        #: zeros-counted: min((i + 1) * size, N) -> (i + 1) * size
        #: piece-alone: min((i + 1) * size, N) -> min(size, N - i * size)
        #: mean-of-means: min((i + 1) * size, N) -> (i + 1)
        #: divides-by-all: min((i + 1) * size, N) -> N
        rows.append(jnp.append(total / seen, len(traces)))
        #: counts-before-the-call: len(traces) -> before
        #: powers-from-zero: =
        #: powers-from-zero: total / seen -> jnp.append(1.0, (total / seen)[:-1])
        #: count-first: total / seen, len(traces) -> len(traces), total / seen
        #: sums-for-means: / seen ->
        #: mean-of-totals: / seen -> / (i + 1)
    return jnp.stack(rows).reshape(-1)


problem = Problem(
    axes=("piece", "number"),
    picture=Heatmap("piece", "number"),
    arguments={"N": Whole(), "size": Whole(), "degree": Whole(most=4)},
    cases=[
        (0, 7, 3, 2),
        (1, 1, 2, 3),
        (7, 1, 4, 1),
        (2, 2, 1, 1),
        (12, 2, 3, 3),
        (8, 2, 4, 2),
        (13, 4, 1, 4),
        (9, 3, 1, 3),
        (10, 5, 2, 3),
        (11, 8, 3, 3),
        (3, 9, 4, 1),
        (4, 5, 9, 2),
        (5, 12, 4, 4),
        (6, 19, 9, 1),
    ],
)
