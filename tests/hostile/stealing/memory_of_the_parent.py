# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads the memory of the parent through /proc.
import os


def sinusoidal_pos(seed, T, d_model):
    with open(f"/proc/{os.getppid()}/mem", "rb", buffering=0) as memory:
        memory.seek(0x400000)
        print(memory.read(100))
