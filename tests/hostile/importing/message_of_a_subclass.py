# status: error
# says: not a string
# Raises an exception whose message is a string that is cut in its own way.
class Text(str):
    def __getitem__(self, index):
        raise SystemExit(0)

    strip = splitlines = encode = __getitem__


class Strange(Exception):
    def __str__(self):
        return Text("correct")


def sinusoidal_pos(seed, T, d_model):
    raise Strange
