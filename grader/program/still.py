"""The equations of a program that the noise of its constants does not reach: one evaluation of them is enough."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.program.arithmetic import NoisyConstants
from grader.program.data import Atom, Block, Literal, Program, promoted


def still(program: Program) -> set[int]:
    """The `id()` of each equation of the outermost block that gives the same values in all evaluations.

    A constant is noisy if two seeds give two values of it.
    """
    block = program.block
    noisy = {index: _is_noisy(array) for index, array in enumerate(program.arrays)}
    moved = {number for number, index in block.constants if noisy[index]}
    found: set[int] = set()
    for equation in block.equations:
        inside = any(noisy[index] for inner in equation.blocks for index in _constants(inner))
        literals = (*equation.inputs, *(atom for inner in equation.blocks for atom in _atoms(inner)))
        if inside or any(_moves(atom, moved) for atom in equation.inputs) or any(map(_is_noisy_literal, literals)):
            moved.update(equation.outputs)
        else:
            found.add(id(equation))
    return found


def _moves(atom: Atom, moved: set[int]) -> bool:
    return not isinstance(atom, Literal) and atom in moved


def _is_noisy_literal(atom: Atom) -> bool:
    if not isinstance(atom, Literal) or atom.dtype != "float32":
        return False
    value = np.asarray(atom.value, np.float64)
    return bool(NoisyConstants(0).literal(value) != NoisyConstants(1).literal(value)) and bool(np.isfinite(value))


def _is_noisy(array: np.ndarray) -> bool:
    if array.dtype != np.float32:
        return False
    wide = array.astype(promoted(array.dtype))
    return not np.array_equal(NoisyConstants(0).constant(wide), NoisyConstants(1).constant(wide), equal_nan=True)


def _constants(block: Block) -> Iterator[int]:
    """The arrays that a block, or one inside it, holds."""
    yield from (index for _, index in block.constants)
    for equation in block.equations:
        for inner in equation.blocks:
            yield from _constants(inner)


def _atoms(block: Block) -> Iterator[Atom]:
    """What the equations of a block, and of those inside it, read, with what the blocks give."""
    yield from block.outputs
    for equation in block.equations:
        yield from equation.inputs
        for inner in equation.blocks:
            yield from _atoms(inner)
