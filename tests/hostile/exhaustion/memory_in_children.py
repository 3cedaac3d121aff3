# status: error
# says: PermissionError
# at C: status=memory says=more than
# Lets each of many children take a part of the memory that it may use itself.
import os
import time


def sinusoidal_pos(seed, T, d_model):
    for _ in range(20):
        if os.fork() == 0:
            kept = b"x" * (100 << 20)
            time.sleep(5)
            os._exit(len(kept) & 1)
    time.sleep(5)
