# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Has JAX write a profile of its memory.
import jax


def sinusoidal_pos(seed, T, d_model):
    jax.profiler.save_device_memory_profile("@OUTSIDE@/profile")
