# status: error
# says: ValueError
# Raises in a line of a million letters, which the grader would show.
import linecache

name = (lambda: 0).__code__.co_filename
source = "def sinusoidal_pos(seed, T, d_model): raise ValueError('" + "x" * 1000000 + "')"
linecache.cache[name] = (len(source), None, [source], name)
exec(compile(source, name, "exec"))
