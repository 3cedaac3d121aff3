# status: error
# says: PermissionError|ProcessLookupError|OSError
# tiers: A B
# Reads the memory of another process by process_vm_readv (310 on x86-64).
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(64)
local = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 64)
one = ctypes.c_ulong(1)
remote = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 64)


def sinusoidal_pos(seed, T, d_model):
    if libc.syscall(310, @PID@, local, one, remote, one, ctypes.c_ulong(0)) < 0:
        raise OSError(ctypes.get_errno(), "process_vm_readv")
