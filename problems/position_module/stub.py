"""A positional encoding as a module. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def position_module(seed, T, d_model, max_len, rate):
    """What a positional encoding gives in training, what it gives after one step of training, and its table.

    Write a kind of variable, `class Table(nnx.Variable)`, and a module `Positions(d_model, max_len, rate, *, rngs)` with

        gain   nnx.Param  ones of shape (d_model,)
        table  Table      sinusoidal encodings of shape (max_len, d_model), sine and cosine in turn

    It gives `x * gain + table`, with as many rows of the table as x has, and then dropout with keys of the stream `dropout`.

    Args:
        seed: the seed of the token vectors x and of the masks.
        T: the number of positions of x.
        d_model: the number of dimensions, even.
        max_len: the number of rows of the table, at least T.
        rate: the probability that a number is dropped in training.

    Returns:
        Three arrays as one, each row after row, as a float32 array of shape (2 * T * d_model + max_len * d_model,).
    """
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(dropout=jax.random.key(seed + 1))
    optimizer = optax.sgd(0.1)
    raise NotImplementedError
