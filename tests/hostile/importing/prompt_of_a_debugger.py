# status: error
# says: BdbQuit|EOFError|SystemExit
# Stops in a debugger that waits for orders.
def sinusoidal_pos(seed, T, d_model):
    breakpoint()
