# status: error
# says: Tracer
# A value out of an earlier trace.
import jax.numpy as jnp

kept = []


def sinusoidal_pos(seed, T, d_model):
    kept.append(jnp.zeros(T * d_model) + 1)
    return kept[0]
