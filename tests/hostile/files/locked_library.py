# status: error
# says: PermissionError|OSError|BlockingIOError
# tiers: A B
# Takes a lease of a library's file (F_SETLEASE), so that whoever would write to it waits.
import fcntl
import os


def sinusoidal_pos(seed, T, d_model):
    fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), 1024, fcntl.F_RDLCK)
