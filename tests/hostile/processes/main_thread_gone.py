# status: crash
# says: before it returned
# The main thread ends alone (exit, not exit_group: 60 on x86-64), so that the process is a zombie with threads.
import ctypes
import os
import threading
import time


def later():
    time.sleep(1)
    os._exit(0)


threading.Thread(target=later).start()


def sinusoidal_pos(seed, T, d_model):
    ctypes.CDLL(None).syscall(60, 0)
