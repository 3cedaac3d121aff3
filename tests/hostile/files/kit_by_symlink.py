# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Writes into the kit through a symbolic link in a folder of its own.
import os


def sinusoidal_pos(seed, T, d_model):
    name = os.path.join(os.environ.get("TMPDIR", "@OUTSIDE@"), "link")
    if os.path.islink(name):
        os.unlink(name)
    os.symlink("@KIT@/problems/sinusoidal_pos", name)
    open(f"{name}/owned", "w").close()
