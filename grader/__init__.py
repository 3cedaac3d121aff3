"""A graded exercise kit for JAX and Flax that names the mistake, not just the failure."""

# No import here at the start: `python -m grader` runs this file while the current folder is still on the import path.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from grader.kit.arguments import Real, Whole
    from grader.kit.kit import KitError
    from grader.kit.problem import Curve, Heatmap, Matrix, Problem, Tokens, Trace, Waves
    from grader.kit.problem_error import ProblemError
    from grader.notebooks.functions import check, hint, init, problems, show

__version__ = "0.1.0"

__all__ = [
    "Curve",
    "Heatmap",
    "KitError",
    "Matrix",
    "Problem",
    "ProblemError",
    "Real",
    "Tokens",
    "Trace",
    "Waves",
    "Whole",
    "__version__",
    "check",
    "hint",
    "init",
    "problems",
    "show",
]

_ELSEWHERE = {
    "KitError": "grader.kit.kit",
    "ProblemError": "grader.kit.problem_error",
    **dict.fromkeys(("Real", "Whole"), "grader.kit.arguments"),
    **dict.fromkeys(("Curve", "Heatmap", "Matrix", "Tokens", "Waves"), "grader.kit.problem"),
    **dict.fromkeys(("check", "hint", "init", "problems", "show"), "grader.notebooks.functions"),
}
"""The modules of the names that are not in `grader.kit.problem`."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import sys
    from importlib import import_module

    from grader.run.search_path import without_current_folder

    # In a notebook, Python looks for modules in the folder of the notebook first, which may be that of a kit of others.
    path = sys.path[:]
    sys.path[:] = without_current_folder(path)
    try:
        found = getattr(import_module(_ELSEWHERE.get(name, "grader.kit.problem")), name)
    finally:
        sys.path[:] = path
    globals()[name] = found  # a worked answer imports it again with each set of its mistakes
    return found
