# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Makes a symbolic link in its own folder and reads the file through it.
import os


def sinusoidal_pos(seed, T, d_model):
    link = os.path.join(os.environ.get("TMPDIR", "/tmp"), "link-@MARK@")
    os.symlink("@CANARY@", link)
    print(open(link).read())
