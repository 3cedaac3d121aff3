# status: error
# says: (Permission|FileNotFound|Problem|Import|ModuleNotFound)Error
# tiers: A B
# Lets the grader's own code, which may be in this process, load the reference.
from pathlib import Path

from grader.oracle.server import load

problem = load(Path("@KIT@/solutions/sinusoidal_pos/answer.py"))


def sinusoidal_pos(seed, T, d_model):
    return problem.reference(seed, T, d_model)
