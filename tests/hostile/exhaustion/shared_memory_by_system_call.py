# status: error
# says: PermissionError
# at C: status=wrong pitfalls=not-an-array
# Asks for shared anonymous memory by bare system calls: by every kind of mapping that shares (9 on x86-64), of huge pages
# too, and by making one of its own larger in place and elsewhere (mremap of nothing, 25), which shares it.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(number, *values):
    return libc.syscall(*(ctypes.c_long(value) for value in (number, *values)))


got = [call(9, 0, 1 << 21, 3, flags, -1, 0) for flags in (0x21, 0x23, 0x40021, 0x100021, 0x8021)]
own = call(9, 0, 1 << 21, 3, 0x22, -1, 0)
twice = call(25, own, 0, 1 << 21, 1)
if max(got) < 0:
    raise PermissionError(ctypes.get_errno(), [*got, twice])


def sinusoidal_pos(seed, T, d_model):
    return None
