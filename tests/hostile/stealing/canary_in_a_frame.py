# status: error
# says: ZeroDivisionError
# tiers: A B
# Raises out of code that says it lies in another file, so that the grader shows that file's line.
import linecache

linecache.clearcache()


def sinusoidal_pos(seed, T, d_model):
    exec(compile("1 / 0", "@CANARY@", "exec"))
