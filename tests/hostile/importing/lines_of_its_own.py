# status: error
# says: cannot be described
# Changes its own lines as tracebacks show them, into something that is no list of lines.
import linecache

for name in list(linecache.cache):
    linecache.cache[name] = (1, None, None, None)


def sinusoidal_pos(seed, T, d_model):
    raise ValueError("here")
