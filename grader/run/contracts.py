"""Runs an answer under a contract, in the answer's process. Another process judges the values."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from grader.kit.derivative import with_derivative
from grader.marking.contracts import Cases, Contract
from grader.program.data import NotAProgram
from grader.run.programs import encoded
from grader.run.raised import describe
from grader.run.tracing import CannotTrace, Given, Trace, given, run_as_written, run_traces, trace, worth_compiling
from grader.run.whereabouts import note

Function = Callable[..., Any]


@dataclass
class ContractResult:
    """The value of each case under a contract, or the exception that it raises under it (see `raised.describe`)."""

    values: list[Given] = field(default_factory=list[Given])
    broken: dict[str, Any] | None = None
    traces: list[Trace] = field(default_factory=list[Trace])


def check_contract(
    contract: Contract, argnum: int, function: Function, cases: Cases, filename: str, *, plain: bool = False
) -> ContractResult:
    """Call an answer under a contract.

    Args:
        plain: call it as a learner would, case by case, and do not trace it.
        argnum: the index of the parameter that a derivative is taken with respect to.
        filename: the name of the answer's own lines in tracebacks.
    """
    if not contract.transform:
        return ContractResult()
    if plain:
        transformed = pkgutil.resolve_name(contract.transform)(function, argnum, cases)
        return ContractResult([given(transformed(*case)) for case in cases])
    traces, broken = trace_under(contract, argnum, function, cases, filename)
    if broken is not None or not contract.compares:
        return ContractResult(broken=broken)
    try:
        values = (None if contract.derivative else _from_the_first(traces, filename)) or _values(traces, filename)
        return ContractResult(values, traces=traces)
    except Exception as error:  # an answer can make its compiled program raise anything
        return ContractResult(broken=describe(error, filename))


def _values(traces: Sequence[Trace], filename: str) -> list[Given]:
    return run_traces(traces, filename) if worth_compiling(traces) else run_as_written(traces)


ALIKE = 1e-5
"""How far the compiled value of a trace may be from its program's, as a part of the largest, if it is called the same."""


def _from_the_first(traces: Sequence[Trace], filename: str) -> list[Given] | None:
    """The compiled value of the first trace, and the values of the other programs in float64, rounded to their dtypes.

    To compile the same function again for each case takes longer than all the rest of an answer. Once JAX gives on one case
    what NumPy gives, NumPy's values stand for the others.

    Returns:
        None if the traces are no programs, a value is not finite, or NumPy gives another one than JAX.
    """
    from grader.program.evaluate import Evaluation  # here and not above: most answers do without

    try:
        programs = encoded(traces, filename)
        given_by = [Evaluation(program).output() for program in programs or ()]
    except NotAProgram:
        return None
    if len(given_by) < 2 or any(one.dtype.kind not in "fiub" or not np.isfinite(one).all() for one in given_by):
        return None
    (first,) = _values(traces[:1], filename)
    scale = float(np.max(np.abs(given_by[0]), initial=0.0))
    if first.array is None or not np.allclose(first.array, given_by[0], rtol=0.0, atol=ALIKE * scale):
        return None
    dtypes = [one.program.out_avals[0].dtype for one in traces if one.program is not None]
    others = [values.astype(dtype) for values, dtype in zip(given_by, dtypes, strict=True)]
    return [first, *(Given(one.dtype.name, one) for one in others[1:])]


def trace_under(
    contract: Contract, argnum: int, function: Function, cases: Cases, filename: str
) -> tuple[list[Trace], dict[str, Any] | None]:
    """The traces of an answer under a contract, one for each case, and the exception that it raises, if it does."""
    transformed = pkgutil.resolve_name(contract.transform)(function, argnum, cases)
    traces: list[Trace] = []
    try:
        for index, case in enumerate(cases):
            note("check", index)
            traces.append(traced(transformed, case, must_trace=contract.must_trace))
    except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
        return traces, describe(error, filename)
    return traces, None


def differentiated(function: Function, argnum: int, cases: Cases) -> Function:
    """Values and derivatives in one row. Values that are not in one row keep their shape, so that the mistake is named."""
    stacked = with_derivative(function, argnum)

    def call(*case: int | float) -> Any:
        both = stacked(*case)
        return both.reshape(-1) if both.ndim == 2 else both

    return call


def compiled(function: Function, argnum: int, cases: Cases) -> Function:
    """The answer under `jax.jit`: the seed and every float are traced, and sizes are static (`static_argnums`)."""
    return _compiled(function, lambda index, value: index == 0 or isinstance(value, float))


def compiled_seed(function: Function, argnum: int, cases: Cases) -> Function:
    """The answer under `jax.jit`: only the seed is traced."""
    return _compiled(function, lambda index, value: index == 0)


def _compiled(function: Function, is_traced: Callable[[int, int | float], bool]) -> Function:
    def call(*case: int | float) -> Any:
        indices = [index for index, value in enumerate(case) if is_traced(index, value)]

        def call_traced(*values: Any) -> Any:
            arguments = list(case)
            for index, value in zip(indices, values, strict=True):
                arguments[index] = value
            return function(*arguments)

        return jax.jit(call_traced)(*(case[index] for index in indices))

    return call


def mapped(function: Function, argnum: int, cases: Cases) -> Function:
    """The answer under `jax.vmap` over two seeds with the same other arguments: the row of the first seed."""

    def call(seed: int, *others: int | float) -> Any:
        seeds = [int(case[0]) for case in cases if tuple(case[1:]) == others]
        # The row that is judged comes first. One more seed is enough to detect an answer that cannot be mapped.
        pair = [seed, next((other for other in seeds if other != seed), seed + 1)]
        return jax.vmap(lambda one: function(one, *others))(jnp.array(pair))[0]

    return call


def traced(function: Function, case: Sequence[int | float], *, must_trace: bool) -> Trace:
    """One call under a contract, traced. If it does not trace, and the contract does not need a trace, its value.

    Raises:
        BaseException: whatever the answer raises.
    """
    try:
        return trace(function, case)
    except CannotTrace as stopped:
        if must_trace and stopped.__cause__ is not None:
            raise stopped.__cause__ from None
        return Trace(None, given(function(*case)))
