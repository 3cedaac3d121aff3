"""Bounds of an evaluation: its work, its steps, the memory that it holds, and the size of a result before it is computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.marking.comparison import Array
from grader.program.data import DRAWS, LARGEST_ARRAY, Equation, holding, require

MOST_WORK = 100_000_000
"""The most work of one evaluation, in elements that are read or written. A slow operation counts several times."""
MOST_STEPS = 100_000
"""The most equations that one evaluation may take, in all rounds of all loops. A round counts as one too."""
MOST_BYTES_HELD = 1 << 28
"""The most bytes of all values at one time."""
MOST_KEYS_CONSUMED = 100_000
"""The most keys that draws and splits consume."""
LONGEST_LOOP = 100_000
"""The most rounds of one loop."""

_SLOW: Mapping[str, int] = {
    **dict.fromkeys(("erf", "erfc", "erf_inv", "lgamma"), 20),
    **dict.fromkeys(("random_bits", "random_split", "random_fold_in", *DRAWS), 50),
    **dict.fromkeys(("sort", "top_k", "cumlogsumexp"), 30),
    **dict.fromkeys(("gather", "scatter", "pow", "sin", "cos", "tan", "integer_pow"), 5),
    **dict.fromkeys(("scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max"), 20),
}
"""How often an element counts, once if it is not said here."""

_JOINED = frozenset(("concatenate", "stack", "sort", "dynamic_slice", "dynamic_update_slice", "unstack"))
"""Operations whose inputs have shapes that need not fit each other, and which give no more than they take."""


@dataclass
class Meter:
    """Counts what one evaluation takes. Each method raises `NotAProgram` if that is too much."""

    work: int = 0
    steps: int = 0
    held: int = 0

    def step(self, values: int) -> None:
        """Count one equation or one round, which takes and gives a number of values."""
        self.steps += 1 + values // 16
        require(self.steps <= MOST_STEPS, "it takes more steps than are allowed")

    def hold(self, equation: Equation) -> None:
        """Count the values that an equation will give as memory, and as work if its blocks give them."""
        self.held += sum(math.prod(one.shape) * holding(one.dtype, wide=True).itemsize for one in equation.forms)
        require(self.held <= MOST_BYTES_HELD, "it holds more values than are allowed")
        if equation.blocks:
            self.spend(equation.operation, sum(math.prod(one.shape) for one in equation.forms))

    def spend(self, operation: str, elements: int) -> None:
        """Count elements that an operation reads or writes."""
        self.work += elements * _SLOW.get(operation, 1)
        require(self.work <= MOST_WORK, "it is more work than is allowed")

    def compute(self, equation: Equation, inputs: Sequence[Array], parameters: Mapping[str, Any]) -> None:
        """Count the work of an operation, before it is done."""
        largest = _largest(equation, inputs, parameters)
        require(largest <= LARGEST_ARRAY, f"{equation.operation!r} gives an array that is too large")
        elements = sum(x.size for x in inputs) + sum(math.prod(one.shape) for one in equation.forms)
        if equation.operation == "dot_general":
            (contracted, _), _ = parameters["dimension_numbers"]
            elements += largest * math.prod(inputs[0].shape[axis] for axis in contracted) // 8
        self.spend(equation.operation, elements)


class Unmetered(Meter):
    """Counts nothing: for a program that was counted before, and for a reference, which may be of any size."""

    def step(self, values: int) -> None: ...

    def hold(self, equation: Equation) -> None: ...

    def spend(self, operation: str, elements: int) -> None: ...

    def compute(self, equation: Equation, inputs: Sequence[Array], parameters: Mapping[str, Any]) -> None: ...


def bounded(length: int) -> int:
    """The number of rounds of a loop.

    Raises:
        NotAProgram: if it is too large.
    """
    require(0 <= length <= LONGEST_LOOP, "a loop is too long")
    return length


def _largest(equation: Equation, inputs: Sequence[Array], parameters: Mapping[str, Any]) -> int:
    """The most elements that an operation may allocate for one array. Nothing is allocated to find out."""
    match equation.operation:
        case "broadcast_in_dim" | "iota":
            return _product(parameters["shape"])
        case "random_split" | "random_bits":
            return inputs[0].size * _product(parameters["shape"])
        case "tile":
            return inputs[0].size * _product(parameters["reps"])
        case "pad":
            lengths = zip(inputs[0].shape, parameters["padding_config"], strict=True)
            return _product([low + high + n + max(n - 1, 0) * between for n, (low, high, between) in lengths])
        case "gather":
            return _product(inputs[1].shape[:-1]) * _product(parameters["slice_sizes"])
        case "top_k":
            require(parameters["k"] <= inputs[0].shape[parameters["axis"]], "more values are taken than there are")
            return inputs[0].size
        case "split":
            require(len(parameters["sizes"]) == len(equation.forms), "an array has another number of parts")
            return inputs[0].size
        case "dot_general":
            (contracted, _), (stacked, _) = parameters["dimension_numbers"]
            x, y = (_product(one.shape) for one in inputs)
            terms, stack = (_product([inputs[0].shape[axis] for axis in axes]) for axes in (contracted, stacked))
            return (x // terms) * (y // terms) // stack
        case name if name.startswith("scatter"):
            window = parameters["dimension_numbers"]["update_window_dims"]
            written = _product(inputs[1].shape[:-1]) * _product([inputs[2].shape[axis] for axis in window])
            return max(written, *(x.size for x in inputs))
        case name if name in _JOINED:
            require(
                name != "unstack" or len(equation.forms) >= inputs[0].shape[parameters["axis"]],
                "an array has too many rows",
            )
            return sum(x.size for x in inputs)
        case _:
            # Rules by element spread their inputs along each other's axes.
            shapes = {x.shape for x in inputs if x.ndim}
            return (
                _product(np.broadcast_shapes(*shapes)) if len(shapes) > 1 else max((x.size for x in inputs), default=0)
            )


def _product(shape: Sequence[int]) -> int:
    """The product of lengths; a length of zero counts as one, because the other axes may be made first."""
    return math.prod(max(length, 1) for length in shape)
