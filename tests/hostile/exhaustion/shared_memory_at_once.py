# status: error
# says: PermissionError
# at C: status=memory says=more than
# Takes 4 GB of shared anonymous memory in one system call.
import mmap


def sinusoidal_pos(seed, T, d_model):
    return len(mmap.mmap(-1, 4 << 30, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE))
