# status: error
# says: PermissionError|ProcessLookupError|OSError
# tiers: A B
# Makes another process the owner of a pipe whose news come as a signal that kills (F_SETOWN, F_SETSIG).
import fcntl
import os
import time


def sinusoidal_pos(seed, T, d_model):
    r, w = os.pipe()
    fcntl.fcntl(r, fcntl.F_SETOWN, @PID@)
    fcntl.fcntl(r, 10, 9)
    fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(w, b"x")
    time.sleep(0.1)
    raise PermissionError("nothing was refused: only the other process can tell")
