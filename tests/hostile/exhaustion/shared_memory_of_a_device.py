# status: error
# says: PermissionError
# at C: status=memory says=more than
# Takes 2 GB of shared anonymous memory by a device that gives it (/dev/zero), in pieces.
import mmap
import os
import time

zero = os.open("/dev/zero", os.O_RDWR)
kept = []
for _ in range(16):
    kept.append(mmap.mmap(zero, 128 << 20, mmap.MAP_SHARED))
    sum(kept[-1][0 :: mmap.PAGESIZE])
time.sleep(5)


def sinusoidal_pos(seed, T, d_model):
    return None
