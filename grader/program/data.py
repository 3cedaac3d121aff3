"""A traced program as plain data: its form, its bytes, and the checks of bytes that nobody trusts.

A program is a list of equations by name, with parameters of plain types. Calls are written out. Loops and choices hold inner
blocks. Every value has a number; an equation reads numbers and literals, and writes numbers.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.values import frames
from grader.values.arrays import Array
from grader.values.places import Place

LARGEST_PROGRAM_TEXT = 1 << 23
"""The most bytes of the text of all programs of an answer."""
MOST_EQUATIONS = 20_000
"""The most equations of all programs of an answer."""
DEEPEST_BLOCK = 16
"""The most loops and choices inside each other."""
MOST_AXES = 32
"""The most axes of a value. JAX has no more."""
LARGEST_ARRAY = 1 << 22
"""The most elements of one value of a program, and of all its constants."""

DTYPES: Mapping[str, np.dtype[Any]] = {
    **{name: np.dtype(name) for name in sorted(frames.DTYPES - {"bfloat16"})},
    "key": np.dtype(np.uint64),
    "bfloat16": np.dtype(np.float32),
}
"""The dtypes of values by name. A PRNG key is one uint64 (see `keys.py`). NumPy has no bfloat16: a float32 holds it."""

_PROMOTED: dict[Any, Any] = {
    np.dtype(np.float32): np.dtype(np.float64),
    np.dtype(np.complex64): np.dtype(np.complex128),
}


def promoted(dtype: Any) -> Any:
    """float32 -> float64, complex64 -> complex128; any other dtype, also that of PRNG keys, stays as it is."""
    if not isinstance(dtype, np.dtype) and not (isinstance(dtype, type) and issubclass(dtype, np.generic)):
        return dtype
    return _PROMOTED.get(np.dtype(dtype), np.dtype(dtype))


@functools.cache
def holding(dtype: str, wide: bool) -> np.dtype[Any]:
    """The dtype that holds a value. A half is rounded to its bits, but held in more: NumPy would add up in halves."""
    narrow = np.dtype(np.float32) if dtype == "float16" else DTYPES[dtype]
    return promoted(narrow) if wide else narrow


DRAWS = frozenset(("draw", "begin_normal"))
"""Draws of `jax.random`. `begin_normal` is the first half of a normal draw in two halves, and `end_normal` the second."""

TRUSTED = "jax"
"""The parameter of an equation of a trusted program that holds the equation of JAX, where JAX itself has to evaluate it."""


class NotAProgram(ValueError):
    """Data that does not describe a program, or a program that cannot be evaluated here."""


@dataclass(frozen=True)
class Form:
    """The dtype of a value, by a name of `DTYPES`, and its shape."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Literal:
    """A number in the text of a program. Of a float32, `value` is the shortest decimal that float32 rounds to it."""

    dtype: str
    value: float | int | bool | complex


Atom = int | Literal
"""What an equation reads: the number of a value, or a literal."""


@dataclass(frozen=True)
class Equation:
    """One operation. `place` is the index of its place in the learner's file (see `Program.places`), or -1.

    `backward` says that it belongs to a backward pass: its place is that of the operation that it differentiates. `devices`
    is the number of devices that its values are of: their first axis counts them, and stands in no line of the file. It is 1
    in a kernel, and 0 outside of both.
    """

    operation: str
    parameters: Mapping[str, Any]
    inputs: tuple[Atom, ...]
    outputs: tuple[int, ...]
    forms: tuple[Form, ...]
    place: int
    blocks: tuple[Block, ...] = ()
    backward: bool = False
    devices: int = 0


@dataclass(frozen=True)
class Block:
    """Equations in order. `constants` are pairs of a value's number and the index of an array of the program."""

    inputs: tuple[int, ...]
    constants: tuple[tuple[int, int], ...]
    equations: tuple[Equation, ...]
    outputs: tuple[Atom, ...]

    def nested(self) -> Iterator[Equation]:
        """The equations in order, each before those of its own blocks."""
        for equation in self.equations:
            yield equation
            for block in equation.blocks:
                yield from block.nested()

    def blocks(self) -> Iterator[Block]:
        """This block, then those inside it."""
        yield self
        for equation in self.equations:
            for block in equation.blocks:
                yield from block.blocks()

    def atoms(self) -> Iterator[Atom]:
        """The outputs, and what the equations of the block itself read."""
        yield from self.outputs
        for equation in self.equations:
            yield from equation.inputs

    def live(self) -> Block:
        """The block without the equations that its outputs do not depend on, and its loops and choices likewise."""
        wanted = {atom for atom in self.outputs if not isinstance(atom, Literal)}
        kept: list[Equation] = []
        for equation in reversed(self.equations):
            if not wanted.isdisjoint(equation.outputs):
                blocks = tuple(inner.live() for inner in equation.blocks)
                kept.append(replace(equation, blocks=blocks) if blocks else equation)
                wanted.update(atom for atom in equation.inputs if not isinstance(atom, Literal))
        return replace(self, equations=tuple(kept[::-1]))

    def depends_on_values(self) -> bool:
        """Whether values decide which equations are evaluated, and how often."""
        return any(equation.operation in ("while", "cond") for equation in self.nested())


@dataclass(frozen=True)
class Program:
    """What an answer or a reference computes for one case: one block without inputs and with one output."""

    block: Block
    arrays: Sequence[Array]
    places: Sequence[Place]

    def line(self, equation: Equation) -> int:
        """The line of the file that made an equation; 0 if none did."""
        return self.places[equation.place].line if equation.place >= 0 else 0


def to_json(program: Program) -> dict[str, Any]:
    """The program without its arrays, as lists for JSON."""
    places = [[place.line, place.column, place.end_line, place.end_column] for place in program.places]
    return {"block": _block_to_json(program.block), "places": places}


def _block_to_json(block: Block) -> list[Any]:
    return [
        block.inputs,
        block.constants,
        [_equation_to_json(equation) for equation in block.equations],
        [_atom_to_json(atom) for atom in block.outputs],
    ]


def _equation_to_json(equation: Equation) -> list[Any]:
    return [
        equation.operation,
        equation.parameters,
        [_atom_to_json(atom) for atom in equation.inputs],
        equation.outputs,
        [[form.dtype, form.shape] for form in equation.forms],
        equation.place,
        [_block_to_json(block) for block in equation.blocks],
        *([equation.backward, equation.devices] if equation.backward or equation.devices else []),
    ]


def _atom_to_json(atom: Atom) -> Any:
    if not isinstance(atom, Literal):
        return atom
    value = [atom.value.real, atom.value.imag] if isinstance(atom.value, complex) else atom.value
    return [atom.dtype, value]


def text_of(programs: Sequence[Program]) -> bytes:
    """The programs as JSON.

    Raises:
        NotAProgram: if it is too long.
    """
    text = json.dumps([to_json(program) for program in programs], separators=(",", ":")).encode()
    if len(text) > LARGEST_PROGRAM_TEXT:
        raise NotAProgram(f"the programs take more than {LARGEST_PROGRAM_TEXT >> 20} MiB")
    return text


def read(text: bytes, arrays: Sequence[Array]) -> list[Program]:
    """The programs in a text that nobody trusts; `arrays` are shared by all of them.

    Raises:
        NotAProgram: if it does not have the form that this module writes, or is too large.
    """
    if len(text) > LARGEST_PROGRAM_TEXT:
        raise NotAProgram("the text is too long")
    try:
        listed = json.loads(text)
        reader = _Reader(arrays)
        return [reader.program(entry) for entry in listed]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise NotAProgram(f"the text is no program ({type(error).__name__}: {str(error)[:200]})") from error


def require(fits: bool, what: str) -> None:
    """Check something of a program.

    Raises:
        NotAProgram: if it is not so.
    """
    if not fits:
        raise NotAProgram(what)


class _Reader:
    def __init__(self, arrays: Sequence[Array]) -> None:
        self._arrays = arrays
        self._equations = 0
        require(all(array.dtype in DTYPES.values() for array in arrays), "an array of a dtype that no program has")
        require(sum(_elements(array.shape) for array in arrays) <= LARGEST_ARRAY, "arrays that are too large")

    def program(self, data: Any) -> Program:
        require(len(data["places"]) <= MOST_EQUATIONS, "too many places")
        places = [Place(*map(_whole, place)) for place in data["places"]]
        block = self._block(data["block"], len(places), 0)
        require(not block.inputs and len(block.outputs) == 1, "a program has no inputs and one output")
        return Program(block, self._arrays, places)

    def _block(self, data: Any, places: int, depth: int) -> Block:
        require(depth <= DEEPEST_BLOCK, "blocks inside each other are too deep")
        inputs, constants, equations, outputs = data
        known: set[int] = set()
        for number in inputs:
            self._define(number, known)
        pairs: list[tuple[int, int]] = []
        for number, index in constants:
            self._define(number, known)
            require(type(index) is int and 0 <= index < len(self._arrays), "a constant that there is not")
            pairs.append((number, index))
        read = tuple(self._equation(equation, places, known, depth) for equation in equations)
        return Block(tuple(inputs), tuple(pairs), read, tuple(_atom(atom, known) for atom in outputs))

    def _define(self, number: Any, known: set[int]) -> None:
        require(type(number) is int and 0 <= number < 1 << 31 and number not in known, "a value that is defined twice")
        known.add(number)

    def _equation(self, data: Any, places: int, known: set[int], depth: int) -> Equation:
        self._equations += 1
        require(self._equations <= MOST_EQUATIONS, "too many equations")
        operation, parameters, inputs, outputs, forms, place, blocks, *more = data
        require(isinstance(operation, str) and isinstance(parameters, dict), "an equation without a name")
        atoms = tuple(_atom(atom, known) for atom in inputs)
        inner = tuple(self._block(block, places, depth + 1) for block in blocks)
        for number in outputs:
            self._define(number, known)
        require(type(place) is int and -1 <= place < places, "a place that there is not")
        require(len(forms) == len(outputs), "an output without a form")
        backward, devices = more or (False, 0)
        require(type(backward) is bool, "an equation of no known side")
        read = tuple(_form(*form) for form in forms)
        return Equation(operation, parameters, atoms, tuple(outputs), read, place, inner, backward, _whole(devices))


def _form(dtype: Any, shape: Any) -> Form:
    require(dtype in DTYPES and len(shape) <= MOST_AXES, "a value of no known form")
    require(_elements(list(map(_whole, shape))) <= LARGEST_ARRAY, "an array that is too large")
    return Form(dtype, tuple(shape))


def _elements(shape: Sequence[int]) -> int:
    """The elements of an array. A length of zero counts as one: a sum along it has all elements of the other axes."""
    return math.prod(max(length, 1) for length in shape)


def _whole(number: Any) -> int:
    require(type(number) is int and 0 <= number < 1 << 31, "a number that is no count")
    return number


def _atom(data: Any, known: set[int]) -> Atom:
    if type(data) is int:
        require(data in known, "a value is read before it is there")
        return data
    dtype, value = data
    kind = DTYPES[dtype].kind
    if kind == "c":
        return Literal(dtype, complex(*value))
    require(type(value) in ((bool,) if kind == "b" else (int,) if kind in "iu" else (int, float)), "no number")
    return Literal(dtype, value)
