"""Small changes of one operation, as people make them by accident. Each has a name that is the same in all cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.program import devices, small_changes
from grader.program.data import Equation, Literal, NotAProgram
from grader.program.operations import PARAMETERS
from grader.values.arrays import Array
from grader.values.places import Edit
from grader.where.trial import Trial

Apply = Callable[[Trial, Equation, list[Array]], list[Array]]

_OTHERS = {
    **small_changes.OTHERS,
    **{"add": ("sub", "mul"), "mul": ("div", "add"), "lt": ("le", "gt", "ge"), "le": ("lt", "ge", "gt")},
    **{"gt": ("ge", "lt", "le"), "ge": ("gt", "le", "lt"), "cumsum": ("cumprod",), "log": ("log1p", "exp")},
    **{"reduce_max": ("reduce_sum", "reduce_min"), "sqrt": ("rsqrt", "square"), "square": ("sqrt", "abs")},
    **{"exp2": ("exp",), "device_pmax": ("device_psum", "device_pmin")},
}
_CHANGES_NOTHING = {"mul": 1, "div": 1, "add": 0, "sub": 0}
"""The number with which an operation gives what it is given."""
_DROPPED = small_changes.DROPPED | {"cos", "sin"}
_EXCHANGED = small_changes.EXCHANGED | {"lt", "le", "gt", "ge", "concatenate"}
_LITERALS: dict[str, Callable[[Array], Array]] = {
    "doubled": lambda x: x * 2,
    "halved": lambda x: x / 2,
    "plus one": lambda x: x + 1,
    "minus one": lambda x: x - 1,
    "negated": lambda x: -x,
    "none": lambda x: x * 0,
    "one": lambda x: x * 0 + 1,
    "squared": lambda x: x * x,
    "root": lambda x: np.sqrt(np.abs(x)),
    "inverse": lambda x: 1 / x,
}
SPEC = "spec"
"""The parameter of a spec, and the first word of the name of a change of it."""

_OF_DEVICES = {SPEC: Edit.SPEC, "axes": Edit.MESH_AXES, "perm": Edit.PAIRS}


@dataclass(frozen=True)
class Repair:
    """A change of one equation. `constant` is the literal that a change of a constant replaces."""

    name: str
    change: Edit
    apply: Apply
    constant: float = 0.0


def repairs(equation: Equation) -> Iterator[Repair]:
    """The changes of an equation. They depend on its operation and its literals, and not on sizes."""
    name = equation.operation
    if any(form.dtype in ("key", "uint32") for form in equation.forms) or equation.blocks:
        return
    for operand, atom in enumerate(equation.inputs):
        if isinstance(atom, Literal) and not isinstance(atom.value, bool | complex):
            for how, function in _LITERALS.items():
                yield Repair(f"{how} {operand}", Edit.CONSTANT, _of_literal(operand, function), atom.value)
    literals = {atom.value for atom in equation.inputs if isinstance(atom, Literal)}
    for other in _OTHERS.get(name, ()):
        if _CHANGES_NOTHING.get(other) in literals:
            continue  # it would say that the operation is wrong, where the number has to go
        yield Repair(f"to {other}", Edit.OPERATION, _as(f"to {other}", operation=other))
    if name in _DROPPED:
        yield Repair("dropped", Edit.DROPPED, lambda trial, equation, inputs: inputs[:1])
    if name in _EXCHANGED:
        yield Repair("exchanged", Edit.OPERANDS, _exchanged)
    if name == "select_n":
        yield Repair("choices", Edit.CHOICES, _choices)
    if name == "iota":
        yield Repair("from one", Edit.START, _plus_one)
    if name == "dot_general":
        for operand in (0, 1):
            yield Repair(f"transposed {operand}", Edit.AXES_OF_OPERAND, _transposed(operand))
    if name in small_changes.AXES:
        yield from _other_axes(equation, small_changes.AXES[name])
    if name in devices.RULES:
        yield from _of_devices(equation)


def _as(change: str, **fields: object) -> Apply:
    """The equation with other fields. An operation that takes fewer parameters keeps those that it takes."""

    def apply(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
        changed = replace(equation, **fields)  # pyright: ignore[reportArgumentType]
        known = PARAMETERS.get(changed.operation) or ()
        changed = replace(changed, parameters={key: value for key, value in changed.parameters.items() if key in known})
        return trial.of_any_shape(equation, change, changed, inputs)

    return apply


def _of_literal(operand: int, function: Callable[[Array], Array]) -> Apply:
    def apply(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
        value = np.asarray(function(inputs[operand]))
        changed = value.astype(inputs[operand].dtype)
        if changed != value:
            raise NotAProgram("such a constant is no integer")
        return trial.usual(equation, [*inputs[:operand], changed, *inputs[operand + 1 :]])

    return apply


def _exchanged(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
    return trial.usual(equation, inputs[::-1])


def _choices(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
    return trial.usual(equation, [inputs[0], *inputs[:0:-1]])


def _plus_one(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
    return [value + np.ones((), value.dtype) for value in trial.usual(equation, inputs)]


def _transposed(operand: int) -> Apply:
    def apply(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
        changed = [*inputs]
        changed[operand] = np.swapaxes(inputs[operand], -1, -2)
        return trial.usual(equation, changed)

    return apply


def _other_axes(equation: Equation, parameter: str) -> Iterator[Repair]:
    given = equation.parameters[parameter]
    several = isinstance(given, list)
    # Cases may differ in sizes, but not in the number of axes.
    axes = len(equation.forms[0].shape) + (len(given) if parameter == "axes" else 0)
    for other in range(axes):
        if given not in (other, [other]) and (not several or len(given) == 1 or parameter == "axes"):
            yield Repair(f"axis {other}", Edit.AXIS, _with_parameter(parameter, [other] if several else other))
            if parameter == "axes":
                yield Repair(f"axis {other}, kept", Edit.AXIS, _with_parameter(parameter, [other], kept=True))


def _of_devices(equation: Equation) -> Iterator[Repair]:
    for name, value in devices.other_parameters(equation.parameters):
        apply = _with_spec(value) if name == SPEC else _with_parameter(name, value)
        # The pairs have as many numbers as there are devices, which cases differ in.
        yield Repair(name if name == "perm" else f"{name} {value}", _OF_DEVICES[name], apply)


def _with_spec(spec: Any) -> Apply:
    """Another spec. If the parts have another shape then, what reads them may only reshape them: Python saw their shape."""
    change = _with_parameter("spec", spec)

    def apply(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
        (made,) = change(trial, equation, inputs)
        if made.shape != equation.forms[0].shape and trial.readers(equation) != {"reshape"}:
            raise NotAProgram("other lines were written for the shape that it had")
        return [made]

    return apply


def _with_parameter(parameter: str, value: Any, *, kept: bool = False) -> Apply:
    def apply(trial: Trial, equation: Equation, inputs: list[Array]) -> list[Array]:
        changed = replace(equation, parameters={**equation.parameters, parameter: value})
        outputs = trial.of_any_shape(equation, f"axis {value}", changed, inputs)
        return [np.expand_dims(output, tuple(value)) for output in outputs] if kept else outputs

    return apply
