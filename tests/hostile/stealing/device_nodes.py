# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads the machine's disk or memory by device files.
import os


def sinusoidal_pos(seed, T, d_model):
    for name in ("mem", "kmsg", "sda", "vda", "nvme0n1"):
        if os.path.exists(f"/dev/{name}"):
            print(open(f"/dev/{name}", "rb", buffering=0).read(16))
    print(open("/dev/kmsg", "rb", buffering=0).read(16))
