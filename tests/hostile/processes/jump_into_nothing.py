# status: crash
# says: SIGSEGV|SIGILL|SIGBUS|SIGTRAP
# Runs machine code that is none.
import ctypes
import mmap

code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\x0f\x0b" * 100)
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))


def sinusoidal_pos(seed, T, d_model):
    return call()
