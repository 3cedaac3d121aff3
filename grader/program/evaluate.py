"""Evaluates a program in NumPy alone: float32 promoted to float64, draws in float32, within limits of work."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.marking.judge import Array
from grader.program.arithmetic import Arithmetic, Exact
from grader.program.data import DTYPES, Atom, Block, Equation, Form, Literal, NotAProgram, Program
from grader.program.operations import DTYPE_PARAMETERS, OPERATIONS, known_parameters
from grader.program.rules import EXACT, SUMS, promoted, quiet

MOST_WORK = 200_000_000
"""The most elements that one evaluation may compute."""
MOST_STEPS = 400_000
"""The most equations that one evaluation may take, in all rounds of all loops."""
LONGEST_LOOP = 100_000
"""The most rounds of one loop."""

Draws = Mapping[str, Array]
"""The numbers that the reference draws, float32 of shape (n,), by the name of the draw (see `draw_name`)."""


def draw_name(sampler: str, key: int, size: int) -> str:
    """The name of a draw of numbers from one key: the same key gives other numbers to another sampler."""
    return f"{sampler}:{key:016x}:{size}"


@dataclass
class Evaluation:
    """One evaluation of a program.

    Attributes:
        arithmetic: what happens to numbers.
        draws: the numbers that the reference draws. NumPy and a compiler disagree about the last bit of a normal number.
        hook: called with each equation and the values of its outputs, and returns the values to go on with.
    """

    program: Program
    arithmetic: Arithmetic = field(default_factory=Exact)
    draws: Draws = field(default_factory=dict[str, Array])
    hook: Callable[[Equation, list[Array]], list[Array]] | None = None
    work: int = 0
    steps: int = 0

    def output(self) -> Array:
        """The value of the program.

        Raises:
            NotAProgram: if it cannot be evaluated here, or is more work than is allowed.
        """
        try:
            with quiet():
                return self._block(self.program.block, (), wide=True)[0]
        except NotAProgram:
            raise
        except (ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError, MemoryError) as error:
            raise NotAProgram(f"it cannot be evaluated ({type(error).__name__}: {str(error)[:200]})") from error

    def _block(self, block: Block, arguments: Sequence[Array], *, wide: bool) -> list[Array]:
        values: dict[int, Array] = dict(zip(block.inputs, arguments, strict=True))
        for number, index in block.constants:
            values[number] = self._constant(self.program.arrays[index], wide)
        for equation in block.equations:
            inputs = [self._read(atom, values, wide) for atom in equation.inputs]
            outputs = self._outputs(equation, inputs, wide)
            if self.hook is not None and wide:
                outputs = self.hook(equation, outputs)
            values.update(zip(equation.outputs, outputs, strict=True))
        return [self._read(atom, values, wide) for atom in block.outputs]

    def _constant(self, array: Array, wide: bool) -> Array:
        if not wide or array.dtype != np.float32:
            return array.astype(promoted(array.dtype)) if wide else array
        return self.arithmetic.constant(array.astype(np.float64))

    def _read(self, atom: Atom, values: Mapping[int, Array], wide: bool) -> Array:
        if not isinstance(atom, Literal):
            return values[atom]
        dtype = DTYPES[atom.dtype]
        value = np.asarray(atom.value, promoted(dtype) if wide else dtype)
        return np.asarray(self.arithmetic.literal(value)) if wide and atom.dtype == "float32" else value

    def _outputs(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        self.steps += 1
        self.work += sum(math.prod(form.shape) for form in equation.forms)
        if self.steps > MOST_STEPS or self.work > MOST_WORK:
            raise NotAProgram("it is more work than is allowed")
        outputs = self._evaluate(equation, inputs, wide)
        return [_of_form(value, form, wide) for value, form in zip(outputs, equation.forms, strict=True)]

    def _evaluate(self, equation: Equation, inputs: list[Array], wide: bool) -> Sequence[Array]:
        match equation.operation:
            case "scan":
                return self._scan(equation, inputs, wide)
            case "while":
                return self._while(equation, inputs, wide)
            case "cond":
                index = min(max(int(inputs[0]), 0), len(equation.blocks) - 1)
                return self._block(equation.blocks[index], inputs[1:], wide=wide)
            case "draw":
                return self._draw(equation, inputs)
            case "end_normal":
                return self._end_normal(inputs[0])
            case _:
                return self._operate(equation, inputs, wide)

    def _draw(self, equation: Equation, inputs: list[Array]) -> list[Array]:
        """A draw in float32. The numbers of the reference count where it makes the same draw."""
        (form, *others), key = equation.forms, inputs[0]
        name = str(equation.parameters["sampler"])
        size = math.prod(form.shape)
        if not others and form.dtype == "float32" and key.shape == ():
            known = self.draws.get(draw_name(name, int(key), size))
            if known is not None:
                return [self._drawn(known.reshape(form.shape))]
        narrow = [x.astype(np.float32) if x.dtype == np.float64 else x for x in inputs]
        (block,) = equation.blocks
        outputs = self._block(block, narrow, wide=False)
        if form.dtype == "float32" and not others and key.ndim == 1 and size % max(key.size, 1) == 0:
            rows = [self.draws.get(draw_name(name, int(one), size // key.size)) for one in key]
            if all(row is not None for row in rows):
                stacked = np.stack([row for row in rows if row is not None]).reshape(form.shape)
                # With a key for each row, the rows are along the first axis.
                if np.allclose(stacked, outputs[0], rtol=1e-4, atol=1e-6):
                    return [self._drawn(stacked)]
        return [self._drawn(value) if value.dtype == np.float32 else value for value in outputs]

    def _end_normal(self, x: Array) -> list[Array]:
        """The second half of a normal draw (see `jaxpr.compat.ends_normal`), in float32."""
        narrow = x.astype(np.float32)
        known = self.draws.get(half_name(narrow))
        value = OPERATIONS["erf_inv"](narrow).astype(np.float32) if known is None else known.reshape(x.shape)
        return [self._drawn(value)]

    def _drawn(self, value: Array) -> Array:
        # Compilers disagree about the last bit of a normal, so a draw is an inexact operation like any other.
        return self.arithmetic.rounded(value.astype(np.float64), None)

    def _operate(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        outputs = _apply(equation, inputs)
        if not wide or self.arithmetic.exact or equation.operation in EXACT:
            return outputs
        magnitude = None
        if equation.operation in SUMS:
            magnitude = _apply(equation, [np.abs(x) if x.dtype.kind in "fc" else x for x in inputs])[0]
        return [
            self.arithmetic.rounded(np.asarray(output), magnitude) if form.dtype in ("float32", "complex64") else output
            for output, form in zip(outputs, equation.forms, strict=True)
        ]

    def _scan(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        parameters, (body,) = equation.parameters, equation.blocks
        constants, carried, length = (int(parameters[name]) for name in ("constants", "carried", "length"))
        fixed, carry, sequences = inputs[:constants], inputs[constants:][:carried], inputs[constants + carried :]
        _bounded(length)
        rows: list[list[Array]] = [[] for _ in equation.forms[carried:]]
        for index in reversed(range(length)) if parameters["reverse"] else range(length):
            outputs = self._block(body, [*fixed, *carry, *(xs[index] for xs in sequences)], wide=wide)
            carry = outputs[:carried]
            for row, output in zip(rows, outputs[carried:], strict=True):
                row.append(output)
        stacked = [
            np.stack(row[::-1] if parameters["reverse"] else row) if row else np.zeros(form.shape)
            for row, form in zip(rows, equation.forms[carried:], strict=True)
        ]
        return [*carry, *stacked]

    def _while(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        condition, body = equation.blocks
        first, second = (int(equation.parameters[name]) for name in ("condition_constants", "body_constants"))
        fixed_condition, fixed_body, state = inputs[:first], inputs[first:][:second], inputs[first + second :]
        for _ in range(LONGEST_LOOP):
            if not bool(self._block(condition, [*fixed_condition, *state], wide=wide)[0]):
                return state
            state = self._block(body, [*fixed_body, *state], wide=wide)
        raise NotAProgram("a loop does not end")


def half_name(uniform: Array) -> str:
    """The name of a normal draw in two halves: the bytes of its first half, a uniform draw in float32."""
    return f"half:{hashlib.sha256(np.ascontiguousarray(uniform, np.float32).tobytes()).hexdigest()[:24]}"


def _bounded(length: int) -> None:
    if not 0 <= length <= LONGEST_LOOP:
        raise NotAProgram("a loop is too long")


def _apply(equation: Equation, inputs: Sequence[Array]) -> list[Array]:
    known = known_parameters(equation.operation)
    if known is None or set(equation.parameters) != set(known):
        raise NotAProgram(f"{equation.operation[:40]!r} is not known with these parameters")
    parameters = {
        name: DTYPES[value] if name in DTYPE_PARAMETERS and value is not None else value
        for name, value in equation.parameters.items()
    }
    if equation.operation == "bitcast_convert_type":
        parameters = dict(equation.parameters)
    output = OPERATIONS[equation.operation](*inputs, **parameters)
    return list(output) if isinstance(output, tuple) else [output]


def _of_form(value: Array, form: Form, wide: bool) -> Array:
    dtype = DTYPES[form.dtype]
    value = np.asarray(value, promoted(dtype) if wide else dtype)
    if value.shape != form.shape:
        raise NotAProgram("a value has another shape than it should")
    return value
