# status: crash
# says: SIGSYS
# tiers: A B
# fork by the gate of 32-bit programs, where system calls have other numbers (2 is fork there, and open elsewhere).
import ctypes
import mmap
import os

code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")  # mov eax, 2; int 0x80; ret
fork = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))


def sinusoidal_pos(seed, T, d_model):
    made = fork()
    if made == 0:
        os._exit(0)
    if made < 0:
        raise OSError(-made, "fork")
