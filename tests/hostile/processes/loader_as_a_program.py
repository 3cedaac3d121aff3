# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Becomes another program through the dynamic loader, which may be read and run as a library.
import glob
import os


def sinusoidal_pos(seed, T, d_model):
    loader = (glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*") + ["/lib64/ld-linux-x86-64.so.2"])[0]
    os.execv(loader, [loader, "/bin/sh", "-c", "sleep 1234 # @MARK@"])
