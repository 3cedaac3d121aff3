# status: error
# says: PermissionError
# at C: status=wrong pitfalls=not-an-array
# The same, never with more at once than it may use. At tier C nobody sees it: what it can map bounds it, and it ends with it.
import mmap

shared = mmap.mmap(-1, 5 << 28, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
part = bytes(64 << 20)
for start in range(0, 5 << 28, 64 << 20):
    shared[start : start + (64 << 20)] = part
    shared.madvise(mmap.MADV_DONTNEED, start, 64 << 20)


def sinusoidal_pos(seed, T, d_model):
    return None
