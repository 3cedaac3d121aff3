"""Beyond the trained length. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def extrapolate(seed, T, train_len, d_model, omega, ridge):
    """The errors of two fits of a wave, with sinusoidal and with learned positions, flattened.

    Args:
        seed: the seed of the phase of the wave.
        T: the number of positions.
        train_len: the number of positions that the fits may use, at most T.
        d_model: the number of dimensions of the sinusoidal table, even.
        omega: the frequency of the wave.
        ridge: the factor of the squared weights in the loss.

    Returns:
        The absolute errors of shape (2, T), sinusoidal and then learned, as a float32 array of shape (2 * T,).
    """
    phase = jax.random.uniform(jax.random.key(seed), maxval=2 * jnp.pi, dtype=jnp.float32)
    target = jnp.sin(omega * jnp.arange(T) + phase)
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    sinusoids = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)
    raise NotImplementedError
