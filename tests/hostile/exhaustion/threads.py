# status: memory
# says: threads
# Starts thousands of threads that sleep.
import threading
import time

threading.stack_size(1 << 16)


def sinusoidal_pos(seed, T, d_model):
    for _ in range(5000):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    time.sleep(1000)
