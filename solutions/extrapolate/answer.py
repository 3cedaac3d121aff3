"""The errors of ridge regression on sinusoidal and learned positions, within and beyond the trained length."""

import jax
import jax.numpy as jnp

from grader import Curve, Problem, Real, Whole


def extrapolate(seed, T, train_len, d_model, omega, ridge):
    phase = jax.random.uniform(jax.random.key(seed), maxval=2 * jnp.pi, dtype=jnp.float32)
    target = jnp.sin(omega * jnp.arange(T) + phase)
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    sinusoids = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)

    def errors(features):
        """The absolute errors of a fit to the trained positions, (T, n) -> (T,)."""
        X, y = features[:train_len], target[:train_len]
        #: fits-all-positions: X, y = features, target
        #: one-row-less: X, y = features[: train_len - 1], target[: train_len - 1]
        gram = X.T @ X + ridge * jnp.eye(features.shape[1])
        #: ridge-squared: ridge * jnp.eye -> ridge**2 * jnp.eye
        #: ridge-times-rows (not with ridge-squared): ridge * jnp.eye -> train_len * ridge * jnp.eye
        # The ridge makes the matrix positive definite, so that it has a Cholesky factor.
        weights = jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(gram), X.T @ y)
        return jnp.abs(features @ weights - target)
        #: signed-errors: jnp.abs(features @ weights - target) -> features @ weights - target, or target - features @ weights
        #: squared-errors (not with signed-errors): jnp.abs(features @ weights - target) -> (features @ weights - target)**2

    # A learned table has a row of its own for each trained position, and its last row stands for all later ones.
    rows = jnp.minimum(jnp.arange(T), train_len - 1)
    #: wrapped-index: rows = jnp.arange(T) % train_len
    learned = jnp.eye(train_len)[rows]
    #: zero-beyond-table (not with wrapped-index): learned = jnp.eye(T, train_len)
    of_sinusoids = errors(sinusoids)
    #: positions-restart: errors(sinusoids) -> errors(sinusoids[jnp.arange(T) % train_len])
    #: sinusoids-clipped: errors(sinusoids) -> errors(sinusoids[jnp.minimum(jnp.arange(T), train_len - 1)])
    of_learned = errors(learned)
    #: learned-without-ridge (not with zero-beyond-table): errors(learned) -> jnp.abs(target[rows] - target)
    return jnp.stack([of_sinusoids, of_learned]).reshape(-1)
    #: learned-first: [of_sinusoids, of_learned] -> [of_learned, of_sinusoids]


problem = Problem(
    axes=("table", "position"),
    picture=Curve("position"),
    arguments={
        "T": Whole(),
        "train_len": Whole(),
        "d_model": Whole(2, step=2),
        "omega": Real(0.0, 1.0),
        "ridge": Real(0.1, 1.0),
    },
    legal=[lambda T, train_len: train_len <= T],
    cases=[
        (0, 4, 2, 2, 0.5, 0.1),
        (1, 1, 1, 4, 0.3, 0.4),
        (2, 3, 1, 6, 0.9, 0.5),
        (3, 9, 4, 2, 1.0, 0.2),
        (4, 7, 7, 10, 0.4, 0.1),
        (5, 12, 9, 4, 0.0, 0.3),
        (6, 2, 2, 6, 0.6, 0.6),
        (7, 16, 10, 6, 1.0, 0.4),
        (8, 20, 12, 8, 0.2, 1.0),
        (9, 5, 3, 2, 0.7, 0.6),
        (10, 11, 5, 4, 0.6, 0.3),
    ],
)
