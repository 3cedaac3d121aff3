"""In the answer's process: an answer under a contract. The values under it go back, to be judged elsewhere."""

from __future__ import annotations

import pkgutil
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from grader.jaxpr.compat import consumes_key, line_of
from grader.jaxpr.interpret import Evaluate, Exact, replay
from grader.jaxpr.prng import is_key
from grader.kit.derivative import with_derivative
from grader.kit.problem import ProblemError
from grader.marking.contracts import Cases, Contract
from grader.run.raised import describe
from grader.run.tracing import CannotTrace, Given, Trace, given, run_as_written, run_traces, trace, worth_compiling

Function = Callable[..., Any]


@dataclass
class ContractResult:
    """The values under a contract, case by case, or how it is broken: the fields of `grader.marking.contracts.Broken`."""

    values: list[Given] = field(default_factory=list[Given])
    broken: dict[str, Any] | None = None


def check_contract(contract: Contract, argnum: int, function: Function, cases: Cases, filename: str) -> ContractResult:
    """Call an answer under a contract.

    Args:
        argnum: the index of the parameter that a derivative is taken with respect to.
        filename: the name of the answer's own lines in tracebacks.
    """
    traces, broken = trace_under(contract, argnum, function, cases, filename)
    if broken is not None or not contract.compares:
        return ContractResult(broken=broken)
    try:
        return ContractResult(run_traces(traces) if worth_compiling(traces) else run_as_written(traces))
    except Exception as error:  # what a compiled program raises is the answer's doing
        return ContractResult(broken={"raised": describe(error, filename), "lines": [], "times": 0})


def trace_under(
    contract: Contract, argnum: int, function: Function, cases: Cases, filename: str
) -> tuple[list[Trace], dict[str, Any] | None]:
    """The answer under a contract, traced case by case; and how the contract is broken, if it is."""
    transformed = pkgutil.resolve_name(contract.transform)(function, argnum, cases)
    misuse = pkgutil.resolve_name(contract.misuse) if contract.misuse else None
    traces: list[Trace] = []
    try:
        for case in cases:
            traces.append(traced(transformed, case, must_trace=contract.must_trace))
            if misuse is not None and (found := misuse(traces[-1], filename)):
                return traces, {"raised": None, **found}
    except BaseException as error:  # SystemExit and the like are the answer's doing too
        return traces, {"raised": describe(error, filename), "lines": [], "times": 0}
    return traces, None


def differentiated(function: Function, argnum: int, cases: Cases) -> Function:
    """Values and derivatives in one row. Where the values are not in one row, they come as they are: their form is wrong."""
    stacked = with_derivative(function, argnum)

    def call(*case: int | float) -> Any:
        both = stacked(*case)
        return both.reshape(-1) if both.ndim == 2 else both

    return call


def compiled(function: Function, argnum: int, cases: Cases) -> Function:
    """The seed and every float are traced; sizes are static, as with `static_argnums` of `jax.jit`."""
    return _compiled(function, lambda index, value: index == 0 or isinstance(value, float))


def compiled_seed(function: Function, argnum: int, cases: Cases) -> Function:
    """The seed alone is traced."""
    return _compiled(function, lambda index, value: index == 0)


def _compiled(function: Function, is_traced: Callable[[int, int | float], bool]) -> Function:
    def call(*case: int | float) -> Any:
        held = [index for index, value in enumerate(case) if is_traced(index, value)]

        def of(*values: Any) -> Any:
            arguments = list(case)
            for index, value in zip(held, values, strict=True):
                arguments[index] = value
            return function(*arguments)

        return jax.jit(of)(*(case[index] for index in held))

    return call


def mapped(function: Function, argnum: int, cases: Cases) -> Function:
    """Two seeds with the same other arguments, mapped at once: the row of the first."""

    def call(seed: int, *others: int | float) -> Any:
        seeds = [int(case[0]) for case in cases if tuple(case[1:]) == others]
        # The row that is looked at comes first, and one more seed is enough to see calls that are mapped.
        pair = [seed, next((other for other in seeds if other != seed), seed + 1)]
        return jax.vmap(lambda one: function(one, *others))(jnp.array(pair))[0]

    return call


def traced(function: Function, case: Sequence[int | float], *, must_trace: bool) -> Trace:
    """One call under a contract as a program. Where it does not trace, and need not, its value.

    Raises:
        BaseException: whatever the answer raises.
    """
    try:
        return trace(function, case)
    except CannotTrace as stopped:
        if must_trace and stopped.__cause__ is not None:
            raise stopped.__cause__ from None
        return Trace(None, given(function(*case)))


def reuse(one: Trace, filename: str) -> dict[str, Any] | None:
    """The first key that is used up more than once, by draws and splits: `times`, and the `lines` that do it."""
    if one.program is None:
        return None  # what it returns comes of no array of JAX's, so neither of a key
    consumed: dict[bytes, list[Any]] = defaultdict(list)

    def on_eqn(eqn: Any, arguments: list[Any], evaluate: Evaluate) -> Sequence[Any]:
        if consumes_key(eqn):
            data = jax.random.key_data(next(argument for argument in arguments if is_key(argument)))
            for key in np.asarray(data).reshape(-1, data.shape[-1]):
                consumed[key.tobytes()].append(eqn)
        return evaluate(eqn, arguments)

    try:
        replay(one.program, Exact(), on_eqn=on_eqn)
    except ProblemError:
        return None  # an operation that cannot be followed is not held against the answer, whose numbers are right
    for eqns in consumed.values():
        if len(eqns) > 1:
            lines = [line_of(eqn, filename) for eqn in eqns]
            return {"times": len(eqns), "lines": [line for line in lines if line]}
    return None
