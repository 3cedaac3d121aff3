# status: wrong
# pitfalls: not-an-array
import jax


def sinusoidal_pos(seed, T, d_model):
    return jax.random.key(0)
