# status: error
# says: PermissionError
# tiers: A B
# Cuts a file of an installed library by bare system calls: open (2 on x86-64), openat (257), openat2 (437), truncate (76).
import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
CUT = os.O_RDONLY | os.O_TRUNC
HOW = struct.pack("<QQQ", CUT, 0, 0)


def sinusoidal_pos(seed, T, d_model):
    path = b"@LIBRARY@"
    calls = ((2, path, CUT), (257, -100, path, CUT), (437, -100, path, HOW, len(HOW)), (76, path, 0))
    refused = [ctypes.get_errno() for call in calls if libc.syscall(*call) < 0]
    if len(refused) == len(calls):
        raise PermissionError(refused[0], "all refused")
