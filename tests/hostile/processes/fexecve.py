# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Becomes another program by a descriptor of it, one that may be read.
import os
import sys


def sinusoidal_pos(seed, T, d_model):
    os.execve(os.open(sys.executable, os.O_RDONLY), ["python", "-c", "import time; time.sleep(1234) # @MARK@"], {})
