# status: error
# says: (Recursion|Memory|Syntax)Error
# The parser is given an expression with a hundred thousand signs.
import ast


def sinusoidal_pos(seed, T, d_model):
    deep = "f" + "(x)" * 100000
    return ast.literal_eval(deep)
