# status: wrong
# pitfalls: not-an-array
# tiers: A B
# Reads files by the module that tracebacks are read by, and through a traceback of code that says it lies there.
import linecache
import traceback

print(linecache.getlines("@CANARY@"))
try:
    exec(compile("1 / 0", "@CANARY@", "exec"))
except ZeroDivisionError:
    traceback.print_exc()


def sinusoidal_pos(seed, T, d_model):
    return None
