"""Every NumPy rule gives JAX's own float64 result. The tests run over the table itself: a rule without a case fails."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.program import devices
from grader.program.arithmetic import Exact
from grader.program.data import promoted
from grader.program.operations import RULES
from tests.jaxpr.evaluating import evaluated
from tests.program import test_indexing
from tests.program.sent import Case, compare, operations, programs

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
    "reshard": lambda: jax.reshard(X, jax.NamedSharding(jax.make_mesh((1,), ("i",)), jax.P())),
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

NOT_MADE_BY_EVERY_JAX = {"expand_dims", "one_minus_square"}
"""Rules for the jaxprs of some versions of JAX: others use other primitives."""


def primitives(jaxpr: Any) -> set[str]:
    inner = (primitives(sub) for eqn in jaxpr.eqns for sub in jax.extend.core.jaxprs_in_params(eqn.params))
    return {eqn.primitive.name for eqn in jaxpr.eqns}.union(*inner)


@pytest.mark.few(8)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_rule_gives_what_jax_gives_in_float64(name: str) -> None:
    # The inputs are arguments of the trace, because JAX evaluates operations on constants at once.
    inputs = (X, P, N, B)

    def program(*arrays: Any) -> Any:
        names = dict(zip(("X", "P", "N", "B"), arrays, strict=True))
        return eval_with(PROGRAMS[name], names)

    traced = jax.make_jaxpr(program)(*inputs)
    assert name in primitives(traced.jaxpr) | NOT_MADE_BY_EVERY_JAX
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
    "select_n beyond its cases": (lambda n: lax.select_n(n, n, n + 1, n + 2), WHOLE),
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


ENDS = np.array([0, 1, -1, 2, -3, 31, 33, 46341, 2**31 - 1, -(2**31)], np.int32)
OF_PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(lax, name) for name in ("add", "sub", "mul", "div", "rem", "shift_left", "shift_right_logical")},
    **{name: getattr(jnp, name) for name in ("power", "floor_divide", "mod", "right_shift")},
}


@pytest.mark.few(13)
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int8])
@pytest.mark.parametrize("name", OF_PAIRS)
def test_a_rule_gives_the_whole_numbers_of_jax_for_all_pairs_of_extreme_ones(name: str, dtype: Any) -> None:
    numbers = ENDS.astype(dtype)
    left, right = (side.ravel() for side in np.meshgrid(numbers, numbers))
    (got,) = evaluated(jax.make_jaxpr(OF_PAIRS[name])(left, right), Exact(), [left, right])
    np.testing.assert_array_equal(got, jax.jit(OF_PAIRS[name])(left, right))


@pytest.mark.parametrize("new", ["int8", "int16", "int32", "uint8", "uint16", "uint32"])
@pytest.mark.parametrize("held", [np.float32, np.float64])
def test_a_number_out_of_range_becomes_the_nearest_whole_number_as_in_jax(new: str, held: Any) -> None:
    ends = np.array([1.5, -1.5, 127.9, 128, -129, 256, 65536, 2**31, -(2**31), 2**32, 1e20, -1e20, np.inf, -np.inf])
    numbers = np.append(ends, np.nan).astype(np.float32)
    due = jax.jit(lambda x: lax.convert_element_type(x, new))(numbers)
    np.testing.assert_array_equal(RULES["convert_element_type"](numbers.astype(held), new_dtype=np.dtype(new)), due)


SQUARE = np.array(
    [[[0.5, 2.0, -1.0], [4.0, 0.25, 1.5], [-2.0, 3.0, 0.75]], [[1.0, 0.5, 2.0], [0.5, 3.0, -1.0], [2.0, 1.0, 0.5]]],
    np.float32,
)
M = np.array([[0.5, -1.25, 2.0, 0.125], [0.25, 3.5, -0.75, 7.0], [-2.5, 1.5, 0.0625, -4.0]], np.float32)
Q = np.array([[0.5, 0.25, 0.75, 0.9375], [0.125, 0.875, 0.0625, 0.03125]], np.float32)
HOLES = np.array([[0.5, np.nan, 2.0, -np.inf], [np.nan, 3.5, -0.75, 3.5], [np.inf, 1.5, -0.0, 0.0]], np.float32)
K = np.array([[5, -7, 3, 100], [0, 12, -1, 2]], np.int32)
BITS = np.array([0, 1, 0x80000000, 0xFFFFFFFF, 0x12345678], np.uint32)
BY = np.array([0, 1, 31, 32, 33], np.uint32)


def key_words(make: Callable[[Any], Any]) -> Case:
    return (lambda: random.key_data(make(random.key(7))),)


CASES: dict[str, list[Case]] = {
    "tile": [
        (lambda x: jnp.tile(x, (2, 3)), M),
        (lambda x: jnp.tile(x, (2, 1, 1)), M),
        (lambda x: lax.tile(x, (2, 1)), M),
    ],
    "complex": [(lambda x, p: lax.complex(x[:2], p) ** 2, M, Q), (lambda x: jnp.abs(jnp.exp(1j * x)), M)],
    "lt_to": [(lambda x: jnp.searchsorted(jnp.sort(x[1]), x, method="compare_all"), HOLES)],
    "le_to": [(lambda x: jnp.searchsorted(jnp.sort(x[1]), x, side="right", method="compare_all"), HOLES)],
    "erf": [(lax.erf, M), (lax.erf, HOLES)],
    "erfc": [(lax.erfc, M * 3), (lax.erfc, HOLES)],
    "erf_inv": [(lax.erf_inv, np.array([0.0, -0.0, 1e-9, -0.5, 0.25, 0.9999, -1.0, 1.0, 1.5, np.nan], np.float32))],
    "lgamma": [(lax.lgamma, M), (lax.lgamma, np.array([1.0, 0.5, 100.0, 0.0, -1.0, -2.5, np.inf, np.nan], np.float32))],
    "one_minus_square": [(lambda x: jax.jvp(jnp.tanh, (x,), (x,))[1], M)],
    "asinh": [(lax.asinh, M)],
    "acosh": [(lambda x: lax.acosh(1 + x * x), M)],
    "atanh": [(lax.atanh, Q)],
    "nextafter": [(lambda x, p: jnp.nextafter(x[:2], p), M, Q)],
    "cumlogsumexp": [
        (lambda x: lax.cumlogsumexp(x, 1), M),
        (lambda x: lax.cumlogsumexp(x, 0, reverse=True), M),
        (lambda x: lax.cumlogsumexp(x, 0), np.array([-np.inf, -np.inf, 1.0, 2.0], np.float32)),
    ],
    "lu": [
        (lambda x: lax.linalg.lu(x)[0], SQUARE),
        (lambda x: lax.linalg.lu(x)[1], SQUARE),
        (lambda x: lax.linalg.lu(x)[2], SQUARE),
        (lambda x: lax.linalg.lu(x)[0], M),
        (lambda x: lax.linalg.lu(x.T)[2], M),
        (lambda x: lax.linalg.lu(x)[2], np.zeros((2, 2), np.float32)),
        (lambda x: jnp.linalg.solve(x, x[..., 0] + 1), SQUARE[0]),
        (lambda x: jnp.linalg.inv(x), SQUARE),
        (lambda x: jnp.linalg.inv(0.0 * x), SQUARE[0]),
        (lambda x: jnp.linalg.det(x), SQUARE),
    ],
    "triangular_solve": [
        (
            lambda x, left=left, lower=lower, transposed=transposed, ones=ones: lax.linalg.triangular_solve(
                x, x + 1.0, left_side=left, lower=lower, transpose_a=transposed, unit_diagonal=ones
            ),
            SQUARE,
        )
        for left in (True, False)
        for lower in (True, False)
        for transposed in (True, False)
        for ones in (True, False)
    ],
    "cholesky": [
        (lambda x: jnp.linalg.cholesky(x @ x.mT), SQUARE),
        (lambda x: jnp.linalg.cholesky(x + x.mT), SQUARE),
        (lambda x: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(x @ x.T), x), SQUARE[1]),
    ],
    "svd": [
        (lambda x: jnp.linalg.svd(x, compute_uv=False), SQUARE),
        (lambda x: jnp.linalg.lstsq(x, x[:, 0] + 1)[0], M.T),
        (lambda x: jnp.linalg.pinv(x), M),
    ],
    "shift_left": [(lax.shift_left, BITS, BY), (lambda n: n << 3, K), (lambda n: n << 40, K)],
    "shift_right_logical": [
        (lax.shift_right_logical, BITS, BY),
        (lambda n: lax.shift_right_logical(n, 3 + 0 * n), K),
        (lambda n: lax.shift_right_logical(n, 32 + 0 * n), K),
    ],
    "shift_right_arithmetic": [
        (lambda n: n >> 1, K),
        (lambda n: n >> 40, K),
        (lambda n: lax.shift_right_arithmetic(n, -1 + 0 * n), K),
        (lambda n: n.astype(jnp.int8) >> jnp.int8(9), K),
        (lax.shift_right_arithmetic, BITS.astype(np.int32), BY.astype(np.int32)),
        (lax.shift_right_arithmetic, BITS, BY),
    ],
    "bitcast_convert_type": [
        (lambda n: lax.bitcast_convert_type(n, jnp.uint32), K),
        (lambda n: lax.bitcast_convert_type(n, jnp.uint8), K),
        (lambda n: lax.bitcast_convert_type(n.astype(jnp.uint16).reshape(2, 2, 2), jnp.uint32), K),
        (lambda n: lax.bitcast_convert_type(n.astype(jnp.int8), jnp.uint8), K),
    ],
    "random_seed": [key_words(lambda key: random.key(jnp.int32(-5)))],
    "random_wrap": [key_words(lambda key: random.fold_in(random.wrap_key_data(jnp.array([1, 2], jnp.uint32)), 3))],
    "random_unwrap": [key_words(lambda key: key)],
    "random_split": [key_words(lambda key: random.split(key, (2, 3)))],
    "random_clone": [key_words(random.clone)],
    "random_fold_in": [key_words(lambda key: random.fold_in(key, 9))],
    "random_bits": [
        (lambda: random.bits(random.key(3), (4, 2), "uint32"),),
        (lambda: random.bits(random.key(3), (4, 2), "uint8"),),
    ],
}
"""Programs that hold an operation, each with its inputs. They are sent as those of an answer are."""


@pytest.mark.parametrize(
    "name", sorted(RULES.keys() - devices.RULES.keys())
)  # `test_shard_map.py` has those of devices
def test_every_rule_has_a_case(name: str) -> None:
    if name not in PROGRAMS:
        cases = {**test_indexing.CASES, **CASES}[name]
        made = {operation for case in cases for one in programs(case) for operation in operations(one)}
        assert name in made | NOT_MADE_BY_EVERY_JAX


@pytest.mark.few(12)
@pytest.mark.parametrize(("name", "index"), [(name, index) for name in CASES for index in range(len(CASES[name]))])
def test_an_operation_gives_what_jax_gives_in_float64(name: str, index: int) -> None:
    compare(CASES[name][index])
