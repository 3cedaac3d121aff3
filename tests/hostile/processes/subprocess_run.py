# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Starts a shell.
import subprocess


def sinusoidal_pos(seed, T, d_model):
    subprocess.Popen(["/bin/sh", "-c", "sleep 1234 # @MARK@"], start_new_session=True)
