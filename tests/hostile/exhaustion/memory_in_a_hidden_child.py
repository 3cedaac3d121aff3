# status: error
# says: PermissionError
# at C: status=memory says=more than
# Takes 2 GB in a child that lets nobody of its user look at its memory (PR_SET_DUMPABLE).
import ctypes
import os
import time


def sinusoidal_pos(seed, T, d_model):
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
        kept = []
        for _ in range(16):
            kept.append(b"x" * (128 << 20))
        time.sleep(5)
    time.sleep(5)
