# status: error
# says: PermissionError|BlockingIOError
# tiers: A B
# Becomes a daemon by forking twice, and lives on.
import os


def sinusoidal_pos(seed, T, d_model):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/bin/sh", ["sh", "-c", "sleep 1234 # @MARK@"])
        os._exit(0)
