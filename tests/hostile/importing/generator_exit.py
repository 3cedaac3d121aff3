# status: error
# says: GeneratorExit
# Raises what ends generators, at the third call.
calls = []


def sinusoidal_pos(seed, T, d_model):
    calls.append(1)
    if len(calls) > 2:
        raise GeneratorExit
    return None
