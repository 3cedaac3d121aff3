"""Far positions that look alike. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax.numpy as jnp


def aliasing(seed, T, d_model, base, gap):
    """The distance at which two far positions look most alike, and how far apart their rows are.

    Args:
        seed: unused here; every problem of this kit is called with one first.
        T: the number of positions.
        d_model: the number of dimensions, even.
        base: the base of the frequencies, a float.
        gap: the fewest positions from one to the other, at least 1 and less than T.

    Returns:
        The number of positions from one to the other, and the Euclidean distance of their rows, as a float32 array of
        shape (2,).
    """
    raise NotImplementedError
