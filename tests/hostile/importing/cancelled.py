# status: error
# says: CancelledError
# Raises what ends tasks.
import asyncio


def sinusoidal_pos(seed, T, d_model):
    raise asyncio.CancelledError
