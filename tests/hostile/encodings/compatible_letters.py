# status: wrong
# pitfalls: not-an-array
# Its function's name has letters that Python takes for others.
def ſinusoⅰdal_pᵒs(seed, T, d_model):
    return None
