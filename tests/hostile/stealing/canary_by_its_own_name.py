# status: error
# says: ZeroDivisionError
# tiers: A B
# Its code says that it lies in another file, and its cached lines are taken away.
import linecache

linecache.cache.clear()


def sinusoidal_pos(seed, T, d_model):
    1 / 0


sinusoidal_pos.__code__ = sinusoidal_pos.__code__.replace(co_filename="@CANARY@", co_firstlineno=0)
