"""Whole programs in NumPy give what JAX gives: loops, choices, calls, derivatives, draws; and each limit ends one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.program.arithmetic import Exact, Noisy, NoisyConstants
from grader.program.data import Block, Equation, Form, Literal, NotAProgram, Program
from grader.program.evaluate import Evaluate, Evaluation, consumes_key, draws
from grader.values.arrays import Array
from tests.jaxpr.evaluating import as_reference
from tests.program.sent import same, sent, value

X = np.array([[0.5, -1.25, 2.0], [0.25, 3.5, -0.75]], np.float32)


def x() -> Any:
    """The input, as wide as floats are now."""
    return jnp.asarray(X, float)


def scanned(reverse: bool) -> Any:
    def body(carry: Any, row: Any) -> Any:
        return carry * 0.5 + row @ row, (carry, row * X[0])

    last, (sums, rows) = lax.scan(body, jnp.asarray(1.5), x(), reverse=reverse)
    return last + sums[:, None] * rows


def of_nothing() -> Any:
    return lax.scan(lambda carry, _: (carry + 1.5, carry * 2), jnp.asarray(0.25), None, length=4)[1]


def collatz() -> Any:
    return lax.while_loop(
        lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2, 3 * s[0] + 1, s[0] // 2), s[1] + 1), (27, 0)
    )[1]


def newton() -> Any:
    limit = x().sum()
    return lax.while_loop(lambda c: jnp.abs(c * c - limit) > 1e-3, lambda c: 0.5 * (c + limit / c), jnp.asarray(3.0))


def nested_loops() -> Any:
    return lax.fori_loop(
        0, 3, lambda i, c: lax.fori_loop(i, 4, lambda j, d: d * 1.25 + x()[j % 2, i], c), jnp.asarray(1.0)
    )


@jax.custom_vjp
def doubled(y: Any) -> Any:
    return y * 2


doubled.defvjp(lambda y: (doubled(y), y), lambda y, g: (g * 3 * y,))

PROGRAMS: dict[str, Callable[[], Any]] = {
    "scan": lambda: scanned(False),
    "scan, reverse": lambda: scanned(True),
    "scan of nothing": of_nothing,
    "scan of no rounds": lambda: lax.scan(lambda c, r: (c + 1.0, r * 2), jnp.asarray(0.0), x()[:0])[1],
    "scan of integers": lambda: lax.scan(lambda c, r: (c + r, c > 2), 0, jnp.arange(4))[1],
    "associative scan": lambda: lax.associative_scan(lambda a, b: a * b + 0.5, x(), axis=1),
    "map": lambda: lax.map(lambda row: jnp.outer(row, row), x()),
    "while": collatz,
    "while with constants": newton,
    "fori": nested_loops,
    "vectorised while": lambda: jax.vmap(lambda n: lax.while_loop(lambda c: c < 9.0, lambda c: c * n + 1.0, n))(
        jnp.array([1.5, 2.0, 20.0])
    ),
    "vectorised scan": lambda: jax.vmap(lambda row: lax.cumsum(lax.scan(lambda c, e: (c * e, c + e), 1.0, row)[1]))(
        x()
    ),
    "cond": lambda: lax.cond(x()[0, 0] > 0, lambda a: a * 2, lambda a: a - 1, x()),
    "cond, the other": lambda: lax.cond(x()[0, 1] > 0, lambda a: a * 2, lambda a: a - 1, x()),
    "switch": lambda: jnp.stack([lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x()[0, 0]) for i in (-3, 1, 9)]),
    "vectorised cond": lambda: jax.vmap(lambda row: lax.cond(row[0] > 0.3, jnp.sum, jnp.max, row))(x()),
    "nested calls": lambda: jax.jit(lambda a: jax.jit(lambda b: b + X[0, 0])(a * 2) + jax.jit(lambda b: b * a)(a))(x()),
    "relu": lambda: jax.nn.relu(x()),
    "silu": lambda: jax.nn.silu(x()),
    "softmax": lambda: jax.nn.softmax(x() * 100),
    "logsumexp": lambda: jax.nn.logsumexp(x(), axis=-1),
    "derivative of relu": lambda: jax.grad(lambda a: (jax.nn.relu(a) ** 2).sum())(x()),
    "derivative of a loop": lambda: jax.grad(lambda a: (lax.fori_loop(0, 3, lambda _, c: jnp.sin(c) * a, a)).sum())(
        x()
    ),
    "derivative of one's own": lambda: jax.grad(lambda a: (doubled(a) * a).sum())(x()),
    "derivative of a remat": lambda: jax.grad(lambda a: jax.checkpoint(lambda b: jnp.sin(jnp.sin(b)).sum())(a))(x()),
    "derivative of sort": lambda: jax.grad(lambda a: (jnp.sort(a, axis=1) * jnp.arange(3)).sum())(x()),
    "jvp": lambda: jax.jvp(jnp.tanh, (x(),), (x() * 2,))[1],
    "hessian": lambda: jax.hessian(lambda a: (jnp.exp(a) * a[::-1]).sum())(x()[0]),
    "a constant alone": x,
    "a number alone": lambda: 2.5,
    "integers": lambda: jnp.arange(5) // 2 + jnp.arange(5) % -3,
    "truth": lambda: (x() > 0) & (x() < 3),
    "complex": lambda: jnp.abs(jnp.exp(1j * x()) * lax.complex(x(), x() * 2)),
    "one-hot and einsum": lambda: jnp.einsum("ij,kj->ik", x(), jax.nn.one_hot(jnp.array([2, 0]), 3, dtype=float)),
    "triangle": lambda: jnp.where(jnp.tril(jnp.ones((3, 3), bool)), x()[:1].T, -jnp.inf),
    "roll": lambda: jnp.roll(x(), 1, axis=1) + jnp.flip(x()),
    "an index beyond": lambda: x()[jnp.array([0, 5])],
    "Fortran order": lambda: lax.reshape(x(), (3, 2), dimensions=(1, 0)),
    "ravel by columns": lambda: x().ravel(order="F"),
}


@pytest.mark.few(12)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_what_jax_gives_in_float64(name: str) -> None:
    got = value(PROGRAMS[name])
    with jax.enable_x64(True):
        same(got, jax.jit(PROGRAMS[name])())


@pytest.mark.few(5)
@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16])
@pytest.mark.parametrize(
    "function",
    [
        lambda a: a,
        lambda a: a + a * a,
        lambda a: a / (a * a),
        lambda a: jnp.sum(a * 1.1, axis=1),
        lambda a: jnp.max(a, axis=0),
        lambda a: a.astype(jnp.int32),
        lambda a: jnp.where(a > 0.3, a, jnp.asarray(0.1, a.dtype)),
        lambda a: a @ a.T,
    ],
)
def test_halves_are_rounded_where_they_are_kept(dtype: Any, function: Callable[[Any], Any]) -> None:
    def program() -> Any:
        return function((jnp.asarray(X) * 1.2345).astype(dtype)).astype(jnp.float32)

    with jax.disable_jit():  # a compiler may keep more bits
        same(value(program), program(), rtol=2.0**-24)


def test_a_half_that_is_too_large_is_infinite() -> None:
    assert np.isinf(value(lambda: (jnp.asarray(X) * 1e6).astype(jnp.float16).astype(jnp.float32))).all()
    assert np.isnan(value(lambda: (jnp.asarray(X) * jnp.nan).astype(jnp.bfloat16).astype(jnp.float32))).all()


def key() -> Any:
    return random.key(5)


DRAWS: dict[str, Callable[[], Any]] = {
    "normal": lambda: random.normal(key(), (4, 3)),
    "of an old key": lambda: random.normal(random.PRNGKey(3), (4, 3)),
    "one number": lambda: random.normal(key()),
    "uniform": lambda: random.uniform(key(), (7,), minval=-1.5, maxval=2.0),
    "truncated_normal": lambda: random.truncated_normal(key(), -2.0, 2.0, (9,)),
    "randint": lambda: random.randint(key(), (9,), -3, 1000),
    "randint of 8 bits": lambda: random.randint(key(), (9,), -3, 100, jnp.int8),
    "bits": lambda: random.bits(key(), (9,)),
    "bernoulli": lambda: random.bernoulli(key(), 0.3, (20,)),
    "permutation": lambda: random.permutation(key(), 12),
    "permutation of rows": lambda: random.permutation(key(), jnp.asarray(X), axis=1),
    "permutation of independent rows": lambda: random.permutation(key(), jnp.asarray(X), axis=1, independent=True),
    "choice": lambda: random.choice(key(), 10, (4,)),
    "choice without replacement": lambda: random.choice(key(), 10, (4,), replace=False),
    "choice by weights": lambda: random.choice(key(), 3, (8,), p=jnp.array([0.2, 0.5, 0.3])),
    "categorical": lambda: random.categorical(key(), jnp.asarray(X), axis=-1, shape=(6, 2)),
    "gumbel": lambda: random.gumbel(key(), (6,)),
    "exponential": lambda: random.exponential(key(), (6,)),
    "laplace": lambda: random.laplace(key(), (6,)),
    "cauchy": lambda: random.cauchy(key(), (6,)),
    "logistic": lambda: random.logistic(key(), (6,)),
    "rademacher": lambda: random.rademacher(key(), (6,)),
    "ball": lambda: random.normal(random.split(key())[1], (3,)) + random.uniform(random.fold_in(key(), 4), (3,)),
    "of a key in a loop": lambda: lax.scan(
        lambda k, _: (random.split(k)[0], random.normal(random.split(k)[1], (3,))), key(), None, length=4
    )[1],
    "of keys in a loop": lambda: lax.map(lambda k: random.uniform(k, (2, 2)), random.split(key(), 3)),
    "of an index in a loop": lambda: lax.fori_loop(
        0, 3, lambda i, c: c + random.normal(random.fold_in(key(), i), (2,)), jnp.zeros(2)
    ),
    "vectorised normal": lambda: jax.vmap(lambda k: random.normal(k, (5,)))(random.split(key(), 3)),
    "vectorised twice": lambda: jax.vmap(jax.vmap(lambda k: random.normal(k, (5,))))(random.split(key(), (2, 3))),
    "vectorised along another axis": lambda: jax.vmap(lambda k: random.uniform(k, (5,)), out_axes=1)(
        random.split(key(), 3)
    ),
    "vectorised bernoulli": lambda: jax.vmap(lambda k: random.bernoulli(k, 0.5, (5,)))(random.split(key(), 3)),
    "vectorised permutation": lambda: jax.vmap(lambda k: random.permutation(k, 6))(random.split(key(), 3)),
    "vectorised categorical": lambda: jax.vmap(lambda k: random.categorical(k, jnp.asarray(X)[0]))(
        random.split(key(), 6)
    ),
    "an initialiser": lambda: jax.nn.initializers.glorot_normal()(key(), (4, 6)),
    "an initialiser of uniform numbers": lambda: jax.nn.initializers.he_uniform()(key(), (4, 6)),
    "an orthogonal-like scale": lambda: jax.nn.initializers.truncated_normal(0.02)(key(), (4, 6)),
    "in a call": lambda: jax.jit(lambda k: random.normal(k, (2,)) * 2)(key()),
    "in a choice": lambda: lax.cond(X[0, 0] > 0, lambda: random.normal(key(), (2,)), lambda: jnp.zeros(2)),
}


def numbers(function: Callable[[], Any]) -> Mapping[str, Array]:
    """The numbers that a reference draws."""
    return as_reference(jax.make_jaxpr(function)()).drawn[1]


@cache
def reference(name: str) -> tuple[Mapping[str, Array], Array]:
    """The numbers that a reference draws, and what it gives."""
    traced = as_reference(jax.make_jaxpr(DRAWS[name])())
    return traced.drawn[1], traced.exact


@pytest.mark.few(5)
@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_of_the_reference_is_the_same_to_the_last_bit(name: str) -> None:
    table, due = reference(name)
    same(value(DRAWS[name], draws=table), due, rtol=0, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_that_the_reference_does_not_make_is_close(name: str) -> None:
    same(value(DRAWS[name]), reference(name)[1], rtol=1e-5, atol=1e-6)


def shuffled(array: Any, axis: int) -> Any:
    return random.permutation(key(), array, axis=axis, independent=True)


def test_a_draw_of_another_key_or_sampler_does_not_take_the_numbers_of_the_reference() -> None:
    table = {name: row + 1 for name, row in numbers(DRAWS["normal"]).items()}
    assert table
    for other in (lambda: random.normal(random.key(6), (4, 3)), lambda: random.uniform(key(), (4, 3))):
        assert np.array_equal(value(other, draws=table), value(other))


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        (lambda: random.uniform(key(), (9,)), lambda: random.uniform(key(), (9,), minval=1e-6)),
        (lambda: random.truncated_normal(key(), -2, 2, (9,)), lambda: random.truncated_normal(key(), -3, 3, (9,))),
        (lambda: shuffled(x(), 0), lambda: shuffled(x() * 2, 0)),
        (lambda: shuffled(x(), 0), lambda: shuffled(x(), 1)),
    ],
)
def test_a_draw_with_other_bounds_does_not_take_the_numbers_of_the_reference(
    reference: Callable[[], Any], answer: Callable[[], Any]
) -> None:
    table = numbers(reference)
    assert table
    assert np.array_equal(value(answer, draws=table), value(answer))


def test_a_draw_along_another_axis_does_not_take_the_rows_of_the_reference() -> None:
    table = numbers(DRAWS["vectorised normal"])

    def across() -> Any:
        return jax.vmap(lambda k: random.normal(k, (5,)), out_axes=1)(random.split(key(), 3))

    same(value(across, draws=table), across(), rtol=1e-5, atol=1e-6)


def test_a_literal_has_one_error_in_all_rounds_and_wherever_it_stands() -> None:
    """Rounding is a function of the number, so errors that were independent would cancel each other out."""

    def loop() -> Any:
        return lax.scan(lambda c, row: (c, row * 1.4142135), 0.0, jnp.ones(4))[1]

    moved = value(loop, arithmetic=NoisyConstants(1))
    assert moved[0] != 1.4142135
    assert np.ptp(moved) == 0


def test_the_keys_that_draws_and_splits_consume_are_listed_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawing() -> Any:
        keys = random.split(random.key(3), 4)
        return random.normal(keys[0], (5,)) + jax.vmap(random.uniform)(random.split(random.fold_in(keys[1], 7), 5))

    evaluation = Evaluation(sent(drawing))
    evaluation.output()
    counted = [(one.draws, one.count) for one in evaluation.consumed]
    assert sorted(counted) == [(False, 4), (False, 5), *[(True, 1)] * 5, (True, 5)]
    assert len({one.key for one in evaluation.consumed}) == 8
    monkeypatch.setattr("grader.program.operations.MOST_KEYS_CONSUMED", 7)
    with pytest.raises(NotAProgram, match="too many keys"):
        Evaluation(sent(drawing)).output()


def test_the_hook_sees_each_equation_and_may_change_its_values() -> None:
    seen: list[str] = []

    def hook(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
        seen.append(equation.operation)
        outputs = evaluate(equation, inputs)
        return [one + 1 for one in outputs] if equation.operation == "sin" else outputs

    got = value(lambda: lax.map(lambda row: jnp.sin(row) * 2, x()), hook=hook)
    assert seen.count("sin") == 2
    same(got, (np.sin(X.astype(np.float64)) + 1) * 2)


def test_noise_is_that_of_sums_and_of_inexact_operations_alone() -> None:
    def moved(function: Callable[[], Any]) -> float:
        return float(np.abs(value(function, arithmetic=Noisy(3)) - value(function, arithmetic=Exact())).max())

    assert moved(lambda: jnp.where(x() > 0, -x(), 2)[::-1].T) == 0
    assert 0 < moved(lambda: jnp.sin(x())) < 2.0**-23
    assert moved(lambda: jnp.array([1e6, -1e6]).sum()) > 1e-3


@pytest.mark.parametrize("name", ["straight", "newton"])
@pytest.mark.parametrize("kind", [Noisy, NoisyConstants])
def test_a_second_evaluation_of_a_program_has_noise_of_its_own(
    name: str, kind: type[Noisy | NoisyConstants], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = sent({"straight": lambda: jnp.sin(x() * 0.123456789), "newton": newton}[name])
    first = Evaluation(program, kind(0))
    value = first.output()
    second = first.again(kind(1)).output()
    assert np.array_equal(second, Evaluation(program, kind(1)).output())
    assert np.array_equal(first.again(kind(0)).output(), value)
    monkeypatch.setattr("grader.program.operations.MOST_STEPS", 0)
    if name == "straight":  # what it takes is known
        assert np.array_equal(first.again(kind(1)).output(), second)
    else:
        with pytest.raises(NotAProgram, match="more steps"):
            first.again(kind(1)).output()


def test_a_value_of_another_form_is_no_program() -> None:
    one = Equation("sin", {}, (Literal("float32", 0.5),), (0,), (Form("float32", (1,)),), -1)
    with pytest.raises(NotAProgram, match="shape"):
        Evaluation(Program(Block((), (), (one,), (0,)), [], [])).output()


@pytest.mark.parametrize("kind", [Noisy, NoisyConstants])
def test_values_that_are_given_are_not_evaluated(kind: type[Noisy | NoisyConstants]) -> None:
    program = sent(lambda: jnp.sin(x() * 2.0) + 0.123456789 * x())
    first, made = Evaluation(program, Exact()), list[str]()
    value = first.output()
    sine = next(one for one in program.block.equations if one.operation == "sin")
    zeros = np.zeros(sine.forms[0].shape)
    evaluation = first.without({sine.outputs[0]: zeros}).again(kind(1))
    evaluation.hook = lambda equation, inputs, evaluate: made.append(equation.operation) or evaluate(equation, inputs)
    assert np.allclose(evaluation.output(), value - np.sin(2.0 * np.asarray(x())), atol=1e-6)
    assert "sin" not in made


KEYS: dict[str, tuple[Callable[[Any], Any], bool, bool]] = {
    "split": (lambda k: random.key_data(random.split(k)), True, False),
    "bits": (lambda k: random.bits(k, (3,)), True, True),
    "normal": (lambda k: random.normal(k, (3,)), True, True),
    "fold_in": (lambda k: random.key_data(random.fold_in(k, 3)), False, False),
    "key_data": (lambda k: random.key_data(k), False, False),
    "clone": (lambda k: random.key_data(random.clone(k)), False, False),
}


@pytest.mark.parametrize("name", KEYS)
def test_operations_that_consume_a_key_and_draws_are_known(name: str) -> None:
    function, consumes, draw = KEYS[name]
    equations = sent(lambda: function(random.key(0))).block.equations
    assert (any(map(consumes_key, equations)), any(map(draws, equations))) == (consumes, draw)
