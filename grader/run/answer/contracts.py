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
from grader.marking.requirements import Cases, Contract
from grader.marking.verdict import Described
from grader.program.data import NotAProgram
from grader.run.answer.exceptions import describe
from grader.run.answer.progress_notes import note
from grader.run.answer.tracing import (
    CannotTrace,
    CaseTrace,
    encoded,
    given,
    run_as_written,
    run_traces,
    trace,
    worth_compiling,
)
from grader.run.protocol import ReturnedValue
from grader.values.arrays import CALLS_ALIKE, Array

Function = Callable[..., Any]


@dataclass
class ContractResult:
    """The value of each case under a contract, or the exception that it raises under it (see `exceptions.describe`)."""

    values: list[ReturnedValue] = field(default_factory=list[ReturnedValue])
    broken: Described | None = None
    traces: list[CaseTrace] = field(default_factory=list[CaseTrace])


def check_contract(
    contract: Contract,
    argnum: int,
    function: Function,
    cases: Cases,
    filename: str,
    *,
    plain: bool = False,
    known: Sequence[ReturnedValue] = (),
) -> ContractResult:
    """Call an answer under a contract.

    Args:
        known: what it gave for each case without the contract, if that is known.
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
        values = (None if contract.derivative else _known(traces, known, filename)) or _values(traces, filename)
        return ContractResult(values, traces=traces)
    except Exception as error:  # an answer can make its compiled program raise anything
        return ContractResult(broken=describe(error, filename))


def _values(traces: Sequence[CaseTrace], filename: str) -> list[ReturnedValue]:
    return run_traces(traces, filename) if worth_compiling(traces) else run_as_written(traces)


def _known(traces: Sequence[CaseTrace], plain: Sequence[ReturnedValue], filename: str) -> list[ReturnedValue] | None:
    """The compiled value of the first trace, and for the other cases what JAX gave for the plain calls.

    To compile the same function again for each case would take 1.7 to 5.5 s more of processor time (measured on the five
    problems with such a contract), where all the rest of a grading takes about 2. So NumPy only tells whether it is needed:
    it is not, where the programs under the contract give what the plain calls gave.

    Args:
        plain: what the plain calls gave.

    Returns:
        None if the traces are no programs, a value is not finite, or a program gives another value than JAX did.
    """
    from grader.program.evaluate import Evaluation  # here and not above: most answers do without

    try:
        programs = encoded(traces, filename)
        exact = [Evaluation(program).output() for program in programs or ()]
    except NotAProgram:
        return None
    if len(exact) < 2 or len(exact) != len(plain) or any(value.dtype.kind not in "fiub" for value in exact):
        return None
    forms = [case_trace.program.out_avals[0] for case_trace in traces if case_trace.program is not None]
    if not all(map(_is_alike, plain, exact, forms)):
        return None
    (first,) = _values(traces[:1], filename)
    return [first, *plain[1:]] if _is_alike(first, exact[0], forms[0]) else None


def _is_alike(returned_value: ReturnedValue, exact: Array, form: Any) -> bool:
    """Whether a value of JAX has the form of a program's, and is its value but for some rounding."""
    if (
        returned_value.array is None
        or (returned_value.kind, returned_value.array.shape) != (form.dtype.name, form.shape)
        or not np.isfinite(exact).all()
    ):
        return False
    scale = float(np.max(np.abs(exact), initial=0.0))
    return np.allclose(returned_value.array, exact, rtol=0.0, atol=CALLS_ALIKE * scale)


def trace_under(
    contract: Contract, argnum: int, function: Function, cases: Cases, filename: str
) -> tuple[list[CaseTrace], Described | None]:
    """The traces of an answer under a contract, one for each case, and the exception that it raises, if it does."""
    transformed = pkgutil.resolve_name(contract.transform)(function, argnum, cases)
    traces: list[CaseTrace] = []
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
        return jax.vmap(lambda mapped_seed: function(mapped_seed, *others))(jnp.array(pair))[0]

    return call


def traced(function: Function, case: Sequence[int | float], *, must_trace: bool) -> CaseTrace:
    """One call under a contract, traced. If it does not trace, and the contract does not need a trace, its value.

    Raises:
        BaseException: whatever the answer raises.
    """
    try:
        return trace(function, case)
    except CannotTrace as stopped:
        if must_trace and stopped.__cause__ is not None:
            raise stopped.__cause__ from None
        return CaseTrace(None, given(function(*case)))
