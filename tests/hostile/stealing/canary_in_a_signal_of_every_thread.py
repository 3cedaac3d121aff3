# status: wrong
# pitfalls: not-an-array
# tiers: A B
# Sends a signal to threads of its own process that it did not start, so that Python's handler reads the file.
import os
import signal
import threading


def read(*args):
    try:
        print(open("@CANARY@").read())
    except OSError:
        pass


signal.signal(signal.SIGUSR1, read)
for thread in threading.enumerate():
    signal.pthread_kill(thread.ident, signal.SIGUSR1)


def sinusoidal_pos(seed, T, d_model):
    return None
