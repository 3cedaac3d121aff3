# status: error
# says: (Permission|FileNotFound|OS|Import|NotImplemented)Error
# tiers: A B
# Starts a pool of processes.
import concurrent.futures


def sinusoidal_pos(seed, T, d_model):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        return pool.submit(abs, -1).result()
