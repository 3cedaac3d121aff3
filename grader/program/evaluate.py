"""Evaluates a program: float32 promoted to float64, draws in float32. One of an answer has limits, and needs NumPy alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from grader.program import operations
from grader.program.arithmetic import HALVES, Arithmetic, Exact, quiet, to_bfloat16
from grader.program.data import (
    DRAWS,
    TRUSTED,
    Atom,
    Block,
    Equation,
    Form,
    Literal,
    NotAProgram,
    Program,
    holding,
)
from grader.program.indexing import where_first
from grader.program.keys import KEEPS_KEY, draw_name, half_name, key_data
from grader.program.operations import EXACT, RULES, SUMS, Meter, Unmetered, bounded, checked
from grader.values.arrays import UNIT_ROUNDOFF, Array
from grader.values.outline import Draw

SHORT_SUM = 256
"""The most terms of a sum whose rounding one unit of noise stands for. Some CPUs add the terms one after the other: then the
error of n terms grows as the root of n, as far as a random walk comes."""

Draws = Mapping[str, Array]
"""The numbers that the reference draws, float32 of shape (n,), by the name of the draw (see `draw_name`)."""

Evaluate = Callable[[Equation, list[Array]], list[Array]]
"""(equation, values of its inputs) -> values of its outputs."""

Hook = Callable[[Equation, list[Array], Evaluate], list[Array]]
"""(equation, values of its inputs, what would evaluate it) -> values of its outputs."""


class Native(Protocol):
    """What JAX itself computes of a trusted program (`grader.jaxpr.native`). Keys are uint64."""

    def draw(self, equation: Equation, inputs: Sequence[Array]) -> list[Array]:
        """The outputs of a draw, in float32."""
        ...

    def end_normal(self, x: Array) -> Array:
        """The second half of a normal draw, in float32."""
        ...

    def bind(self, equation: Equation, inputs: Sequence[Array]) -> list[Array]:
        """The outputs of an operation without a rule, in float64."""
        ...


_OF_KEY_AND_BOUNDS = frozenset(("normal", "uniform", "truncated_normal"))
"""Samplers that have no other parameters than bounds."""


def consumes_key(equation: Equation) -> bool:
    """Whether an equation consumes its keys: a draw or a split does, `fold_in` does not."""
    sampler = equation.parameters.get("sampler", "")
    return (
        sampler not in KEEPS_KEY
        if equation.operation in DRAWS
        else equation.operation in ("random_bits", "random_split")
    )


def draws(equation: Equation) -> bool:
    """Whether an equation draws random numbers. A split consumes its key too, but gives keys."""
    return consumes_key(equation) and "split" not in (
        equation.parameters.get("sampler"),
        equation.operation.removeprefix("random_"),
    )


@dataclass(frozen=True)
class Consumed:
    """One key that a draw or a split consumed, and how many numbers or keys it gave."""

    key: int
    count: int
    equation: Equation

    @property
    def draws(self) -> bool:
        """Whether it was a draw."""
        return draws(self.equation)

    def as_draw(self, line: int = 0) -> Draw:
        """It as a draw of a line of the answer."""
        return Draw(key_data(self.key), self.count, line)


@dataclass
class Evaluation:
    """One evaluation of a program.

    Attributes:
        arithmetic: what happens to numbers.
        draws: the numbers that the reference draws. NumPy and a compiler disagree about the last bit of a normal number.
        hook: called in place of the evaluation of each equation, also of those inside loops and choices.
        native: evaluates what a trusted program leaves to JAX; None for a program that nobody trusts.
        keeps: whether an equation keeps all digits of values of 16 bits, as if they had 64; None if no equation does.
        consumed: the keys that draws and splits consumed, in order.
        given: values of the outermost block, by their numbers: what gives them is not evaluated.
        approximate: whether it drew numbers that the reference does not draw. Their last bits may not be those of JAX.
    """

    program: Program
    arithmetic: Arithmetic = field(default_factory=Exact)
    draws: Draws = field(default_factory=dict[str, Array])
    hook: Hook | None = None
    keeps: Callable[[Equation], bool] | None = None
    consumed: list[Consumed] = field(default_factory=list["Consumed"])
    approximate: bool = False
    given: Mapping[int, Array] = field(default_factory=dict[int, Array])
    meter: Meter = field(default_factory=Meter)
    native: Native | None = None
    _parameters: dict[int, tuple[Equation, Mapping[str, Any]]] = field(
        default_factory=dict[int, "tuple[Equation, Mapping[str, Any]]"]
    )
    _constants: dict[int, Array] = field(default_factory=dict[int, Array])
    _literals: dict[tuple[str, str], Array] = field(default_factory=dict[tuple[str, str], Array])

    def again(self, arithmetic: Arithmetic) -> Evaluation:
        """An evaluation of this program in another arithmetic, after this one, which checked the program."""
        counts = self.native is None and self.program.block.depends_on_values()
        meter = Meter() if counts else Unmetered()
        fresh = {"consumed": [], "approximate": False, "_constants": {}, "_literals": {}}
        return replace(self, arithmetic=arithmetic, meter=meter, **fresh)

    def without(self, given: Mapping[int, Array]) -> Evaluation:
        """This evaluation without the equations of the outermost block that give these values, and without a hook."""
        block = self.program.block
        rest = tuple(
            equation for equation in block.equations if not equation.outputs or equation.outputs[0] not in given
        )
        program = replace(self.program, block=replace(block, inputs=tuple(given), equations=rest))
        return replace(self, program=program, given=given, hook=None)

    def output(self) -> Array:
        """The value of a program with one output, as `outputs`."""
        return self.outputs()[0]

    def outputs(self) -> list[Array]:
        """The values of the program.

        Raises:
            NotAProgram: if it cannot be evaluated here, or is more work than is allowed.
        """
        try:
            with quiet():
                return self._block(self.program.block, tuple(self.given.values()), wide=True)
        except NotAProgram:
            raise
        except Exception as error:  # parameters that nobody trusts make rules fail in any way
            raise NotAProgram(f"it cannot be evaluated ({type(error).__name__}: {str(error)[:200]})") from error

    def _block(self, block: Block, arguments: Sequence[Array], *, wide: bool) -> list[Array]:
        self.meter.step(len(block.inputs) + len(block.constants) + len(block.outputs))
        held = self.meter.held
        values: dict[int, Array] = dict(zip(block.inputs, arguments, strict=True))
        for number, index in block.constants:
            values[number] = self._constant(index) if wide else self.program.arrays[index]
        for equation in block.equations:
            inputs = self._inputs(equation, values, wide)
            if self.hook is None or not wide:
                outputs = self._outputs(equation, inputs, wide)
            else:
                outputs = self.hook(equation, inputs, self._wide)
                outputs = of_forms(equation, outputs, wide)
            values.update(zip(equation.outputs, outputs, strict=True))
        self.meter.held = held
        return [self._read(atom, values, wide) for atom in block.outputs]

    def _constant(self, index: int) -> Array:
        # One array has one rounding error, in all rounds of a loop and wherever it is read.
        if index not in self._constants:
            array = self.program.arrays[index]
            wide = array.astype(holding(array.dtype.name, wide=True))
            self._constants[index] = self.arithmetic.constant(wide) if array.dtype == np.float32 else wide
        return self._constants[index]

    def _inputs(self, equation: Equation, values: Mapping[int, Array], wide: bool) -> list[Array]:
        """What an equation reads. The noise of a normal draw in two halves comes with the second half alone."""
        if equation.operation != "begin_normal":
            return [self._read(atom, values, wide) for atom in equation.inputs]
        return [
            np.asarray(atom.value, holding(atom.dtype, wide)) if isinstance(atom, Literal) else values[atom]
            for atom in equation.inputs
        ]

    def _read(self, atom: Atom, values: Mapping[int, Array], wide: bool) -> Array:
        if not isinstance(atom, Literal):
            return values[atom]
        if not wide:
            return np.asarray(atom.value, holding(atom.dtype, wide))
        name = (atom.dtype, repr(atom.value))
        if name in self._literals:
            return self._literals[name]
        value = read = np.asarray(atom.value, holding(atom.dtype, wide))
        if atom.dtype == "float32":
            read = np.asarray(self.arithmetic.literal(value))
        elif self.keeps is not None and atom.dtype in HALVES:
            read = np.asarray(self.arithmetic.literal(value, HALVES[atom.dtype]))
        # The error of a constant is the same wherever it is read. Rounding noise is another one each time.
        if read is value or self.arithmetic.exact:
            self._literals[name] = read
        return read

    def _wide(self, equation: Equation, inputs: list[Array]) -> list[Array]:
        return self._outputs(equation, inputs, wide=True)

    def _outputs(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        self.meter.step(len(inputs) + len(equation.outputs))
        self.meter.hold(equation)
        outputs = self._evaluate(equation, inputs, wide)
        if not any(form.dtype in HALVES for form in equation.forms):
            return of_forms(equation, outputs, wide)
        kept = wide and self.keeps is not None and self.keeps(equation)
        moves = wide and (equation.operation not in EXACT or equation.operation == "convert_element_type")
        rounded = [
            value if kept or form.dtype not in HALVES else self._halved(value, form, moves)
            for value, form in zip(outputs, equation.forms, strict=True)
        ]
        return of_forms(equation, rounded, wide)

    def _halved(self, value: Array, form: Form, noisy: bool) -> Array:
        """A result with 16 bits. A compiler may leave this rounding out, so noise is added as well."""
        if noisy and not self.arithmetic.exact:
            value = self.arithmetic.rounded(value, np.abs(value) * (HALVES[form.dtype] / UNIT_ROUNDOFF))
        return value.astype(np.float16) if form.dtype == "float16" else to_bfloat16(np.asarray(value, np.float32))

    def _evaluate(self, equation: Equation, inputs: list[Array], wide: bool) -> Sequence[Array]:
        match equation.operation:
            case "scan":
                return self._scan(equation, inputs, wide)
            case "while":
                return self._while(equation, inputs, wide)
            case "cond":
                index = min(max(int(inputs[0]), 0), len(equation.blocks) - 1)
                return self._block(equation.blocks[index], inputs[1:], wide=wide)
            case operation if operation in DRAWS:
                outputs = self._draw(equation, inputs, wide)
                return outputs if operation == "begin_normal" else [self._drawn(output) for output in outputs]
            case "end_normal":
                return [self._drawn(self._end_normal(inputs[0]))]
            case _:
                if wide and consumes_key(equation):
                    self._consume(inputs[0], equation)
                return self._operate(equation, inputs, wide)

    def _consume(self, keys: Array, equation: Equation) -> None:
        if self.native is None and len(self.consumed) + keys.size > operations.MOST_KEYS_CONSUMED:
            raise NotAProgram("it consumes too many keys")
        numbers = sum(math.prod(form.shape) for form in equation.forms) // max(1, keys.size)
        self.consumed += [Consumed(int(key), numbers, equation) for key in keys.ravel()]

    def _draw(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        """A draw in float32. The numbers of the reference count where it makes the same draw."""
        (form, *others), key = equation.forms, inputs[0]
        self.meter.spend("draw", sum(x.size for x in inputs))
        name = str(equation.parameters["sampler"])
        if wide and consumes_key(equation):
            self._consume(key, equation)
        if self.native is not None and TRUSTED in equation.parameters:
            return self.native.draw(equation, inputs)
        size = math.prod(form.shape)
        table = self._in_table(name, inputs, size) if not others and form.dtype == "float32" else None
        if table is not None and name in _OF_KEY_AND_BOUNDS and key.shape == ():
            return [table.reshape(form.shape)]
        narrow = [x.astype(np.float32) if x.dtype == np.float64 else x for x in inputs]
        (block,) = equation.blocks
        before = self.approximate
        outputs = self._block(block, narrow, wide=False)
        # Another axis may be that of the keys, and other parameters may have been given: the numbers tell.
        if table is not None and _mostly_equal(table.reshape(form.shape), outputs[0]):
            self.approximate = before  # the draws inside this one do not count
            return [table.reshape(form.shape)]
        exact = name == "uniform" and [bound.tolist() for bound in narrow[1:]] == [0.0, 1.0]  # its steps round nothing
        self.approximate |= not exact and any(value.dtype == np.float32 for value in outputs)
        return outputs

    def _in_table(self, sampler: str, inputs: Sequence[Array], size: int) -> Array | None:
        """What the reference draws from some keys, one row for each; None if it makes another draw from one of them."""
        keys, *bounds = inputs
        if not self.draws or not keys.size or size % keys.size:
            return None
        rows: list[Array] = []
        for key in keys.ravel():
            row = self.draws.get(draw_name(sampler, int(key), size // keys.size, bounds))
            if row is None:
                return None
            rows.append(row)
        return np.stack(rows)

    def _end_normal(self, x: Array) -> Array:
        """The second half of a normal draw (see `jaxpr.compat.ends_normal`), in float32."""
        narrow = x.astype(np.float32)
        if self.native is not None:
            return self.native.end_normal(narrow)
        known = self.draws.get(half_name(narrow))
        self.meter.spend("erf_inv" if known is None else "end_normal", x.size)
        self.approximate |= known is None
        return RULES["erf_inv"](narrow).astype(np.float32) if known is None else known.reshape(x.shape)

    def _drawn(self, value: Array) -> Array:
        # Compilers disagree about the last bit of a normal, so a draw is an inexact operation like any other.
        return self.arithmetic.rounded(value.astype(np.float64), None) if value.dtype == np.float32 else value

    def _operate(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        outputs = self._apply(equation, inputs)
        if not wide or self.arithmetic.exact or equation.operation in EXACT:
            return outputs
        magnitude = None
        if equation.operation in SUMS:
            magnitude = self._apply(equation, [np.abs(x) if x.dtype.kind in "fc" else x for x in inputs])[0]
            if max((size for x in inputs for size in x.shape), default=0) > SHORT_SUM:
                terms = self._apply(equation, [np.ones_like(x) if x.dtype.kind in "fc" else x for x in inputs])[0]
                magnitude = magnitude * np.sqrt(np.maximum(1.0, np.abs(terms) / SHORT_SUM))
        return [
            self.arithmetic.rounded(np.asarray(output), magnitude) if form.dtype in ("float32", "complex64") else output
            for output, form in zip(outputs, equation.forms, strict=True)
        ]

    def _apply(self, equation: Equation, inputs: Sequence[Array]) -> list[Array]:
        if self.native is not None and TRUSTED in equation.parameters:
            return self.native.bind(equation, inputs)
        if id(equation) not in self._parameters:
            self._parameters[id(equation)] = equation, checked(equation)  # it stays alive, and so does its `id()`
        _, parameters = self._parameters[id(equation)]
        self.meter.compute(equation, inputs, parameters)
        output = RULES[equation.operation](*inputs, **parameters)
        return list(output) if isinstance(output, tuple) else [output]

    def _scan(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        parameters, (body,) = equation.parameters, equation.blocks
        constants, carried, length = (int(parameters[name]) for name in ("constants", "carried", "length"))
        fixed, carry, sequences = inputs[:constants], inputs[constants:][:carried], inputs[constants + carried :]
        rows: list[list[Array]] = [[] for _ in equation.forms[carried:]]
        rounds = range(bounded(length))
        for index in reversed(rounds) if parameters["reverse"] else rounds:
            if (rest := self._rest_of_scan(equation, carry, index)) is not None:
                carry = rest[:carried]
                for row, others in zip(rows, rest[carried:], strict=True):
                    row.extend(others)
                break
            outputs = self._block(body, [*fixed, *carry, *(xs[index] for xs in sequences)], wide=wide)
            carry = outputs[:carried]
            for row, form, output in zip(rows, equation.forms[carried:], outputs[carried:], strict=True):
                if (length, *output.shape) != form.shape:
                    raise NotAProgram("a row has another shape than it should")
                row.append(output)
        stacked = [
            np.stack(row[::-1] if parameters["reverse"] else row) if row else np.zeros(form.shape)
            for row, form in zip(rows, equation.forms[carried:], strict=True)
        ]
        return [*carry, *stacked]

    def _rest_of_scan(self, equation: Equation, carry: Sequence[Array], done: int) -> list[Array] | None:
        """What a scan carries to its end, and the rows of the rounds that are not done; None if they have to be done."""
        return None

    def _while(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        condition, body = equation.blocks
        first, second = (int(equation.parameters[name]) for name in ("condition_constants", "body_constants"))
        fixed_condition, fixed_body, state = inputs[:first], inputs[first:][:second], inputs[first + second :]
        for _ in range(operations.LONGEST_LOOP):
            (goes_on,) = self._block(condition, [*fixed_condition, *state], wide=wide)
            if not goes_on.any():
                return state
            after = self._block(body, [*fixed_body, *state], wide=wide)
            # The condition of a vectorised loop has axes, the first ones of the state: only some rows go on.
            if goes_on.ndim:
                self.meter.spend("while", sum(goes_on.size + value.size for value in state))
            state = [where_first(goes_on, new, old) for new, old in zip(after, state, strict=True)]
        raise NotAProgram("a loop does not end")


def of_forms(equation: Equation, outputs: Sequence[Array], wide: bool) -> list[Array]:
    """The outputs of an equation in the dtypes that hold them.

    Raises:
        NotAProgram: if one has another shape than it should. An operation that depends on the bits of a number gives one.
    """
    held = [np.asarray(value, holding(form.dtype, wide)) for value, form in zip(outputs, equation.forms, strict=True)]
    if any(value.shape != form.shape for value, form in zip(held, equation.forms, strict=True)):
        raise NotAProgram(f"{equation.operation[:40]!r} gives a value of another shape than it should")
    return held


def _mostly_equal(array: Array, other: Array) -> bool:
    """Whether two draws are the same but for compilers: in its tails, a normal draw in float32 has large errors."""
    return bool(np.mean(np.isclose(array, other, rtol=1e-4, atol=1e-6)) > 0.9)
