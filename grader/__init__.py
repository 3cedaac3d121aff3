"""A graded exercise kit for JAX and Flax that names the mistake, not just the failure."""

from grader.problem import Pitfall, Problem, ProblemError, any_of

__all__ = ["Pitfall", "Problem", "ProblemError", "any_of"]
