# status: error
# says: OSError|MemoryError
# Fills the kernel's tables of pages, which are in nobody's resident set: reads a byte in every 2 MB of a terabyte.
import mmap


def sinusoidal_pos(seed, T, d_model):
    zeros = mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
    zeros.madvise(mmap.MADV_NOHUGEPAGE)
    for start in range(0, 1 << 40, 2 << 20):
        zeros[start]
