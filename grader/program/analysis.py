"""What is known of a program without evaluating it: the history of its numbers, what noise reaches, its outline."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from grader.program.arithmetic import FEW_BITS, NoisyConstants, has_few_bits, is_short
from grader.program.data import DRAWS, Atom, Block, Literal, Program, promoted
from grader.values.arrays import Array
from grader.values.outline import EVALUATED, Outline
from grader.values.places import parsed

LARGEST_WHOLE = 2.0**23
"""Every larger float32 is a whole number, whatever it comes from."""

OF_JAX = (0.87962566103423978, 1.0507009873554805, 1.6732632423543772, 1.0 - 2.0**-24, 3.4028234663852886e38)
"""Numbers of JAX's own: the deviation of a normal cut at two, the two of `selu`, the float32 below 1, and the largest."""

_Formula = Callable[[float], float]

_FORMULAS: tuple[tuple[_Formula, _Formula, int], ...] = (
    (lambda x: x, lambda r: r, 256),
    (lambda x: x * x, math.sqrt, 64),
    (math.exp, math.log, 10),
    (math.log2, lambda r: 2.0**r, 256),
    (math.log10, lambda r: 10.0**r, 256),
    (lambda x: x / math.log(2), lambda r: r * math.log(2), 256),
    (lambda x: x / math.log(10), lambda r: r * math.log(10), 256),
    (lambda x: x / math.pi, lambda r: r * math.pi, 256),
    (lambda x: x * x * math.pi, lambda r: math.sqrt(r / math.pi), 4),
)
"""What is a fraction if a number is the value of a formula, the formula, and the largest denominator of the fraction.

The square of 0.70710678 is 1/2. Of random float32 numbers, one in a hundred is the value of one of these formulas.
"""

WITHOUT_FLOAT32 = frozenset(
    (
        *("__future__", "collections", "dataclasses", "einops", "flax", "functools", "itertools", "jax", "math"),
        *("operator", "optax", "typing"),
    )
)
"""Modules that compute no float32 outside of a trace."""

MAKES_NUMBERS_NOW = frozenset(("ensure_compile_time_eval", "eval_context", "compile", "device_get"))
"""Functions of JAX that give numbers, and no tracers, while a program is traced."""


def in_float64(text: str) -> bool:
    """Whether an answer can compute no number of fewer bits than float64 outside of its trace, as far as its text shows."""
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) if any(name.name.partition(".")[0] not in WITHOUT_FLOAT32 for name in names):
                return False
            case ast.ImportFrom(module=module) if (module or "").partition(".")[0] not in WITHOUT_FLOAT32:
                return False
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in MAKES_NUMBERS_NOW:
                return False
            case _:
                pass
    return all(_root(call.func) == "math" for statement in tree.body for call in _calls_at_once(statement))


def _calls_at_once(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that a statement of a module makes as the module is loaded, but for decorators."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            inner: list[ast.AST] = [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
        case ast.ClassDef():
            inner = list(node.body)
        case _:
            inner = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Call):
        yield node
    for child in inner:
        yield from _calls_at_once(child)


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def history_is_known(program: Program) -> bool:
    """Whether the history of every number is known that the value of a program depends on."""
    block = program.block.live()
    read = set(block.atoms())
    arrays = [program.arrays[index] for number, index in block.constants if number in read]
    literals = {atom for atom in read if isinstance(atom, Literal)}
    for inner in _inner(block):
        arrays += [program.arrays[index] for _, index in inner.constants]
        literals.update(atom for atom in inner.atoms() if isinstance(atom, Literal))
    return all(map(_exact, arrays)) and all(map(_recognised, {literal.value for literal in literals}))


def _inner(block: Block) -> Iterator[Block]:
    """The blocks inside a block, but those of draws: their numbers are JAX's."""
    for equation in block.equations:
        if equation.operation not in DRAWS:
            for inner in equation.blocks:
                yield inner
                yield from _inner(inner)


def _exact(array: Array) -> bool:
    """Whether each number of an array is whole, has few bits, or is a decimal of few digits."""
    if array.dtype.kind == "c":
        return _exact(np.real(array)) and _exact(np.imag(array))
    if array.dtype.kind != "f":
        return True
    values = np.unique(array.astype(np.float32)).astype(np.float64)
    whole = (values == np.rint(values)) & (np.abs(values) < LARGEST_WHOLE)
    return all(has_few_bits(value, FEW_BITS) for value in values[~(whole | is_short(values))])


def _recognised(value: complex) -> bool:
    """Whether a number of the program is exact, or the float32 of a formula of whole numbers."""
    if isinstance(value, complex):
        return _recognised(value.real) and _recognised(value.imag)
    if isinstance(value, int) or _exact(np.asarray(value)):
        return True
    number = np.float32(abs(value))
    return any(number == np.float32(constant) for constant in OF_JAX) or any(
        _is_formula(number, *formula) for formula in _FORMULAS
    )


def _is_formula(number: np.float32, fraction_of: _Formula, formula: _Formula, largest: int) -> bool:
    try:
        fraction = Fraction(fraction_of(float(number))).limit_denominator(largest)
        return bool(np.float32(formula(float(fraction))) == number)
    except (OverflowError, ValueError, ZeroDivisionError):  # outside the range of the formula
        return False


def noiseless_equations(program: Program) -> set[int]:
    """The `id()` of each equation of the outermost block that gives the same values in all evaluations.

    A constant is noisy if two seeds give two values of it.
    """
    block = program.block
    noisy = {index: _is_noisy(array) for index, array in enumerate(program.arrays)}
    moved = {number for number, index in block.constants if noisy[index]}
    found: set[int] = set()
    for equation in block.equations:
        inner = [inner_block for block in equation.blocks for inner_block in block.blocks()]
        inside = any(noisy[index] for inner_block in inner for _, index in inner_block.constants)
        literals = (*equation.inputs, *(atom for inner_block in inner for atom in inner_block.atoms()))
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


def outline(program: Program) -> Outline:
    """The outline of a program. Of all families, it can hold those of `EVALUATED`."""
    length, holds, largest, at = 0, dict[str, int](), (0,), 0
    for index in {index for block in program.block.blocks() for _, index in block.constants}:
        if program.arrays[index].size > math.prod(largest):
            largest = program.arrays[index].shape
    for equation in program.block.nested():
        length += 1
        line = program.line(equation)
        if equation.operation in EVALUATED:
            holds.setdefault(equation.operation, line)
        for form in equation.forms:
            if math.prod(form.shape) > math.prod(largest):
                largest, at = form.shape, line
    return Outline(length, holds, largest, at)
