"""Parameters that reach a rule are of the types that the rule knows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.program.data import Equation, NotAProgram
from grader.program.operations import (
    _TYPES,
    PARAMETERS,
    RULES,
    checked,  # pyright: ignore[reportPrivateUsage]
)


def equation(operation: str, parameters: Any, inputs: int = 1) -> Equation:
    return Equation(operation, parameters, tuple(range(inputs)), (), (), -1)


@pytest.mark.parametrize("operation", RULES)
def test_every_parameter_has_a_type(operation: str) -> None:
    assert set(PARAMETERS.get(operation) or ()) <= set(_TYPES)


@pytest.mark.parametrize("name", _TYPES)
@pytest.mark.parametrize(
    "value", [[["x"]], {"a": "b"}, [None], [1.5], [True], [2**40], object()], ids=map(str, range(7))
)
def test_no_parameter_is_of_another_type(name: str, value: Any) -> None:
    assert not _TYPES[name](value)


def test_a_dtype_takes_the_place_of_its_name() -> None:
    assert checked(equation("convert_element_type", {"new_dtype": "int8"})) == {"new_dtype": np.dtype(np.int8)}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_rules_compute_halves_in_more_bits(dtype: str) -> None:
    assert checked(equation("convert_element_type", {"new_dtype": dtype})) == {"new_dtype": np.dtype(np.float32)}


@pytest.mark.parametrize(
    ("operation", "parameters", "inputs"),
    [
        ("unknown", {}, 1),
        ("sin", {"axis": 0}, 1),
        ("sin", {}, 2),  # NumPy would write into the second
        ("reduce_sum", {}, 1),
        ("reduce_sum", {"axes": [0], "out": 1}, 1),
        ("convert_element_type", {"new_dtype": "object"}, 1),
        ("convert_element_type", {"new_dtype": "key"}, 1),
        ("integer_pow", {"y": [[1], [2]]}, 1),
        ("cumsum", {"axis": 0, "reverse": 1}, 1),
    ],
)
def test_other_parameters_are_refused(operation: str, parameters: Any, inputs: int) -> None:
    with pytest.raises(NotAProgram):
        checked(equation(operation, parameters, inputs))
