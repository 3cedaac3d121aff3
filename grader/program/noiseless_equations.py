"""The equations of a program that the noise of its constants does not reach: one evaluation of them is enough."""

from __future__ import annotations

import numpy as np

from grader.program.arithmetic import NoisyConstants
from grader.program.data import Atom, Literal, Program, promoted


def still(program: Program) -> set[int]:
    """The `id()` of each equation of the outermost block that gives the same values in all evaluations.

    A constant is noisy if two seeds give two values of it.
    """
    block = program.block
    noisy = {index: _is_noisy(array) for index, array in enumerate(program.arrays)}
    moved = {number for number, index in block.constants if noisy[index]}
    found: set[int] = set()
    for equation in block.equations:
        inner = [one for block in equation.blocks for one in block.blocks()]
        inside = any(noisy[index] for one in inner for _, index in one.constants)
        literals = (*equation.inputs, *(atom for one in inner for atom in one.atoms()))
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
