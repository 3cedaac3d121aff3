# status: error
# says: ExceptionGroup
# Raises groups of exceptions in groups of exceptions.
def sinusoidal_pos(seed, T, d_model):
    group = ExceptionGroup("inner", [ValueError("one"), TypeError("two")])
    for depth in range(500):
        group = BaseExceptionGroup(f"at {depth}", [group, KeyboardInterrupt()])
    raise group
