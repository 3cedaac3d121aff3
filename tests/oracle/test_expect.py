"""Expected values and tolerances: how far right float32 evaluations may differ, and what a reference must return."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.kit.problem import Problem
from grader.kit.problem_error import ProblemError
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.program_comparison import FLOAT64_IN_FLOAT32_UNITS
from grader.oracle.expect import coarse, drawn, expect, expect_mistake, rough, trace, unbounded
from grader.program.arithmetic import HALVES
from grader.values.arrays import UNIT_ROUNDOFF, difference
from grader.values.outline import MOST_DRAWS, Draw
from tests.jaxpr.evaluating import as_reference
from tests.toy import forms, problem_of


def toy(program: Callable[[Any], Any]) -> Problem:
    """A problem of one case whose array is that of `program`, given a key."""

    def reference(seed: int) -> Any:
        return program(random.key(seed))

    return problem_of(reference, cases=[(0,)])


def flat(program: Callable[[Any], Any]) -> Problem:
    return toy(lambda key: program(key).reshape(-1))


def normal(key: Any, *shape: int) -> Any:
    return random.normal(key, shape)


def layer_norm(key: Any) -> Any:
    x = normal(key, 8, 256) * 3 + 2
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


def matmul_chain(key: Any) -> Any:
    product = jnp.eye(32)
    for one in random.split(key, 3):
        product = product @ normal(one, 32, 32) / 5.7
    return product


def cancelling_convolution(key: Any) -> Any:
    kernel = random.uniform(key, (32,), minval=0.5)
    return jnp.convolve(
        random.uniform(key, (256,), minval=1000, maxval=1001), jnp.concatenate([kernel, -kernel]), "valid"
    )


def cancelling_segments(key: Any) -> Any:
    x = random.uniform(key, (512,), minval=10, maxval=11)
    return jax.ops.segment_sum(jnp.concatenate([x[:256], -x[256:]]), jnp.arange(512) % 4, 4)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "softmax": lambda key: jax.nn.softmax(normal(key, 8, 500) * 4),
    "layer norm": layer_norm,
    "sines of thousands of positions": lambda key: jnp.sin(jnp.arange(4000.0)[:, None] / 10000 ** (jnp.arange(8) / 8)),
    "matmul chain": matmul_chain,
    "a long dot product": lambda key: random.uniform(key, (4, 2048)) @ random.uniform(key, (2048, 4)),
    "a long sum": lambda key: random.uniform(key, (32768,)).sum(),
    "a running product": lambda key: jnp.cumprod(1 + random.uniform(key, (4096,)) / 4096),
    "a scan": lambda key: jax.lax.scan(lambda c, x: (jnp.tanh(c + x), c), normal(key, 4), normal(key, 32, 4))[1],
    "a convolution that cancels": cancelling_convolution,
    "a segment sum that cancels": cancelling_segments,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_tolerance_covers_float32_as_written_and_compiled_and_stays_small(name: str) -> None:
    problem = flat(PROGRAMS[name])
    due = expect(trace(problem, (0,)))
    with jax.default_matmul_precision("highest"):
        as_written = np.asarray(problem.reference(0))
        compiled = np.asarray(jax.jit(lambda: problem.reference(0))())
    assert difference(as_written, due.values) <= due.tolerance
    assert difference(compiled, due.values) <= due.tolerance
    assert MOST_TOLERANCES_WITH_PROGRAM * due.tolerance < np.abs(due.values).max() / 10


def test_integers_have_no_tolerance() -> None:
    due = expect(trace(flat(lambda key: random.permutation(key, 20)), (0,)))
    assert due.values.dtype.kind == "i"
    assert due.tolerance == 0


def test_values_that_are_not_finite_leave_a_finite_tolerance() -> None:
    due = expect(trace(flat(lambda key: jnp.log(jnp.array([-1.0, 0.0, 2.0]))), (0,)))
    assert np.isnan(due.values[0])
    assert due.values[1] == -np.inf
    assert 0 < due.tolerance < 1e-5


def test_the_truth_has_the_tolerance_of_its_most_sensitive_value_and_a_mistake_has_one_for_each_value() -> None:
    traced = trace(flat(lambda key: jnp.sin(jnp.array([1.0, 1e6]) * random.uniform(key))), (0,))
    due, mistake, first_look = expect(traced), expect_mistake(traced), rough(traced)
    assert not due.by_value
    assert np.shape(mistake.tolerance) == np.shape(first_look.tolerance) == (2,)
    sensitive, insensitive = np.max(mistake.tolerance), np.min(mistake.tolerance)
    assert insensitive < 1e-5 < 1e-2 < sensitive
    assert np.ndim(due.tolerance) == 0
    assert 0.1 < due.tolerance / sensitive < 10.0
    assert np.array_equal(first_look.values, due.values)


@pytest.mark.parametrize(
    ("program", "shape"),
    [
        (lambda key: normal(key, 2, 3, 4).reshape(-1), (2, 3, 4)),
        (lambda key: normal(key, 2, 3).T.reshape(-1), (3, 2)),
        (lambda key: jnp.ravel(normal(key, 2, 3)), (2, 3)),
        (lambda key: normal(key, 2, 3).flatten(), (2, 3)),
        (lambda key: normal(key, 5), (5,)),
        (lambda key: normal(key, 2, 3).reshape(-1) * 2, (6,)),
        (lambda key: normal(key, 2, 3).reshape(3, 2).sum(1), (3,)),
    ],
)
def test_the_shape_is_the_one_before_flattening(program: Callable[[Any], Any], shape: tuple[int, ...]) -> None:
    assert trace(toy(program), (0,)).shape == shape


def test_the_dtype_is_that_of_the_reference_and_not_of_the_replay_in_float64() -> None:
    assert trace(flat(lambda key: normal(key, 3)), (0,)).dtype == "float32"
    assert trace(flat(lambda key: jnp.arange(3)), (0,)).dtype == "int32"


def fails(key: Any) -> Any:
    raise ValueError("no such size\nand more")


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (fails, r"the reference of reference\(0,\) raises ValueError: no such size$"),
        (lambda key: jnp.zeros(3) + jnp.zeros(4), r"the reference of reference\(0,\) raises TypeError: .*shapes"),
        (lambda key: (normal(key, 2), normal(key, 2)), r"should return one array"),
        (lambda key: None, r"should return one array"),
        (lambda key: "text", r"raises TypeError"),
    ],
)
def test_a_worked_answer_that_raises_or_does_not_return_one_array_is_a_fault_that_says_why(
    program: Callable[[Any], Any], text: str
) -> None:
    with pytest.raises(ProblemError, match=text):
        trace(toy(program), (0,))


def test_a_fault_under_a_mistake_names_the_mistake() -> None:
    def reference(seed: int) -> Any:
        return jnp.zeros(4).reshape(2, -1)
        #: other-width: 2 -> 3

    problem = problem_of(reference, cases=[(0,)])
    assert trace(problem, (0,)).shape == (2, 2)
    with pytest.raises(ProblemError, match=r"with 2 -> 3 raises TypeError"):
        trace(problem, (0,), forms(problem, "other-width"))


@pytest.mark.parametrize("name", ["softmax", "layer norm", "matmul chain"])
def test_coarse_bounds_grow_with_the_unit(name: str) -> None:
    traced = trace(flat(PROGRAMS[name]), (0,))
    due = expect(traced)
    bounds = coarse(traced, due.values)
    assert bounds.keys() == HALVES.keys()
    for name, unit in HALVES.items():
        assert 0.1 < bounds[name] / due.tolerance / (unit / UNIT_ROUNDOFF) < 10
    assert due.tolerance < bounds["float16"] < bounds["bfloat16"]


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", [jnp.float16, jnp.bfloat16])
def test_coarse_bounds_cover_an_answer_in_that_precision(kind: Any) -> None:
    traced = trace(flat(lambda key: jax.nn.softmax(normal(key, 8, 64))), (0,))
    due = expect(traced)
    answer = np.asarray(jax.nn.softmax(normal(random.key(0), 8, 64).astype(kind)).astype(jnp.float32)).reshape(-1)
    error = difference(answer, due.values)
    assert MOST_TOLERANCES_WITH_PROGRAM * due.tolerance < error <= coarse(traced, due.values)[np.dtype(kind).name]


def test_integers_have_no_coarse_bounds() -> None:
    traced = trace(flat(lambda key: jnp.arange(3)), (0,))
    assert coarse(traced, expect(traced).values) == {}


def test_a_dtype_that_the_reference_rounds_to_has_no_coarse_bound() -> None:
    traced = trace(flat(lambda key: normal(key, 8).astype(jnp.float16).astype(jnp.float32)), (0,))
    assert coarse(traced, expect(traced).values).keys() == {"bfloat16"}


def test_coarse_bounds_are_numbers_even_where_rounding_makes_infinities() -> None:
    traced = trace(
        flat(lambda key: 1 / jnp.sin(random.uniform(key, (64,)) - random.uniform(key, (64,)) * (1 + 1e-3))), (0,)
    )
    infinite = trace(flat(lambda key: jnp.exp(jnp.full(3, 88.0)) ** 8.0657), (0,))
    for one in (traced, infinite):
        text = json.dumps(coarse(one, expect(one).values), allow_nan=False)
        assert set(json.loads(text)) == set(HALVES)


def test_a_complex_reference_is_refused() -> None:
    problem = problem_of(lambda seed, n: jnp.arange(n) * 1j, cases=[(0, 3)])
    with pytest.raises(ProblemError, match="returns complex64"):
        trace(problem, (0, 3))


def test_a_reference_may_make_no_int_of_a_float_but_a_mistake_may() -> None:
    def scaled(seed: int, rate: float) -> Any:
        return jnp.ones(3) * rate
        #: whole: rate -> int(rate)

    def sized(seed: int, T: float) -> Any:
        return jnp.ones(int(T))

    problem = problem_of(scaled, cases=[(0, 2.5)])
    assert trace(problem, (0, 2.5), forms(problem, "whole")).shape == (3,)
    with pytest.raises(
        ProblemError, match=r"the case \(0, 2.5\) of sized holds the float 2.5, and the reference makes"
    ):
        trace(problem_of(sized, cases=[(0, 2.5)]), (0, 2.5))


def test_a_sine_of_a_large_angle_has_a_tolerance_beyond_its_values() -> None:
    def waves(seed: int) -> Any:
        return jnp.sin(jnp.arange(4, dtype=jnp.float32) * 1e10)

    traced = trace(problem_of(waves, cases=[(0,)]), (0,))
    bounded = expect_mistake(traced)
    found = unbounded(traced, bounded)
    # Half a unit of float64 in an angle of 1e10 moves the sine by about 1e-6.
    in_float64 = np.asarray(found.tolerance)[1:] * FLOAT64_IN_FLOAT32_UNITS
    assert np.all((in_float64 > 1e-7) & (in_float64 < 1e-3))
    assert np.all(np.asarray(bounded.tolerance)[1:] * FLOAT64_IN_FLOAT32_UNITS < 1e-7)
    assert np.asarray(found.tolerance)[0] == np.asarray(bounded.tolerance)[0]


def test_a_mistake_that_rounding_moves_a_little_keeps_its_tolerance() -> None:
    def waves(seed: int) -> Any:
        return jnp.sin(jnp.arange(4, dtype=jnp.float32) / 3)

    traced = trace(problem_of(waves, cases=[(0,)]), (0,))
    expected = expect_mistake(traced)
    assert unbounded(traced, expected) is expected


def draws(program: Callable[[], Any]) -> list[Draw]:
    return drawn(as_reference(jax.make_jaxpr(program)()))[0]


def plain(key: Any) -> str:
    return np.asarray(random.key_data(key)).tobytes().hex()


KEYS = [plain(key) for key in random.split(random.key(3), 2)]


def by_unpacking() -> Any:
    a, b = random.split(random.key(3))
    return random.normal(a, (2, 3)).sum() + random.uniform(b, (4,)).sum()


def by_old_keys() -> Any:
    a, b = random.split(random.PRNGKey(3))
    return random.normal(a, (2, 3)).sum() + random.uniform(b, (4,)).sum()


def inside_calls() -> Any:
    keys = random.split(random.key(3))
    return (
        jax.jit(lambda k: random.normal(k, (6,)))(keys[0]).sum()
        + jax.checkpoint(lambda k: random.uniform(k, (4,)))(keys[1]).sum()
    )


def with_a_dead_draw() -> Any:
    random.normal(random.key(9), (2,))
    return by_unpacking()


@pytest.mark.parametrize("program", [by_unpacking, by_old_keys, inside_calls, with_a_dead_draw])
def test_each_draw_that_matters_has_its_key_and_its_size(program: Callable[[], Any]) -> None:
    assert [(draw.key, draw.count) for draw in draws(program)] == [(KEYS[0], 6), (KEYS[1], 4)]


def test_mapped_draws_and_draws_in_loops_count_one_by_one() -> None:
    keys = random.split(random.key(3))
    mapped = draws(lambda: jax.vmap(lambda key: random.normal(key, (5,)))(random.split(random.key(3))))
    looped = draws(lambda: lax.map(lambda key: random.normal(key, (5,)), random.split(random.key(3))))
    assert [(one.key, one.count) for one in mapped] == [(plain(key), 5) for key in keys]
    assert [(one.key, one.count) for one in looped] == [(plain(key), 5) for key in keys]


def test_too_many_draws_are_not_compared() -> None:
    many = as_reference(jax.make_jaxpr(lambda: jax.vmap(random.normal)(random.split(random.key(0), MOST_DRAWS + 1)))())
    assert drawn(many)[0] == []
    assert len(drawn(many)[1]) == MOST_DRAWS + 1
