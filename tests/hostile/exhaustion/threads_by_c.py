# status: memory
# says: threads
# Starts thousands of threads past Python, by pthread_create.
import ctypes
import time

libc = ctypes.CDLL(None)
pause = ctypes.cast(libc.pause, ctypes.c_void_p)


def sinusoidal_pos(seed, T, d_model):
    for _ in range(5000):
        libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None, pause, None)
    time.sleep(1000)
