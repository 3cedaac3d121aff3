"""What is known of an equation before it is evaluated: found once, for all rounds of a loop and all replays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.bind import Rule, rule_of
from grader.jaxpr.prng import is_key
from grader.marking.judge import Array
from grader.program.arithmetic import has_few_bits
from grader.program.rules import EXACT, SUMS, promoted

FEW_BITS = 12
"""A float32 with at most this many significant bits means that number, as 2**-20 does."""

REMEMBERED = 50_000
"""Plans that are kept; when there are more, all are forgotten."""


def literal_value(literal: core.Literal) -> Array:
    """The number that a literal stands for (see `meant`)."""
    array = np.asarray(literal.val)
    if array.dtype != np.float32 or array.ndim:
        return array.astype(promoted(array.dtype))
    return np.asarray(meant(np.float32(array[()])))


def meant(value: np.float32) -> float:
    """The shortest decimal that float32 rounds to a number: 0.1 in place of 0.100000001. A number of few bits is itself.

    Float32 holds only few bits of the smallest numbers, such as 1e-45: these are decimals.
    """
    is_itself = has_few_bits(value, FEW_BITS) and abs(value) >= np.finfo(np.float32).tiny
    return float(value) if is_itself else float(str(value))


@dataclass(frozen=True)
class Output:
    """One output of an equation. `dtype` is the promoted one, None for PRNG keys."""

    variable: Any
    dtype: Any
    shape: tuple[int, ...]
    is_float: bool


class Plan:
    """One equation: what it reads, gives and does.

    Attributes:
        eqn: the equation itself: it stays alive as long as its plan, which is found by its `id()`.
        reads: for each input the variable, or else the literal's value.
        is_call: whether it only calls a program.
        sampler: the sampler of `jax.random` that it calls; empty if it calls none.
        is_half: whether it may be a half of a normal draw (see `compat.begins_normal`).
        is_exact: whether float32 does not round what it gives.
        is_sum: whether rounding is relative to the sum of the absolute terms.
    """

    def __init__(self, eqn: Any) -> None:
        self.eqn = eqn
        self.name: str = eqn.primitive.name
        self.reads: list[tuple[Any, Array | None]] = [
            (atom, literal_value(atom) if isinstance(atom, core.Literal) else None) for atom in eqn.invars
        ]
        self.outputs = [_output(variable) for variable in eqn.outvars]
        self.is_call = compat.is_call(eqn)
        self.sampler = compat.sampler(eqn)
        self.is_half = self.name == "erf_inv" or self.sampler == "uniform"
        self.is_exact, self.is_sum = self.name in EXACT, self.name in SUMS
        # NumPy does not count bfloat16 among the floats.
        self._is_foreign = any(is_key(atom.aval) or np.dtype(atom.aval.dtype).kind == "V" for atom in eqn.invars)

    @cached_property
    def rule(self) -> tuple[Rule, dict[str, Any]] | None:
        """The rule of the operation in NumPy with its parameters; None where it has none, or takes what NumPy does not."""
        return None if self._is_foreign else rule_of(self.eqn)

    @cached_property
    def scan(self) -> compat.Scan:
        """What a scan does."""
        return compat.scan(self.eqn)


def _output(variable: Any) -> Output:
    aval = variable.aval
    if is_key(aval):
        return Output(variable, None, tuple(aval.shape), False)
    dtype = promoted(aval.dtype)
    return Output(variable, dtype, tuple(aval.shape), isinstance(dtype, np.dtype) and dtype.kind in "fc")


_PLANS: dict[int, Plan] = {}


def plan_of(eqn: Any) -> Plan:
    """The plan of an equation."""
    plan = _PLANS.get(id(eqn))
    if plan is None:
        if len(_PLANS) >= REMEMBERED:
            _PLANS.clear()
        plan = _PLANS[id(eqn)] = Plan(eqn)
    return plan
