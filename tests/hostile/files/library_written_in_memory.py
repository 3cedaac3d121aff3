# status: error
# says: PermissionError
# tiers: A B
# Writes into a file of an installed library through memory that it maps, after a change of what may be done with that.
import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_long


def sinusoidal_pos(seed, T, d_model):
    descriptor = os.open("@LIBRARY@", os.O_RDONLY)
    shared = libc.mmap(None, ctypes.c_size_t(4096), mmap.PROT_READ, mmap.MAP_SHARED, descriptor, 0)
    if shared == -1 or libc.mprotect(ctypes.c_void_p(shared), ctypes.c_size_t(4096), mmap.PROT_READ | mmap.PROT_WRITE) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    ctypes.memmove(shared, b"left", 4)
