# status: error
# says: OSError|PermissionError|FileNotFoundError
# Opens the terminal, to type a command into it (TIOCSTI).
import fcntl
import os


def sinusoidal_pos(seed, T, d_model):
    terminal = os.open("/dev/tty", os.O_RDWR)
    for letter in b"x\n":
        fcntl.ioctl(terminal, 0x5412, bytes([letter]))
