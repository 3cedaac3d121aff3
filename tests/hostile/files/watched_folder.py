# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Watches what is opened in the kit (inotify), which tells when others are graded.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def sinusoidal_pos(seed, T, d_model):
    watch = libc.inotify_init()
    if watch < 0 or libc.inotify_add_watch(watch, b"@KIT@/solutions/sinusoidal_pos", 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
