# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes very many empty files: each takes the kernel's memory and an inode, and no room on the disk.
import os

folder = os.environ.get("TMPDIR", "/tmp")
for number in range(200000):
    os.close(os.open(os.path.join(folder, f"{number}-@MARK@"), os.O_CREAT | os.O_WRONLY))


def sinusoidal_pos(seed, T, d_model):
    return None
