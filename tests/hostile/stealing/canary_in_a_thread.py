# status: wrong
# pitfalls: not-an-array
# tiers: A B
# Reads the file from a thread: what holds for the process has to hold for threads begun later and before.
import threading


def read():
    try:
        print(open("@CANARY@").read())
    except OSError:
        pass


thread = threading.Thread(target=read)
thread.start()
thread.join()


def sinusoidal_pos(seed, T, d_model):
    return None
