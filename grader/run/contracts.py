"""In the answer's process: is a contract of JAX's kept? The values under it go back, to be judged elsewhere."""

from __future__ import annotations

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
from grader.marking.contracts import GRAD, JIT, KEYS, VMAP
from grader.run.raised import describe
from grader.run.tracing import CannotTrace, Given, Trace, given, run_as_written, run_traces, trace, worth_compiling

Function = Callable[..., Any]
Cases = Sequence[Sequence[int | float]]


@dataclass
class Kept:
    """The values under a contract, case by case, or how it is broken (see `grader.marking.contracts.Broken`)."""

    values: list[Given] = field(default_factory=list[Given])
    broken: dict[str, Any] | None = None


def keep(contract: str, position: int, function: Function, cases: Cases, filename: str) -> Kept:
    """Call an answer under a contract.

    Args:
        position: of the parameter that a `grad` contract differentiates by.
        filename: the name of the answer's own lines in tracebacks.
    """
    traces, broken = look(contract, position, function, cases, filename)
    if broken is not None or contract == KEYS:
        return Kept(broken=broken)
    try:
        return Kept(run_traces(traces) if worth_compiling(traces) else run_as_written(traces))
    except Exception as error:  # what a compiled program raises is the answer's doing
        return Kept(broken={"raised": describe(error, filename), "lines": [], "times": 0})


def look(
    contract: str, position: int, function: Function, cases: Cases, filename: str
) -> tuple[list[Trace], dict[str, Any] | None]:
    """The answer under a contract, traced case by case; and how it is broken, where it is."""
    transformed = under(contract, position, function, cases)
    traces: list[Trace] = []
    try:
        for case in cases:
            traces.append(traced(transformed, case, strict=contract in (JIT, KEYS)))
            reused = reuse(traces[-1], filename) if contract == KEYS else None
            if reused:
                return traces, {"raised": None, **reused}
    except BaseException as error:  # SystemExit and the like are the answer's doing too
        return traces, {"raised": describe(error, filename), "lines": [], "times": 0}
    return traces, None


def under(contract: str, position: int, function: Function, cases: Cases) -> Function:
    """The answer under a contract: called with the arguments of a case, it gives what the contract asks for."""
    if contract == GRAD:
        return _flat(with_derivative(function, position))
    if contract == VMAP:
        return _mapped(function, cases)
    return _compiled(function, floats=contract == JIT)


def _flat(stacked: Function) -> Function:
    """Values and derivatives in one row, where the values are; otherwise as they come, so that the form is told."""

    def call(*case: int | float) -> Any:
        both = stacked(*case)
        return both.reshape(-1) if both.ndim == 2 else both

    return call


def _compiled(function: Function, *, floats: bool) -> Function:
    """The seed is traced and, with `floats`, every float; sizes are static, as with `static_argnums` of `jax.jit`."""

    def call(*case: int | float) -> Any:
        held = [index for index, value in enumerate(case) if index == 0 or (floats and isinstance(value, float))]

        def of(*values: Any) -> Any:
            arguments = list(case)
            for index, value in zip(held, values, strict=True):
                arguments[index] = value
            return function(*arguments)

        return jax.jit(of)(*(case[index] for index in held))

    return call


def _mapped(function: Function, cases: Cases) -> Function:
    """Two seeds with the same other arguments, mapped at once: the row of the first."""

    def call(seed: int, *others: int | float) -> Any:
        seeds = [int(case[0]) for case in cases if tuple(case[1:]) == others]
        # The row that is looked at comes first, and one more seed is enough to see calls that are mapped.
        pair = [seed, next((other for other in seeds if other != seed), seed + 1)]
        return jax.vmap(lambda one: function(one, *others))(jnp.array(pair))[0]

    return call


def traced(function: Function, case: Sequence[int | float], *, strict: bool) -> Trace:
    """One call under a contract as a program; as it is where it does not trace and, not `strict`, need not.

    Raises:
        BaseException: whatever the answer raises.
    """
    try:
        return trace(function, case)
    except CannotTrace as stopped:
        if strict and stopped.__cause__ is not None:
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
