# status: error
# says: PermissionError|ProcessLookupError
# tiers: A B
# Makes another process slow, by its number and with all of its user.
import os


def sinusoidal_pos(seed, T, d_model):
    refused = []
    for kind, who in ((os.PRIO_PROCESS, @PID@), (os.PRIO_PGRP, os.getpgid(0)), (os.PRIO_USER, os.getuid())):
        try:
            os.setpriority(kind, who, 19)
        except PermissionError as error:
            refused.append(error)
    if len(refused) == 3:
        raise refused[0]
