# status: wrong
# pitfalls: not-an-array
def sinusoidal_pos(seed, T, d_model):
    for _ in range(20000):
        print("x" * 500)
