"""Parameters of operations: which there are, and of which plain types, so that a rule never meets anything else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.program.data import DTYPES, Equation, NotAProgram, holding
from grader.program.rules import PARAMETERS, RULES


def checked(equation: Equation) -> dict[str, Any]:
    """The parameters of an equation as its rule takes them: a dtype in place of its name.

    Raises:
        NotAProgram: if the operation has no rule, or takes other parameters, or parameters of other types.
    """
    known, rule = PARAMETERS.get(equation.operation), RULES.get(equation.operation)
    if isinstance(rule, np.ufunc) and len(equation.inputs) != rule.nin:
        raise NotAProgram(f"{equation.operation!r} takes another number of values")
    if known is None or set(equation.parameters) != set(known):
        raise NotAProgram(f"{equation.operation[:40]!r} is not known with these parameters")
    for name, value in equation.parameters.items():
        if not _TYPES[name](value):
            raise NotAProgram(f"{equation.operation!r} does not take such a {name!r}")
    if equation.operation == "bitcast_convert_type":
        return dict(equation.parameters)
    return {name: _dtype(value) if name in _DTYPES else value for name, value in equation.parameters.items()}


def _dtype(name: str | None) -> np.dtype[Any] | None:
    # The rules compute halves in more bits. Their results are rounded where they are kept.
    return None if name is None else holding(name, wide=False)


def _whole(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 31


def _truth(value: Any) -> bool:
    return type(value) is bool


def _wholes(value: Any) -> bool:
    return type(value) is list and len(value) <= 64 and all(map(_whole, value))


def _named(value: Any) -> bool:
    return type(value) is str and value in DTYPES and value != "key"


def _none_or(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def _dimensions(value: Any) -> bool:
    """Whether these are dimension numbers: named lists for `gather` and `scatter`, two pairs of lists for `dot_general`."""
    if type(value) is dict:
        return all(map(_wholes, value.values()))
    return type(value) is list and all(type(pair) is list and all(map(_wholes, pair)) for pair in value)


_DTYPES = ("new_dtype", "preferred_element_type", "dtype")
_TYPES: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("axis", "bit_width", "dimension", "k", "num_keys", "rounding_method", "y"), _whole),
    **dict.fromkeys(("is_stable", "reverse"), _truth),
    **dict.fromkeys(
        ("axes", "broadcast_dimensions", "dimensions", "limit_indices", "new_sizes", "permutation"), _wholes
    ),
    **dict.fromkeys(("reps", "shape", "slice_sizes", "start_indices"), _wholes),
    "strides": _none_or(_wholes),
    # As many as there are outputs, which may be more than an array has axes.
    "sizes": lambda value: type(value) is list and all(map(_whole, value)),
    "padding_config": lambda value: type(value) is list and all(_wholes(one) and len(one) == 3 for one in value),
    "dimension_numbers": _dimensions,
    "mode": lambda value: type(value) is str,
    "fill_value": _none_or(lambda value: type(value) in (bool, int, float)),
    "new_dtype": _named,
    "preferred_element_type": _none_or(_named),
    "dtype": _named,
}
"""For each parameter, whether a value is of its type."""
