"""Operations that JAX itself evaluates: arithmetic in float64, draws in float32, each of them once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.jaxpr import bind
from grader.jaxpr.bind import REMEMBERED, draw, in_float32
from grader.jaxpr.compat import sampler
from grader.jaxpr.wide import WIDE
from grader.kit.problem import ProblemError
from grader.program.rules import promoted

X = np.array([-1.5, 0.25, 2, 3], np.float32)


def eqn_of(program: Callable[..., Any], *inputs: Any) -> Any:
    """The last equation of a program."""
    return jax.make_jaxpr(program)(*inputs).eqns[-1]


def drawing(sample: Callable[[jax.Array], Any]) -> Any:
    """The equation that draws."""
    (eqn,) = [eqn for eqn in jax.make_jaxpr(sample)(random.key(0)).eqns if sampler(eqn)]
    return eqn


@pytest.mark.parametrize(
    ("dtype", "due"),
    [
        (np.dtype(np.float32), np.dtype(np.float64)),
        (np.float32, np.dtype(np.float64)),
        (np.dtype(np.complex64), np.dtype(np.complex128)),
        (np.dtype(np.int32), np.dtype(np.int32)),
        (np.dtype(np.bool_), np.dtype(np.bool_)),
    ],
)
def test_only_floats_and_complex_numbers_are_promoted(dtype: Any, due: Any) -> None:
    assert promoted(dtype) == due


def test_the_dtype_of_keys_is_not_promoted() -> None:
    dtype = random.key(0).dtype
    assert promoted(dtype) is dtype


SAMPLERS: dict[str, Callable[..., Any]] = {
    "normal": random.normal,
    "uniform": partial(random.uniform, minval=-0.25, maxval=3.0),
    "truncated_normal": partial(random.truncated_normal, lower=-2, upper=1.5),
    "randint": partial(random.randint, minval=-3, maxval=12),
    "bernoulli": partial(random.bernoulli, p=0.3),
}


@pytest.mark.parametrize("shape", [(), (3, 4), (64, 64), (65, 64), (0, 3)])
@pytest.mark.parametrize("name", SAMPLERS)
def test_a_draw_is_jaxs_own_whatever_its_shape(name: str, shape: tuple[int, ...]) -> None:
    sample = partial(SAMPLERS[name], shape=shape)
    eqn = drawing(sample)
    bounds = [np.asarray(atom.val) for atom in eqn.invars[1:]]
    for key in random.split(random.key(11)):
        (drawn,) = draw(eqn, [key, *bounds])
        assert drawn.shape == shape
        np.testing.assert_allclose(drawn, np.asarray(sample(key)), rtol=1e-6, atol=1e-6)


def test_draws_of_other_kinds_of_keys_are_jaxs_own() -> None:
    key = random.key(3, impl="rbg")
    (eqn,) = [eqn for eqn in jax.make_jaxpr(partial(random.normal, shape=(5,)))(key).eqns if sampler(eqn)]
    assert np.allclose(draw(eqn, [key])[0], random.normal(key, (5,)), rtol=1e-6)


def test_a_draw_from_a_key_is_made_once() -> None:
    eqn, (first, second) = drawing(partial(random.normal, shape=(3,))), random.split(random.key(0))
    assert draw(eqn, [first])[0] is draw(eqn, [first])[0]
    assert not np.array_equal(draw(eqn, [first])[0], draw(eqn, [second])[0])


def test_a_key_is_split_once() -> None:
    eqn, key = eqn_of(random.split, random.key(0)), random.key(5)
    (once,), (again,) = bind.bind(eqn, [key]), bind.bind(eqn, [key])
    assert once is again
    assert np.array_equal(random.key_data(once), random.key_data(random.split(key)))


def test_a_key_is_split_once_for_all_programs_and_once_for_each_number_of_keys() -> None:
    key = random.key(5)
    (two,), (again,), (three,) = (
        bind.bind(eqn_of(partial(random.split, num=count), key), [key]) for count in (2, 2, 3)
    )
    assert two is again
    assert three.shape == (3,)


def test_what_is_remembered_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[Any, Any] = {}
    monkeypatch.setattr(bind, "_MADE", made)
    monkeypatch.setattr(bind, "REMEMBERED", 2)
    assert REMEMBERED > 2
    eqn = drawing(partial(random.normal, shape=(3,)))
    for key in random.split(random.key(0), 5):
        assert np.allclose(draw(eqn, [key])[0], random.normal(key, (3,)), rtol=1e-6)
        assert len(made) <= 2


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 5), (WIDE + 1,)])
def test_an_elementwise_operation_in_float32_is_jaxs_own(shape: tuple[int, ...]) -> None:
    x = np.linspace(-0.9, 0.9, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    (output,) = in_float32(eqn_of(lax.erf_inv, x), [x.astype(np.float64)])
    assert output.shape == shape
    np.testing.assert_allclose(output, np.asarray(lax.erf_inv(x)), rtol=1e-6)


PLACES = np.array([[1], [1]], np.int32)
DIMENSIONS = lax.ScatterDimensionNumbers((), (0,), (0,))
BOUND: dict[str, tuple[Callable[..., Any], *tuple[np.ndarray, ...]]] = {
    "erf": (lax.erf, X),
    "a dtype among the parameters": (lambda x, y: lax.dot(x, y, preferred_element_type=x.dtype), X, X),
    "several outputs": (lambda x: lax.top_k(x, 2), X),
    **{
        name: (partial(getattr(lax, name), dimension_numbers=DIMENSIONS), X, PLACES, X[:2])
        for name in ("scatter_add", "scatter_mul", "scatter_min", "scatter_max")
    },
    "scatter": (partial(lax.scatter, dimension_numbers=DIMENSIONS), X, PLACES[:1], X[:1]),
}


@pytest.mark.parametrize("name", BOUND)
def test_an_operation_is_bound_in_float64(name: str) -> None:
    program, *inputs = BOUND[name]
    widened = [one.astype(promoted(one.dtype)) for one in inputs]
    got = bind.bind(eqn_of(program, *inputs), widened)
    with jax.enable_x64(True):
        due = jax.tree.leaves(program(*(jnp.asarray(one) for one in widened)))
    assert [one.dtype for one in got] == [one.dtype for one in due]
    assert all(np.allclose(one, other, rtol=1e-14) for one, other in zip(got, due, strict=True))


def test_what_jax_cannot_evaluate_is_a_fault_with_the_name_and_the_reason() -> None:
    eqn = eqn_of(lax.dot, X, X)
    with pytest.raises(
        ProblemError, match=r"'dot_general', which cannot be evaluated in float64 \(.+\): write that step"
    ):
        bind.bind(eqn, [X, X[:2]])
