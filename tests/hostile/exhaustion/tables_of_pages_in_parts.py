# status: error
# says: OSError|MemoryError
# The same in mappings of 2 GB, as many as it is given, up to two terabytes.
import mmap


def sinusoidal_pos(seed, T, d_model):
    kept = []
    for _ in range(1000):
        kept.append(mmap.mmap(-1, 2 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ))
        kept[-1].madvise(mmap.MADV_NOHUGEPAGE)
        sum(kept[-1][0 :: 2 << 20])
