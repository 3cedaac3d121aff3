# status: error
# says: PermissionError
# The same device, opened to be read, which maps it for itself alone; and then asked to let it write.
import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
zero = os.open("/dev/zero", os.O_RDONLY)
size = ctypes.c_size_t(1 << 20)
shared = ctypes.c_void_p(libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, zero, ctypes.c_long(0)))
if libc.mprotect(shared, size, mmap.PROT_READ | mmap.PROT_WRITE) < 0:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def sinusoidal_pos(seed, T, d_model):
    return None
