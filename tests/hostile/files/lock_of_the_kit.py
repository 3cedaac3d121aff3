# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Locks what the grader itself locks while it writes into the kit.
import fcntl
import os


def sinusoidal_pos(seed, T, d_model):
    for folder, _, names in os.walk("@KIT@", onerror=lambda error: (_ for _ in ()).throw(error)):
        for name in names:
            fcntl.flock(os.open(os.path.join(folder, name), os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
