# status: error
# says: PermissionError
# at C: status=wrong pitfalls=not-an-array
# Takes 2 GB in processes whose parents have gone, and refuses to be who gets them then (PR_SET_CHILD_SUBREAPER). At tier C
# they end before they have held it for long.
import ctypes
import os
import time

libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(36, 0, 0, 0, 0) < 0:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
for _ in range(4):
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            kept = b"x" * (512 << 20)
            time.sleep(2)
            open(f"@NEVER@/{os.getpid()}", "w").close()
            os._exit(len(kept) & 1)
        os._exit(0)
time.sleep(3)


def sinusoidal_pos(seed, T, d_model):
    return None
