# status: wrong
# pitfalls: not-an-array
# Prints bytes that are no UTF-8, and cuts a character in two.
import os


def sinusoidal_pos(seed, T, d_model):
    os.write(1, b"\xff\xfe\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80" + "correct\u20ac".encode()[:-1])
