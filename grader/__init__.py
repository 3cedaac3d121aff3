"""A graded exercise kit for JAX and Flax that names the mistake, not just the failure."""

from importlib.metadata import version as _version

from grader.problem import Pitfall, Problem, ProblemError, any_of

__version__ = _version("grader")

__all__ = ["Pitfall", "Problem", "ProblemError", "any_of"]
