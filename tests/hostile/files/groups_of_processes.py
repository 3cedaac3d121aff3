# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a control group of its own.
import os


def sinusoidal_pos(seed, T, d_model):
    os.mkdir("/sys/fs/cgroup/left-by-@MARK@")
