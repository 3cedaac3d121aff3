# status: error
# says: PermissionError|ProcessLookupError|OSError
# tiers: A B
# Kills another process by a descriptor of it.
import os
import signal


def sinusoidal_pos(seed, T, d_model):
    signal.pidfd_send_signal(os.pidfd_open(@PID@), signal.SIGKILL)
