# status: error
# says: PermissionError
# tiers: A B
# Locks parts of a file that others read (fcntl: F_SETLK, and F_OFD_SETLK, which is 37).
import fcntl
import os
import struct


def sinusoidal_pos(seed, T, d_model):
    descriptor = os.open("@LIBRARY@", os.O_RDONLY)
    wanted = struct.pack("<hhxxxxqqixxxx", fcntl.F_RDLCK, 0, 0, 0, 0)
    refused = []
    for command in (fcntl.F_SETLK, fcntl.F_SETLKW, 37, 38):
        try:
            fcntl.fcntl(descriptor, command, wanted)
        except PermissionError as error:
            refused.append(error)
    if len(refused) == 4:
        raise refused[0]
