# status: error
# says: PermissionError
# at C: status=memory says=more than
# Takes 2 GB in processes whose parents have gone, so that they hang below it no more.
import os
import time


def sinusoidal_pos(seed, T, d_model):
    for _ in range(4):
        if os.fork() == 0:
            if os.fork() == 0:
                os.setsid()
                kept = b"x" * (512 << 20)
                time.sleep(5)
                os._exit(len(kept) & 1)
            os._exit(0)
    time.sleep(5)
