"""Every NumPy rule gives JAX's own float64 result. The tests run over the table itself: a rule without a case fails."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.program.arithmetic import Exact
from grader.program.rules import RULES, promoted
from tests.jaxpr.evaluating import evaluated

X = np.array([[0.5, -1.25, 2.0], [0.25, 3.5, -0.75]], np.float32)
P = np.array([[0.5, 0.25, 0.75], [0.125, 0.875, 0.0625]], np.float32)
N = np.array([[5, -7, 3], [0, 12, -1]], np.int32)
B = np.array([[True, False, True], [False, False, True]])


def of(module: Any, name: str, *inputs: str) -> Callable[[], Any]:
    """A function of one of JAX's modules, applied to inputs by name."""
    return eval(f"lambda: {module.__name__}.{name}({', '.join(inputs)})", globals())


PROGRAMS: dict[str, Callable[[], Any]] = {
    **{name: of(jnp, name, "P") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2")},
    **{name: of(jnp, name, "P") for name in ("log", "log1p", "expm1", "sqrt", "cbrt")},
    **{name: of(jnp, name, "X") for name in ("sign", "floor", "ceil", "square")},
    "real": lambda: jnp.real(lax.complex(X, P)),
    "imag": lambda: jnp.imag(lax.complex(X, P)),
    "conj": lambda: lax.imag(lax.conj(lax.complex(X, P))),
    "add": lambda: X + jnp.asarray(P),
    "add_any": lambda: jax.grad(lambda x: (jnp.sin(x) * jnp.cos(x) + x).sum())(P),
    "sub": lambda: lax.sub(X, P),
    "mul": lambda: lax.mul(X, P),
    "div": lambda: jnp.concatenate([lax.div(X, P), lax.div(N, np.int32(3)) * 1.0]),
    "rem": lambda: jnp.concatenate([lax.rem(X, P), lax.rem(N, np.int32(3)) * 1.0]),
    "neg": lambda: -jnp.asarray(X),
    "abs": lambda: jnp.abs(X),
    "pow": lambda: lax.pow(P, X),
    "integer_pow": lambda: jnp.asarray(X) ** 3 + lax.integer_pow(P, -2),
    "rsqrt": lambda: lax.rsqrt(P),
    "logistic": lambda: jax.nn.sigmoid(X),
    "atan2": lambda: jnp.arctan2(X, P),
    "asin": lambda: lax.asin(P),
    "acos": lambda: lax.acos(P),
    "atan": lambda: lax.atan(P),
    "max": lambda: jnp.maximum(X, P),
    "min": lambda: jnp.minimum(X, P),
    **{name: of(lax, name, "X", "X.round()") for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "and": lambda: jnp.concatenate([B & jnp.asarray(X > 0), (N & jnp.int32(6)) > 0]),
    "or": lambda: jnp.concatenate([B | jnp.asarray(X > 0), (N | jnp.int32(6)) > 0]),
    "xor": lambda: jnp.concatenate([B ^ jnp.asarray(X > 0), (N ^ jnp.int32(6)) > 0]),
    "not": lambda: jnp.concatenate([~jnp.asarray(B), ~jnp.asarray(N) > 0]),
    "is_finite": lambda: jnp.isfinite(X / jnp.where(X > 0, 0, 1)),
    "round": lambda: jnp.concatenate([jnp.round(X * 2), lax.round(X * 2, lax.RoundingMethod.AWAY_FROM_ZERO)]),
    "clamp": lambda: lax.clamp(P - 1, X, P),
    "select_n": lambda: jnp.concatenate([jnp.where(B, X, P), lax.select_n(N % 3, X, P, X * P)]),
    "convert_element_type": lambda: jnp.concatenate([N.astype(np.float32) + 0.5, jnp.asarray(X).astype(int) * 1.0]),
    "copy": lambda: jnp.array(X, copy=True),
    "stop_gradient": lambda: lax.stop_gradient(X),
    "reshape": lambda: jnp.reshape(X, (3, 2)),
    "broadcast_in_dim": lambda: jnp.broadcast_to(X[:, None, :], (2, 4, 3)),
    "transpose": lambda: jnp.transpose(X.reshape(1, 2, 3), (2, 0, 1)),
    "squeeze": lambda: jnp.squeeze(X[None, :, None], (0, 2)),
    "expand_dims": lambda: jnp.expand_dims(X, (0, 2)),
    "rev": lambda: lax.rev(X, (1,)),
    "slice": lambda: lax.slice(X, (0, 1), (2, 3), (1, 1)) + lax.slice(X, (0, 0), (2, 3), (1, 2)),
    "concatenate": lambda: jnp.concatenate([X, P], axis=1),
    "stack": lambda: jnp.stack([X, P], axis=1),
    "iota": lambda: lax.broadcasted_iota(jnp.float32, (3, 4), 1),
    "dynamic_slice": lambda: lax.dynamic_slice(X, (1, 5), (1, 2)),
    "dynamic_update_slice": lambda: lax.dynamic_update_slice(X, P[:, :1], (0, 9)),
    "reduce_sum": lambda: X.sum() + jnp.sum(X, 0),
    "reduce_max": lambda: jnp.max(X, 1),
    "reduce_min": lambda: jnp.min(X, (0, 1)),
    "reduce_prod": lambda: jnp.prod(X, 0),
    "reduce_and": lambda: jnp.all(B, 0),
    "reduce_or": lambda: jnp.any(B, 1),
    "argmax": lambda: jnp.argmax(X, 1),
    "argmin": lambda: jnp.argmin(X, 0),
    "cumsum": lambda: lax.cumsum(X, 1) + lax.cumsum(X, 1, reverse=True),
    "cumprod": lambda: lax.cumprod(X, 1),
    "cummax": lambda: lax.cummax(X, 1, reverse=True),
    "cummin": lambda: lax.cummin(X, 0),
    "dot_general": lambda: jnp.einsum("bij,bkj->bik", X.reshape(1, 2, 3), P.reshape(1, 2, 3)) + X @ P.T,
}

NOT_MADE_BY_JAX_NOW = {"expand_dims"}
"""Rules for the jaxprs of other versions of JAX: this version uses other primitives."""


def primitives(jaxpr: Any) -> set[str]:
    inner = (primitives(sub) for eqn in jaxpr.eqns for sub in jax.extend.core.jaxprs_in_params(eqn.params))
    return {eqn.primitive.name for eqn in jaxpr.eqns}.union(*inner)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_gives_what_jax_gives_in_float64(name: str) -> None:
    # The inputs are arguments of the trace, because JAX evaluates operations on constants at once.
    inputs = (X, P, N, B)

    def program(*arrays: Any) -> Any:
        names = dict(zip(("X", "P", "N", "B"), arrays, strict=True))
        return eval_with(PROGRAMS[name], names)

    traced = jax.make_jaxpr(program)(*inputs)
    assert name in primitives(traced.jaxpr) | NOT_MADE_BY_JAX_NOW
    widened = [array.astype(np.float64) if array.dtype == np.float32 else array for array in inputs]
    with jax.enable_x64(True):
        due = np.asarray(program(*(jnp.asarray(array) for array in widened)))
    (output,) = evaluated(traced, Exact(), widened)
    assert output.shape == due.shape
    np.testing.assert_allclose(output, due, rtol=1e-12, atol=1e-12)


def eval_with(program: Callable[[], Any], names: dict[str, Any]) -> Any:
    """Call a program with other global inputs."""
    return types.FunctionType(program.__code__, {**program.__globals__, **names})()


WHOLE, ZERO, EMPTY = np.array([7, -7, 5, 0], np.int32), np.array([0, 0, 2, 0], np.int32), np.zeros((3, 0), np.float32)
EDGES: dict[str, tuple[Callable[..., Any], *tuple[np.ndarray, ...]]] = {
    "rem by zero": (lax.rem, WHOLE, ZERO),
    "reduce_and of integers": (lambda x: lax.reduce_and(x, (0,)), WHOLE[:1] | 6),
    "reduce_or of integers": (lambda x: lax.reduce_or(x, (0,)), WHOLE),
    "reduce_max of nothing": (jax.nn.softmax, EMPTY),
    "reduce_min of nothing": (lambda x: jnp.min(x, 1, initial=2.0), EMPTY),
    "dot into wider integers": (
        lambda x: lax.dot(x, x, preferred_element_type=jnp.int32),
        np.array([100, 100], np.int8),
    ),
    "dot into wider floats": (
        lambda x: lax.dot(x, x, preferred_element_type=jnp.float32),
        np.array([1, 2, 257], np.float16),
    ),
}


@pytest.mark.parametrize("name", EDGES)
def test_a_rule_gives_what_jax_gives_at_the_edges(name: str) -> None:
    program, *inputs = EDGES[name]
    widened = [one.astype(promoted(one.dtype)) for one in inputs]
    with jax.enable_x64(True):
        due = np.asarray(program(*(jnp.asarray(one) for one in widened)))
    (got,) = evaluated(jax.make_jaxpr(program)(*inputs), Exact(), widened)
    assert got.shape == due.shape
    np.testing.assert_allclose(got, due, rtol=1e-12, atol=0)
