# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Starts a process by the standard library.
import multiprocessing
import time


def sinusoidal_pos(seed, T, d_model):
    multiprocessing.get_context("fork").Process(target=time.sleep, args=(1000,)).start()
