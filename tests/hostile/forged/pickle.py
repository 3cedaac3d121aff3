# status: error
# says: not one whole result
# A pickle that would make a file, were it loaded.
import os
import pickle


def send(data):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, data)
        except OSError:
            pass
    os._exit(0)


class Runs:
    def __reduce__(self):
        return os.system, ("touch @OUTSIDE@/unpickled",)


def sinusoidal_pos(seed, T, d_model):
    send(pickle.dumps(Runs()))
