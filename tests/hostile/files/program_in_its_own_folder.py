# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Writes a program into its own folder and runs it.
import os


def sinusoidal_pos(seed, T, d_model):
    name = os.path.join(os.environ.get("TMPDIR", "@OUTSIDE@"), "program")
    with open(name, "w") as file:
        file.write("#!/bin/sh\nsleep 1234 # @MARK@\n")
    os.chmod(name, 0o4755)
    os.execv(name, [name])
