"""Learn a decay and roll it out. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def decay_rollout(seed, T, d_model, dt, steps, horizon):
    """What a linear model, trained to go one step along exp(-t), predicts when it runs on its own predictions.

    Args:
        seed: unused here; every problem of this kit is called with one first.
        T: the number of training pairs: the inputs stand at the places 0 to T - 1, the moments 0 to (T - 1) * dt.
        d_model: the number of dimensions of the position encoding, even.
        dt: the time from one place to the next, a float.
        steps: the number of steps of gradient descent.
        horizon: the number of predictions to roll out.

    Returns:
        The predictions, the one for the moment T * dt first, as a float32 array of shape (horizon,).
    """
    raise NotImplementedError
