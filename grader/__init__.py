"""A graded exercise kit for JAX and Flax that names the mistake, not just the failure."""

# No import here at the start: `python -m grader` runs this file while the current folder is still on the import path.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from grader.kit.problem import Pitfall, Problem, ProblemError, Trace, any_of

__version__ = "0.1.0"

__all__ = ["Pitfall", "Problem", "ProblemError", "Trace", "__version__", "any_of"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from grader.kit import problem

    return getattr(problem, name)
