"""Programs of one call that share most of their operations: a worked answer with many sets of mistakes.

What several of them do is encoded and evaluated once.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from jax.extend import core

from grader.jaxpr import compat, native
from grader.jaxpr.encode import BlockEncoder, Context, Encoder
from grader.kit.problem_error import ProblemError
from grader.program.arithmetic import Arithmetic
from grader.program.data import TRUSTED, Atom, Block, Equation, Form, Literal, NotAProgram, Program
from grader.program.evaluate import Evaluation
from grader.program.operations import Unmetered
from grader.values.arrays import Array

MOST_BYTES_OF_FAMILY = 1 << 25
"""About the most bytes that a family keeps. An empty family takes the place of a larger one."""

BYTES_OF_EQUATION = 2000
"""About the bytes of one equation and of its name."""

MOST_FAMILIES = 16
"""The most families that are kept; when there are more, all are forgotten."""

Arithmetics = tuple[Any, ...]
"""A type of arithmetic, and its arguments. What it does to a number is a function of these and of the number."""


class Family:
    """The programs of one call. None of them has inputs.

    Args:
        file: the file of the reference.
    """

    def __init__(self, file: str) -> None:
        self._block = _SharedBlock(_SharedEncoder(file, trusted=True))
        self._evaluated: dict[Arithmetics, _Evaluated] = {}
        self._outputs: WeakKeyDictionary[core.ClosedJaxpr, list[Atom]] = WeakKeyDictionary()
        self._bytes = 0

    def takes(self, program: core.ClosedJaxpr) -> bool:
        """Whether it has this program, or keeps less than it may."""
        return program in self._outputs or self._bytes + self._block.bytes <= MOST_BYTES_OF_FAMILY

    def values(self, program: core.ClosedJaxpr, output: int, arithmetic: Arithmetics) -> Array:
        """The values of an output of a program in an arithmetic.

        Raises:
            NotAProgram: if it holds what has no form in a program, or cannot be evaluated.
        """
        if program not in self._outputs:
            self._outputs[program] = self._block.outputs_of(program)
        if arithmetic not in self._evaluated:
            made, *given = arithmetic
            self._evaluated[arithmetic] = _Evaluated(made(*given))
        found, held = self._evaluated[arithmetic].value(self._outputs[program][output], self._block)
        self._bytes += held
        return found


_FAMILIES: dict[Hashable, Family] = {}


def family_of(call: Hashable, file: str, program: core.ClosedJaxpr) -> Family:
    """The family of a call, with what is known of the programs that it has evaluated. It evaluates this one next."""
    found = _FAMILIES.get(call)
    if found is None or not found.takes(program):
        if len(_FAMILIES) >= MOST_FAMILIES:
            _FAMILIES.clear()
        found = _FAMILIES[call] = Family(file)
    return found


@dataclass
class _Evaluated:
    """The values of one arithmetic that are known, by their numbers."""

    arithmetic: Arithmetic
    known: dict[int, Array] = field(default_factory=dict[int, Array])
    _evaluation: Evaluation | None = None

    def value(self, output: Atom, block: _SharedBlock) -> tuple[Array, int]:
        """A value, once all that it needs is evaluated, and how many bytes are kept more."""
        missing, read = block.needed(output, self.known)
        made = [number for equation in missing for number in equation.outputs]
        program = block.program(missing, [*made, output])
        given = {number: self.known[number] for number in sorted(read)}
        program = replace(program, block=replace(program.block, inputs=tuple(given)))
        if self._evaluation is None:
            self._evaluation = Evaluation(program, self.arithmetic, native=native, meter=Unmetered())
        *values, found = replace(self._evaluation, program=program, given=given).outputs()
        self.known.update(zip(made, values, strict=True))
        return found, sum(value.nbytes for value in values)


class _SharedEncoder(Encoder):
    """An encoder that holds equal constants once."""

    def __init__(self, file: str, *, trusted: bool = False) -> None:
        super().__init__(file, trusted=trusted)
        self._equal: dict[tuple[Any, ...], int] = {}

    def array(self, value: Any) -> int:
        index = super().array(value)
        array = self.arrays[index]
        return self._equal.setdefault((array.dtype.str, array.shape, array.tobytes()), index)


class _SharedBlock(BlockEncoder):
    """Encodes programs one after the other. An equation that is there already with the same inputs gets its numbers."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder, {}, Context())
        self._by_name: dict[tuple[Any, ...], tuple[Atom, ...]] = {}
        self._by_text: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self._made_by: dict[int, int] = {}
        self.bytes = 0

    def outputs_of(self, program: core.ClosedJaxpr) -> list[Atom]:
        """The outputs of a program, whose equations are encoded.

        Raises:
            NotAProgram: if it holds what has no form here.
        """
        jaxpr, consts = compat.open_program(program)
        try:
            return list(self._inline(jaxpr, consts, {}, Context()))
        except ProblemError as error:
            raise NotAProgram(str(error)) from error

    def needed(self, output: Atom, known: dict[int, Array]) -> tuple[list[Equation], set[int]]:
        """The equations that a value needs and that are not evaluated, in order, and the known values that they read."""
        waiting, found, read = [output], set[int](), set[int]()
        while waiting:
            atom = waiting.pop()
            if isinstance(atom, Literal):
                continue
            if atom in known:
                read.add(atom)
            elif (index := self._made_by.get(atom)) is not None and index not in found:  # a constant is made by none
                found.add(index)
                waiting += self._equations[index].inputs
        return [self._equations[index] for index in sorted(found)], read

    def program(self, equations: list[Equation], outputs: list[Atom]) -> Program:
        """A program of some of the equations, without what they read of others."""
        constants = tuple((number, index) for index, number in self._constants.items())
        return Program(Block((), constants, tuple(equations), tuple(outputs)), self._encoder.arrays, [])

    def _own(self, eqn: Any, around: Context) -> Context:
        return around  # nobody asks for the places of a program with mistakes

    def _equation(self, eqn: Any, jaxpr: Any, env: dict[Any, Atom], own: Context, around: int) -> None:
        inputs = tuple(map(_named, (self._atom(atom, env) for atom in eqn.invars)))
        halves = compat.begins_normal(eqn, jaxpr), compat.ends_normal(eqn, jaxpr)
        forms = tuple((variable.aval.shape, variable.aval.dtype) for variable in eqn.outvars)
        name = (eqn.primitive, tuple(eqn.params.items()), inputs, forms, halves)
        try:
            made = self._by_name.get(name)
        except TypeError:  # a parameter that has no hash
            super()._equation(eqn, jaxpr, env, own, around)
            return
        if made is None:
            super()._equation(eqn, jaxpr, env, own, around)
            self._by_name[name] = tuple(env[variable] for variable in eqn.outvars)
        else:
            env.update(zip(eqn.outvars, made, strict=True))

    def _add(
        self,
        operation: str,
        parameters: dict[str, Any],
        inputs: tuple[Atom, ...],
        forms: tuple[Form, ...],
        own: Context,
        blocks: tuple[Block, ...] = (),
    ) -> tuple[int, ...]:
        # The programs inside an equation are other objects each time it is traced, and have the same text.
        if TRUSTED in parameters and "sampler" not in parameters:
            return self._made(super()._add(operation, parameters, inputs, forms, own, blocks))
        told = {name: value for name, value in parameters.items() if name != TRUSTED}
        text = operation, repr(told), tuple(map(_named, inputs)), forms, repr(blocks)
        if text not in self._by_text:
            self._by_text[text] = self._made(super()._add(operation, parameters, inputs, forms, own, blocks))
            self.bytes += len(text[-1])
        return self._by_text[text]

    def _made(self, outputs: tuple[int, ...]) -> tuple[int, ...]:
        self._made_by.update(dict.fromkeys(outputs, len(self._equations) - 1))
        self.bytes += BYTES_OF_EQUATION
        return outputs


def _named(atom: Atom) -> Any:
    """An atom as a part of a name. Literals that are equal may differ: 0.0 and -0.0, 1 and True."""
    return (atom.dtype, repr(atom.value)) if isinstance(atom, Literal) else atom
