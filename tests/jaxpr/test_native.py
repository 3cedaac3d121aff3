"""A trusted program: control flow, what JAX itself evaluates, draws of `jax.random`, noise, refused operations, the hook."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random
from jax.extend import core

from grader.jaxpr import native
from grader.jaxpr.encode import Encoder
from grader.jaxpr.lower import NUMBERS_IN_A_DRAW
from grader.program.arithmetic import Exact, Noisy, NoisyConstants
from grader.program.data import DRAWS as DRAWING
from grader.program.data import Equation, NotAProgram
from grader.program.evaluate import Evaluate
from grader.values.arrays import UNIT_ROUNDOFF
from tests.jaxpr.evaluating import evaluated

Program = Callable[..., Any]
X = np.array([-1.5, 0.25, 2, 3], np.float32)
CONSTANT = np.arange(4, dtype=np.float32)
ROUNDED_CONSTANT = 1e-7  # JAX itself rounds constants such as sqrt(2/pi) to float32


def exact(program: Program, *inputs: Any) -> list[np.ndarray]:
    return evaluated(jax.make_jaxpr(program)(*inputs), Exact(), [np.asarray(one, np.float64) for one in inputs])


def in_float64(program: Program, *inputs: Any) -> list[np.ndarray]:
    with jax.enable_x64(True):
        outputs = program(*(jnp.asarray(one, jnp.float64) for one in inputs))
        return [np.asarray(one) for one in jax.tree.leaves(outputs)]


def assert_as_in_float64(program: Program, *inputs: Any, rtol: float = 1e-12) -> None:
    pairs = zip(exact(program, *inputs), in_float64(program, *inputs), strict=True)
    for got, due in pairs:
        assert got.shape == due.shape
        np.testing.assert_allclose(got, due, rtol=rtol, atol=rtol)


def noisy(program: Program, *inputs: Any, seed: int = 0) -> list[np.ndarray]:
    return evaluated(jax.make_jaxpr(program)(*inputs), Noisy(seed), [np.asarray(one, np.float64) for one in inputs])


@jax.custom_vjp
def clipped_backwards(x: Any) -> Any:
    return jnp.sin(x)


clipped_backwards.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (jnp.clip(g, -0.5, 0.5) * x,))


def running(x: Any, **options: Any) -> Any:
    return lax.scan(lambda carry, one: (carry * 0.5 + one, carry - one), jnp.float32(1).astype(x.dtype), x, **options)


def collatz(x: Any) -> Any:
    return lax.while_loop(lambda state: state[0] < 5, lambda state: (state[0] + 1, state[1] * x / 3), (0, x))


CALLS: dict[str, Program] = {
    "solve": lambda x: jnp.linalg.solve(jnp.diag(x) + jnp.tri(len(x)), x / 3),
    "solve for a matrix, transposed": lambda x: jnp.linalg.solve((jnp.diag(x) + jnp.tri(len(x))).T, jnp.outer(x, x)),
    "inv": lambda x: jnp.linalg.inv(jnp.diag(x) + jnp.tri(len(x))),
    "gradient of a solve": lambda x: jax.grad(lambda y: jnp.linalg.solve(jnp.diag(y) + jnp.tri(len(y)), y**2).sum())(x),
    "conjugate gradients": lambda x: jax.scipy.sparse.linalg.cg(lambda y: 3 * y + x * (x @ y), x, maxiter=3)[0],
    "the root of a function": lambda x: jax.lax.custom_root(
        lambda y: y**3 + y - x,
        x,
        lambda f, y: jax.lax.fori_loop(0, 9, lambda _, z: z - f(z) / (3 * z**2 + 1), y),
        lambda g, y: y / g(jnp.ones_like(y)),
    ),
    "jit": jax.jit(lambda x: jnp.exp(x) / 3),
    "jit in jit": jax.jit(lambda x: jax.jit(jnp.sin)(x) + jax.jit(jnp.sin)(x / 3)),
    "softmax": jax.nn.softmax,
    "relu": jax.nn.relu,
    "custom_vjp": clipped_backwards,
    "custom_vjp, backwards": lambda x: jax.vmap(jax.grad(clipped_backwards))(x),
    "checkpoint": jax.grad(jax.checkpoint(lambda x: jnp.sum(jnp.sin(jnp.sin(x))))),
    "scan": running,
    "scan in reverse": partial(running, reverse=True),
    "scan of nothing": lambda x: running(x[:0]),
    "scan of rows": lambda x: lax.scan(lambda c, row: (c + row, c @ row), x, x[:, None] * x)[1],
    "scan without inputs": lambda x: lax.scan(lambda c, _: (c / 3, c), x, None, length=3),
    "grad through scan": jax.grad(lambda x: jnp.sum(running(x)[1] ** 2)),
    "map": lambda x: lax.map(lambda one: jnp.sin(one) / 3, x),
    "while": collatz,
    "while that never runs": lambda x: lax.while_loop(lambda s: s[0] > 9, lambda s: (s[0] / 3,), (x[0],)),
    "fori_loop": lambda x: lax.fori_loop(0, 3, lambda i, total: total / 3 + i, x),
    "fori_loop to a traced bound": lambda x: lax.fori_loop(0, x[2].astype(int), lambda i, total: total / 3 + i, x),
    "cond": lambda x: [lax.cond(x[i] > 0, jnp.sin, jnp.cos, x) for i in (0, 1)],
    "switch": lambda x: [lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x) for i in (-7, 0, 2, 7)],
    "switch on a traced index": lambda x: lax.switch(x[2].astype(int), [jnp.sin, jnp.cos, jnp.tan], x),
    "vmap of cond": jax.vmap(lambda one: lax.cond(one > 0, jnp.sin, jnp.cos, one)),
    "associative_scan": lambda x: lax.associative_scan(jnp.multiply, x),
    "a closed-over constant": lambda x: jnp.asarray(CONSTANT) * x / 3,
    "an output that is a literal": lambda x: (x, 0.5),
}

FALLBACK: dict[str, Program] = {
    "erf": jax.scipy.special.erf,
    "cumlogsumexp": lambda x: lax.cumlogsumexp(x),
    "gather": lambda x: x[jnp.array([2, 0, 2])],
    "scatter": lambda x: x.at[jnp.array([1, 3])].set(x[:2] / 3),
    "scatter-add": lambda x: x.at[jnp.array([0, 0])].add(x[:2] / 3),
    "segment_sum": lambda x: jax.ops.segment_sum(x / 3, jnp.array([0, 1, 0, 1]), 2),
    "segment_max": lambda x: jax.ops.segment_max(x / 3, jnp.array([0, 1, 0, 1]), 2),
    "grad of an embedding": jax.grad(lambda x: jnp.sum(x[jnp.array([2, 0, 2])] ** 3)),
    "grad of sort": jax.grad(lambda x: jnp.sum(jnp.sort(x) * x)),
    "sort": jnp.sort,
    "argsort": jnp.argsort,
    "top_k": lambda x: lax.top_k(x, 2),
    "convolve": lambda x: jnp.convolve(x / 3, x[:2]),
    "conv": lambda x: lax.conv_general_dilated(x[None, None] / 3, x[None, None, :2], (1,), "SAME"),
    "max pooling": lambda x: lax.reduce_window(x / 3, -np.inf, lax.max, (2,), (1,), "VALID"),
    "pad": lambda x: jnp.pad(x / 3, 2),
    "fft": lambda x: jnp.abs(jnp.fft.rfft(x)),
    "complex": lambda x: jnp.abs(jnp.exp(1j * x)),
    "cholesky": lambda x: jnp.linalg.cholesky(x[:, None] * x + 4 * jnp.eye(4)),
    "qr": lambda x: jnp.abs(jnp.linalg.qr(x[:, None] * x + 4 * jnp.eye(4))[1]),
    "eigh": lambda x: jnp.linalg.eigh(x[:, None] * x + jnp.diag(x))[0],
}

RIGHT_OR_REFUSED: dict[str, tuple[str, Program]] = {
    "signbit": ("bitcast_convert_type", lambda x: jnp.signbit(x)),
    "copysign": ("bitcast_convert_type", lambda x: jnp.copysign(x, -1)),
    "frexp": ("bitcast_convert_type", lambda x: jnp.frexp(x)[0]),
    "reduce": ("reduce", lambda x: lax.reduce(x, jnp.ones((), x.dtype), lambda a, b: a * b + 0, (0,))),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("name", CALLS)
def test_calls_and_control_flow_are_evaluated_in_float64(name: str) -> None:
    assert_as_in_float64(CALLS[name], X)


@pytest.mark.parametrize("approximate", [True, False])
def test_gelu_is_evaluated_up_to_the_constants_that_jax_rounds(approximate: bool) -> None:
    assert_as_in_float64(partial(jax.nn.gelu, approximate=approximate), X, rtol=ROUNDED_CONSTANT)


@pytest.mark.few(4)
@pytest.mark.parametrize("name", FALLBACK)
def test_operations_without_a_rule_are_evaluated_by_jax_in_float64(name: str) -> None:
    assert_as_in_float64(FALLBACK[name], X)


@pytest.mark.parametrize("name", RIGHT_OR_REFUSED)
def test_an_operation_that_is_hard_to_promote_is_right_or_refused_by_name(name: str) -> None:
    operation, program = RIGHT_OR_REFUSED[name]
    try:
        outputs = exact(program, X)
    except NotAProgram as error:
        assert any(one in str(error) for one in operation.split("|"))  # noqa: PT017
        return
    for got, due in zip(outputs, in_float64(program, X), strict=True):
        assert got.shape == due.shape
        np.testing.assert_allclose(got, due, rtol=1e-6, atol=1e-9)


DRAWS: dict[str, Callable[[jax.Array], Any]] = {
    "normal": lambda key: random.normal(key, (50,)),
    "normal, complex": lambda key: random.normal(key, (5,), jnp.complex64),
    "uniform": lambda key: random.uniform(key, (50,), minval=-1, maxval=0.3),
    "randint": lambda key: random.randint(key, (50,), 0, 7),
    "bernoulli": lambda key: random.bernoulli(key, 0.3, (50,)),
    "permutation": lambda key: random.permutation(key, 20),
    "permutation of an array": lambda key: random.permutation(key, jnp.arange(12.0).reshape(6, 2)),
    "categorical": lambda key: random.categorical(key, jnp.log(jnp.array([0.1, 0.2, 0.7])), shape=(500,)),
    "truncated_normal": lambda key: random.truncated_normal(key, -2, 2, (50,)),
    "gumbel": lambda key: random.gumbel(key, (50,)),
    "gamma": lambda key: random.gamma(key, 2.0, (5,)),
    "rademacher": lambda key: random.rademacher(key, (50,)),
    "bits": lambda key: random.bits(key, (5,)),
    "choice": lambda key: random.choice(key, 20, (50,)),
    "choice by weight": lambda key: random.choice(key, 4, (500,), p=jnp.array([0.1, 0.2, 0.3, 0.4])),
    "choice without replacement": lambda key: random.choice(key, 20, (8,), replace=False),
    "a split key": lambda key: random.normal(random.split(key)[1], (3,)),
    "a folded key": lambda key: random.normal(random.fold_in(key, 3), (3,)),
    "a key for each row": lambda key: jax.vmap(lambda one: random.normal(one, (3,)))(random.split(key, 4)),
    "a key carried by scan": lambda key: lax.scan(
        lambda one, _: (random.split(one)[0], random.normal(one, (2,))), key, None, length=3
    )[1],
    "keys scanned over": lambda key: lax.scan(
        lambda total, one: (total, random.normal(one, (2,))), 0, random.split(key, 3)
    )[1],
    "keys made by scan": lambda key: jax.vmap(lambda one: random.normal(one, (2,)))(
        lax.scan(lambda one, _: tuple(random.split(one)), key, None, length=3)[1]
    ),
    "a key chosen by cond": lambda key: random.normal(
        lax.cond(random.bits(key) > 9, lambda one: one, lambda one: random.fold_in(one, 1), key), (3,)
    ),
}


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "make"),
    [(name, random.key) for name in DRAWS] + [(name, random.PRNGKey) for name in ("normal", "choice", "a split key")],
)
def test_draws_are_those_of_float32_but_for_the_last_bit(name: str, make: Callable[[int], jax.Array]) -> None:
    def program() -> Any:
        return DRAWS[name](make(7))

    due = np.asarray(program())
    closed = jax.make_jaxpr(program)()
    (exact,) = evaluated(closed, Exact())
    (noisy,) = evaluated(closed, Noisy(0))
    if due.dtype.kind not in "fc":
        assert np.array_equal(exact, due)
        assert np.array_equal(noisy, due)
        return
    # A compiler may fuse a multiplication and an addition; each of these samplers ends in a few such steps.
    assert np.allclose(exact, due, rtol=16 * UNIT_ROUNDOFF, atol=16 * UNIT_ROUNDOFF)
    assert np.allclose(noisy, exact, rtol=16 * UNIT_ROUNDOFF, atol=16 * UNIT_ROUNDOFF)


def test_a_vectorised_loop_goes_on_only_in_the_rows_whose_condition_holds() -> None:
    def halve(x: Any) -> Any:
        return jax.lax.while_loop(lambda c: c[0] > 1, lambda c: (c[0] / 2, c[1] + 1), (x, 0.0))[1]

    starts = np.array([1.0, 9.0, 3.0], np.float32)
    (rounds,) = evaluated(jax.make_jaxpr(jax.vmap(halve))(starts), Exact(), [starts.astype(np.float64)])
    assert rounds.tolist() == [0.0, 4.0, 2.0]


def test_bfloat16_is_divided_as_jax_does() -> None:
    program = jax.make_jaxpr(lambda x: (x.astype(jnp.bfloat16) / 3).astype(jnp.float32))(np.float32([1, 2]))
    (thirds,) = evaluated(program, Exact(), [np.array([1.0, 2.0])])
    np.testing.assert_allclose(thirds, [1 / 3, 2 / 3], rtol=2**-8)


def test_a_decimal_in_the_program_has_the_precision_of_float64() -> None:
    assert_as_in_float64(lambda x: x * 0.1 + 1e-5, X)


CANCEL = np.array([1e6, 1, -1e6], np.float32)
SUMS: dict[str, tuple[Program, float]] = {
    "sum": (lambda x: jnp.sum(x), 2e6),
    "cumsum": (lambda x: jnp.cumsum(x)[-1], 2e6),
    "cumsum in reverse": (lambda x: lax.cumsum(x, reverse=True)[0], 2e6),
    "dot": (lambda x: jnp.dot(x, jnp.ones_like(x)), 2e6),
    "matmul": (lambda x: (x[None] @ jnp.ones((3, 1), x.dtype))[0, 0], 2e6),
    "einsum": (lambda x: jnp.einsum("i,i->", x, jnp.ones_like(x)), 2e6),
    "convolve": (lambda x: jnp.convolve(x, jnp.ones_like(x), mode="valid")[0], 2e6),
    "sum pooling": (lambda x: lax.reduce_window(x, 0.0, lax.add, (3,), (1,), "VALID")[0], 2e6),
    "scatter-add": (lambda x: jnp.zeros(1).at[jnp.array([0, 0, 0])].add(x)[0], 2e6),
    "segment_sum": (lambda x: jax.ops.segment_sum(x, jnp.array([0, 0, 0]), 1)[0], 2e6),
}


@pytest.mark.parametrize("name", SUMS)
def test_the_noise_of_a_cancelling_sum_is_as_large_as_its_terms(name: str) -> None:
    program, terms = SUMS[name]
    (exactly,) = exact(program, CANCEL)
    assert exactly == 1
    largest = max(abs(float(noisy(program, CANCEL, seed=seed)[0]) - 1) for seed in range(32))
    assert 0.2 * UNIT_ROUNDOFF * terms < largest < 4 * UNIT_ROUNDOFF * terms


ROUNDS_NOTHING: dict[str, Program] = {
    "moves": lambda x: jnp.transpose(x.reshape(2, 2))[::-1, 1:],
    "gather": lambda x: x[jnp.array([2, 0, 2])],
    "scatter": lambda x: x.at[1].set(9.0),
    "choices": lambda x: jnp.where(x > 0, x, -x),
    "max and min": lambda x: (jnp.max(x), jnp.minimum(x, 1.0), jnp.clip(x, 0, 1)),
    "sort and top_k": lambda x: (jnp.sort(x), lax.top_k(x, 2)),
    "pad and concatenate": lambda x: jnp.pad(jnp.concatenate([x, x]), 1),
    "rounding to whole numbers": lambda x: (jnp.floor(x), jnp.ceil(x), jnp.round(x)),
    "integers": lambda x: (jnp.argmax(x), jnp.cumsum(jnp.arange(5)), jnp.arange(4) @ jnp.arange(4), x.astype(int) // 2),
    "booleans": lambda x: (x > 0, jnp.all(x > 0), jnp.isnan(x) | (x == 2)),
    "whole literals": lambda x: jnp.maximum(x, 2.0),
}


@pytest.mark.parametrize("name", ROUNDS_NOTHING)
def test_operations_that_round_nothing_get_no_noise(name: str) -> None:
    program = ROUNDS_NOTHING[name]
    for got, due in zip(noisy(program, X), exact(program, X), strict=True):
        assert got.dtype == due.dtype
        assert np.array_equal(got, due)


@pytest.mark.parametrize("operation", [jnp.sin, jnp.exp, lambda x: x + x, lambda x: x / 3, jnp.fft.fft, jnp.tanh])
def test_the_noise_of_one_operation_is_at_most_the_unit_roundoff(operation: Program) -> None:
    (due,), samples = exact(operation, X), [noisy(operation, X, seed=seed)[0] for seed in range(16)]
    relative = np.max([np.abs(sample - due) for sample in samples], axis=0)[due != 0] / np.abs(due[due != 0])
    assert np.all(relative <= UNIT_ROUNDOFF * (1 + 1e-9))
    assert np.all(relative > 0.3 * UNIT_ROUNDOFF)


TENTHS = np.float32([0.7, 0.1])


def in_rounds(x: Any) -> Any:
    return lax.fori_loop(0, 3, lambda _, c: c + x * 0.1, jnp.zeros(()))


def with_a_table(x: Any) -> Any:
    return lax.fori_loop(0, 3, lambda _, c: c + x * jnp.asarray(TENTHS)[1], jnp.zeros(()))


@pytest.mark.parametrize("program", [in_rounds, with_a_table])
def test_a_constant_has_one_rounding_error_in_all_rounds(program: Program) -> None:
    random = np.random.default_rng(3)

    class OfConstants(NoisyConstants):
        def literal(self, value: Any, unit: float = UNIT_ROUNDOFF) -> Any:
            return value + random.uniform() if value == 0.1 else value

        def constant(self, value: Any) -> Any:
            return value + random.uniform()

    gradient = jax.make_jaxpr(program)(np.float32(1))
    (one,) = evaluated(gradient, OfConstants(3), [np.float64(1.0)])
    error = (one / 3 - 0.1) % 1.0
    expected = np.random.default_rng(3).uniform()
    assert error == pytest.approx(expected)


def test_a_literal_that_float32_cannot_hold_gets_noise() -> None:
    samples = {float(noisy(lambda x: jnp.maximum(x, 0.1), np.float32(0), seed=seed)[0]) for seed in range(4)}
    assert len(samples) == 4
    assert all(abs(sample - 0.1) <= 0.1 * UNIT_ROUNDOFF * (1 + 1e-9) for sample in samples)


def test_a_seed_gives_the_same_noise_again_and_another_seed_gives_other_noise() -> None:
    first, again, other = (noisy(jax.nn.softmax, X, seed=seed)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_noise_of_an_initialiser_is_that_of_one_draw() -> None:
    """This holds for one normal draw, and for a uniform draw with `erf_inv`, which magnifies the last bit."""

    @jax.jit
    def program() -> Any:
        return jax.nn.initializers.variance_scaling(1.0, "fan_in", "normal", out_axis=0)(random.key(1), (4096, 1))

    closed = jax.make_jaxpr(program)()
    (exactly,) = evaluated(closed, Exact())
    assert np.abs(exactly).max() > 3, "some of these lie where `erf_inv` is steep"
    for seed in range(8):
        (roughly,) = evaluated(closed, Noisy(seed))
        assert np.all(np.abs(roughly - exactly) <= 4 * UNIT_ROUNDOFF * np.abs(exactly))
    np.testing.assert_allclose(exactly, np.asarray(program()), rtol=4 * UNIT_ROUNDOFF)


def float32_only() -> core.Primitive:
    """An operation that does not take float64."""
    primitive = core.Primitive("only_in_float32")

    def same(x: Any) -> Any:
        if x.dtype != np.float32:
            raise TypeError(f"only_in_float32 takes float32, not {x.dtype}")
        return x

    primitive.def_abstract_eval(same)
    primitive.def_impl(same)
    return primitive


@pytest.mark.parametrize("within", [lambda f: f, jax.jit, lambda f: lambda x: lax.map(f, x)])
def test_an_operation_that_cannot_be_promoted_is_refused_by_name(within: Callable[[Program], Program]) -> None:
    primitive = float32_only()
    closed = jax.make_jaxpr(within(lambda x: primitive.bind(x)))(X)
    with pytest.raises(NotAProgram, match=r"'only_in_float32'.*float64.*takes float32"):
        evaluated(closed, Exact(), [X.astype(np.float64)])


def seen(program: Program, *inputs: Any) -> list[str]:
    """The names of the equations that the hook was called for."""
    names: list[str] = []

    def hook(equation: Equation, values: list[Any], evaluate: Evaluate) -> list[Any]:
        names.append(equation.operation)
        return evaluate(equation, values)

    closed = jax.make_jaxpr(program)(*inputs)
    with_hook = evaluated(closed, Exact(), inputs, hook)
    assert all(map(np.array_equal, with_hook, evaluated(closed, Exact(), inputs)))
    return names


HOOKED: dict[str, tuple[Program, list[str]]] = {
    "a plain operation": (jnp.sin, ["sin"]),
    "a call": (jax.jit(jnp.sin), ["sin"]),
    "a scan": (lambda x: lax.map(lax.sin, x[:2]), ["slice", "scan", "sin", "sin"]),
    "a while loop": (
        lambda x: lax.while_loop(lambda s: s < 1, lambda s: s + 1, 0),
        ["while", "lt", "add", "lt"],
    ),
    "one branch": (lambda x: lax.switch(1, [jnp.sin, jnp.cos], x), ["cos"]),
}


@pytest.mark.parametrize("title", HOOKED)
def test_the_hook_is_called_for_every_equation_at_any_depth(title: str) -> None:
    program, due = HOOKED[title]
    assert [name for name in seen(program, X.astype(np.float64)) if name not in ("cond", "clamp")] == due


def test_the_hook_sees_both_halves_of_a_normal_draw() -> None:
    halves = seen(lambda: lax.erf_inv(random.uniform(random.key(0), (3,), minval=-0.9)))
    assert halves[-2:] == ["begin_normal", "end_normal"]


def test_the_hook_may_give_other_outputs() -> None:
    def hook(equation: Equation, inputs: list[Any], evaluate: Evaluate) -> list[Any]:
        outputs = evaluate(equation, inputs)
        return [-output for output in outputs] if equation.operation == "sin" else outputs

    closed = jax.make_jaxpr(jax.jit(lambda x: jnp.sin(x) + 1))(X)
    (output,) = evaluated(closed, Exact(), [X.astype(np.float64)], hook)
    assert np.array_equal(output, 1 - np.sin(X.astype(np.float64)))


def test_what_a_hook_gives_has_the_form_of_the_output() -> None:
    closed = jax.make_jaxpr(lambda x: x[:2] + 1)(X)
    with pytest.raises(NotAProgram, match="shape"):
        evaluated(closed, Exact(), [X.astype(np.float64)], lambda equation, inputs, evaluate: [inputs[0]])


SAMPLERS: dict[str, Callable[..., Any]] = {
    "normal": random.normal,
    "uniform": partial(random.uniform, minval=-0.25, maxval=3.0),
    "truncated_normal": partial(random.truncated_normal, lower=-2, upper=1.5),
    "randint": partial(random.randint, minval=-3, maxval=12),
    "bernoulli": partial(random.bernoulli, p=0.3),
}


def drawing(sample: Callable[[jax.Array], Any]) -> tuple[Equation, list[np.ndarray]]:
    """The equation that draws, and the values of what it reads besides the key."""
    program = Encoder("", trusted=True).program(jax.make_jaxpr(sample)(random.key(0)))
    (found,) = (one for one in program.block.equations if one.operation in DRAWING)
    return found, [np.asarray(atom.value) for atom in found.inputs[1:] if not isinstance(atom, int)]


def word(key: jax.Array) -> np.ndarray:
    return native._held(key)


@pytest.mark.few(1)
@pytest.mark.parametrize("shape", [(), (3, 4), (64, 64), (65, 64), (0, 3)])
@pytest.mark.parametrize("name", SAMPLERS)
def test_a_draw_is_jaxs_own_whatever_its_shape(name: str, shape: tuple[int, ...]) -> None:
    sample = partial(SAMPLERS[name], shape=shape)
    equation, bounds = drawing(sample)
    for key in random.split(random.key(11)):
        (drawn,) = native.draw(equation, [word(key), *bounds])
        assert drawn.shape == shape
        np.testing.assert_allclose(drawn, np.asarray(sample(key)), rtol=1e-6, atol=1e-6)


def test_keys_of_another_generator_are_refused_by_name() -> None:
    closed = jax.make_jaxpr(lambda: random.normal(random.key(3, impl="rbg"), (5,)))()
    with pytest.raises(NotAProgram, match="its keys are not those of JAX's default generator"):
        evaluated(closed, Exact())


def test_a_draw_from_a_key_is_made_once() -> None:
    (equation, _), (first, second) = drawing(partial(random.normal, shape=(3,))), random.split(random.key(0))
    assert native.draw(equation, [word(first)])[0] is native.draw(equation, [word(first)])[0]
    assert not np.array_equal(native.draw(equation, [word(first)])[0], native.draw(equation, [word(second)])[0])


def test_what_is_remembered_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[Any, Any] = {}
    monkeypatch.setattr(native, "_MADE", made)
    monkeypatch.setattr(native, "MOST_RESULTS_KEPT", 2)
    equation, _ = drawing(partial(random.normal, shape=(3,)))
    for key in random.split(random.key(0), 5):
        assert np.allclose(native.draw(equation, [word(key)])[0], random.normal(key, (3,)), rtol=1e-6)
        assert len(made) <= 2


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 5), (NUMBERS_IN_A_DRAW + 1,)])
def test_the_second_half_of_a_normal_draw_is_jaxs_own(shape: tuple[int, ...]) -> None:
    x = np.linspace(-0.9, 0.9, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    output = native.end_normal(x)
    assert output.shape == shape
    np.testing.assert_allclose(output, np.asarray(lax.erf_inv(x)), rtol=1e-6)


PLACES = np.array([[1], [1]], np.int32)
DIMENSIONS = lax.ScatterDimensionNumbers((), (0,), (0,))
BOUND: dict[str, tuple[Callable[..., Any], *tuple[np.ndarray, ...]]] = {
    "igamma": (lax.igamma, np.abs(X), np.abs(X)),
    "a dtype among the parameters": (
        lambda x: lax.conv_general_dilated(
            x[None, None], x[None, None, :2], (1,), "SAME", preferred_element_type=x.dtype
        ),
        X,
    ),
    "several outputs": (lambda x: jnp.linalg.eigh(x[:, None] * x), X),
}


@pytest.mark.parametrize("name", BOUND)
def test_an_operation_without_a_rule_is_evaluated_by_jax_in_float64(name: str) -> None:
    program, *inputs = BOUND[name]
    wide = [one.astype(np.float64) for one in inputs]
    got = evaluated(jax.make_jaxpr(program)(*inputs), Exact(), wide)
    with jax.enable_x64(True):
        due = jax.tree.leaves(program(*(jnp.asarray(one) for one in wide)))
    assert all(
        np.allclose(np.abs(one), np.abs(np.asarray(other, np.float64)), rtol=1e-12)
        for one, other in zip(got, due, strict=True)
    )
