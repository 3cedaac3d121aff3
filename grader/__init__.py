"""A graded exercise kit for JAX and Flax that names the mistake, not just the failure."""

# No import here at the start: `python -m grader` runs this file while the current folder is still on the import path.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from grader.kit.picture import Curve, Heatmap, Matrix, Tokens, Waves
    from grader.kit.problem import Pitfall, Problem, ProblemError, Trace, any_of

__version__ = "0.1.0"

_PICTURES = ("Curve", "Heatmap", "Matrix", "Tokens", "Waves")

__all__ = [
    "Curve",
    "Heatmap",
    "Matrix",
    "Pitfall",
    "Problem",
    "ProblemError",
    "Tokens",
    "Trace",
    "Waves",
    "__version__",
    "any_of",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from grader.kit import picture, problem

    return getattr(picture if name in _PICTURES else problem, name)
