"""The equations of a program that can be changed, and the output of the changed program."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.author.mutate import Forms
from grader.marking.comparison import Array
from grader.oracle.expect import Traced, outputs_of
from grader.program.arithmetic import Exact, quiet
from grader.program.data import DRAWS, DTYPES, Block, Equation, Form, Literal, NotAProgram, Program
from grader.program.evaluate import Evaluate, Hook

ROUNDING = 1e-12
"""The most that operations in float64 may differ, relative to a value, and count as the same: some thousand roundings."""


@dataclass(frozen=True)
class MutationPoint:
    """One equation, the line of the reference that made it, and the forms of the values that it may read.

    `inside` says that its expression makes other operations as well, as a call of a library function does.
    """

    equation: Equation
    line: int
    inside: bool
    forms: Forms


def mutation_points(program: Program, inputs: Sequence[Form] = ()) -> Iterator[MutationPoint]:
    """Every equation of a program and of its loops and choices, except the draws of `jax.random`.

    Args:
        inputs: the forms of what the program takes.
    """
    made = Counter(one.place for one in program.block.nested())
    for equation, forms in _equations(program, program.block, inputs):
        line = program.line(equation)
        yield MutationPoint(equation, line, line > 0 and made[equation.place] > 1, forms)


def _equations(program: Program, block: Block, inputs: Sequence[Form]) -> Iterator[tuple[Equation, Forms]]:
    """The equations of a block, with the forms of the values there. `inputs` are those of what the block takes."""
    forms = dict(zip(block.inputs, inputs, strict=True))
    for number, index in block.constants:
        array = program.arrays[index]
        is_key = array.dtype == DTYPES["key"]
        forms[number] = Form("key" if is_key else array.dtype.name, array.shape)
    for equation in block.equations:
        if equation.operation not in DRAWS:
            yield equation, forms
            given = [Form(one.dtype, ()) if isinstance(one, Literal) else forms[one] for one in equation.inputs]
            for inner, taken in zip(equation.blocks, _taken(equation, given), strict=True):
                yield from _equations(program, inner, taken)
        forms.update(zip(equation.outputs, equation.forms, strict=True))


def _taken(equation: Equation, given: Sequence[Form]) -> list[Sequence[Form]]:
    """The forms of what each block of an equation takes."""
    numbers = equation.parameters
    match equation.operation:
        case "scan":
            whole = numbers["constants"] + numbers["carried"]
            return [[*given[:whole], *(Form(one.dtype, one.shape[1:]) for one in given[whole:])]]
        case "while":
            first, last = numbers["condition_constants"], numbers["condition_constants"] + numbers["body_constants"]
            return [[*given[:first], *given[last:]], given[first:]]
        case _:
            return [given[1:] for _ in equation.blocks]


@dataclass(frozen=True)
class _Execution:
    """One execution of an equation: the values of its inputs and outputs, and what evaluates it."""

    inputs: list[Array]
    outputs: list[Array]
    evaluate: Evaluate

    def is_changed(self, equation: Equation, change: Hook) -> bool:
        """Whether a change gives other outputs here, by more than the rounding of float64."""
        try:
            changed = change(equation, self.inputs, self.evaluate)
        except (NotAProgram, ValueError, TypeError, IndexError, OverflowError):
            return True  # the evaluation of the whole program says what is wrong
        return not all(map(_equal, map(np.asarray, changed), self.outputs))


class Evaluated:
    """A live program with the exact values of every equation: a changed one needs only what depends on the change."""

    def __init__(self, traced: Traced) -> None:
        self._program, self._executions = traced.live, defaultdict[int, list[_Execution]](list)

        def keep(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
            outputs = evaluate(equation, inputs)
            self._executions[id(equation)].append(_Execution(inputs, outputs, evaluate))
            return outputs

        self._evaluation = replace(traced.evaluation.again(Exact()), program=self._program, hook=keep)
        self._outputs = outputs_of(self._evaluation)
        self._evaluation.hook = None  # an execution that is evaluated again is not another execution

    def changed(self, equations: Sequence[Equation], change: Hook) -> Array:
        """The output with a change of each of some equations.

        Raises:
            ProblemError: where an operation cannot take the shapes or indices that a change gives it.
        """
        executions = [(one, executed) for one in equations for executed in self._executions[id(one)]]
        with quiet():
            if not any(executed.is_changed(one, change) for one, executed in executions):
                return self._outputs[0]
        wanted = {id(one) for one in equations}

        def hook(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
            return change(equation, inputs, evaluate) if id(equation) in wanted else evaluate(equation, inputs)

        dirty, clean = set[int](), dict[int, Array]()
        for equation in self._program.block.equations:
            reads_dirty = any(not isinstance(atom, Literal) and atom in dirty for atom in equation.inputs)
            if reads_dirty or any(id(one) in wanted for one in _nested(equation)):
                dirty.update(equation.outputs)
            else:
                (executed,) = self._executions[id(equation)]
                clean.update(zip(equation.outputs, executed.outputs, strict=True))
        return outputs_of(replace(self._evaluation.without(clean), hook=hook))[0]


def _equal(changed: Array, outputs: Array) -> bool:
    """Whether two arrays differ by the rounding of float64 at most."""
    if changed.shape != outputs.shape:
        return False
    if np.array_equal(changed, outputs):
        return True
    return outputs.dtype.kind in "fc" and np.allclose(changed, outputs, rtol=ROUNDING, atol=0, equal_nan=True)


def _nested(equation: Equation) -> Iterator[Equation]:
    yield equation
    for block in equation.blocks:
        yield from block.nested()
