"""Every mutation of an operation: what it is called, what it changes, and where it cannot be made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.author.mutation import OTHERS, Mutation, mutation_points, mutations
from grader.jaxpr import native
from grader.jaxpr.encode import Encoder
from grader.program.data import Equation, Form, Literal, NotAProgram, holding
from grader.program.devices import RULES
from grader.program.evaluate import Evaluation
from tests.jaxpr.evaluating import as_reference

Program = Callable[..., Any]
X = np.array([[0.5, 1.25, 2.0], [0.25, 3.5, 0.75]], np.float32)
SQUARE = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)
INDEX = np.array(1, np.int32)


def last(program: Program, *inputs: Any) -> tuple[Equation, list[Mutation]]:
    """The last equation of a program, and its mutations."""
    encoded = Encoder("", trusted=True).program(jax.make_jaxpr(program)(*inputs))
    forms = [Form("key" if one.dtype == random.key(0).dtype else one.dtype.name, np.shape(one)) for one in inputs]
    equation = encoded.block.equations[-1]
    found = [one for one in mutation_points(encoded, forms) if one.equation is equation]
    return equation, [mutation for point in found for mutation in mutations(equation, point.forms)]


def names(program: Program, *inputs: Any) -> set[str]:
    return {mutation.name for mutation in last(program, *inputs)[1]}


def outputs(mutation: Mutation, equation: Equation, *inputs: np.ndarray) -> list[np.ndarray]:
    """What the changed equation gives for inputs, which stand in the order of its variables."""
    wide = iter([one.astype(np.float64) if one.dtype == np.float32 else one for one in inputs])
    arguments = [
        np.asarray(atom.value, holding(atom.dtype, wide=True)) if isinstance(atom, Literal) else next(wide)
        for atom in equation.inputs
    ]
    evaluation = Evaluation(as_reference(jax.make_jaxpr(lambda: jnp.zeros(1))()).program, native=native)
    return [np.asarray(one) for one in mutation.change(equation, arguments, evaluation._wide)]


CHANGES: dict[str, list[tuple[Program, tuple[np.ndarray, ...], Any]]] = {
    "constant-doubled": [(lambda x: x * 3.0, (X,), X * 6.0), (lambda x: lax.max(x, jnp.float32(0)), (X,), X.clip(1))],
    "constant-plus-one": [(lambda x: x * 3.0, (X,), X * 4.0)],
    "constant-dropped": [(lambda x: x * 3.0, (X,), X), (lambda x: x + 3.0, (X,), X)],
    "cos-for-sin": [(jnp.sin, (X,), np.cos(X.astype(np.float64)))],
    "round-for-floor": [(jnp.floor, (X,), np.rint(X))],
    "floor-for-round": [(lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), (X,), np.floor(X))],
    "sub-for-add": [(lax.add, (X, X), X - X)],
    "mul-for-div": [(lax.div, (X, X), X * X)],
    "reduce_max-for-reduce_sum": [(lambda x: lax.reduce_sum(x, (1,)), (X,), X.max(1))],
    "cummax-for-cumsum": [(lambda x: lax.cumsum(x, 0, reverse=True), (X,), np.maximum.accumulate(X[::-1])[::-1])],
    "dropped-neg": [(lax.neg, (X,), X)],
    "sub-exchanged": [(lax.sub, (X, X[::-1]), X[::-1] - X)],
    "power-plus-one": [(lambda x: lax.integer_pow(x, 2), (X,), X**3)],
    "iota-from-one": [(lambda: lax.iota(np.int32, 3), (), np.array([1, 2, 3]))],
    "slice-moved": [
        (lambda x: lax.slice(x, (0, 1), (2, 2)), (X,), X[:, 2:]),
        (lambda x: lax.slice(x, (0, 1), (2, 3)), (X,), X[:, :2]),
        (lambda x: lax.slice(x, (0, 0), (2, 2), (1, 2)), (X,), X[:, 1:2]),
    ],
    "index-moved": [
        (lambda x, i: lax.dynamic_slice(x, (i,), (2,)), (X[0], INDEX - 1), X[0, 1:]),
        (lambda x, y, i: lax.dynamic_update_slice(x, y, (i,)), (X[0], X[1, :1], INDEX), [*X[0, :2], X[1, 0]]),
    ],
    "select-exchanged": [(lax.select_n, (X > 1, X, -X), np.where(X > 1, X, -X))],
    "order-reversed": [(lambda x, y: lax.concatenate([x, y], 0), (X, -X), [*-X, *X])],
    "scan-reversed": [
        (
            lambda start, x: lax.scan(lambda total, one: (total + one, total), start, x)[1],
            (np.float32(0), X[0]),
            [3.25, 2, 0],
        )
    ],
    "left-transposed": [(lax.dot, (SQUARE, SQUARE), SQUARE.T @ SQUARE)],
    "right-transposed": [(lax.dot, (SQUARE, SQUARE), SQUARE @ SQUARE.T)],
    "other-axis": [
        (lambda x: lax.argmax(x, 1, np.int32), (SQUARE,), SQUARE.argmax(0)),
        (lambda x: lax.reduce_max(x, (1,)), (SQUARE,), SQUARE.max(0)),
        (lambda x: lax.cumsum(x, 1), (X,), X.cumsum(0)),
        (lambda x: lax.broadcast_in_dim(x, (2, 2), (0,)), (SQUARE[0],), [SQUARE[0]] * 2),
    ],
}
CASES = [
    pytest.param(name, *one, id=f"{name} {at}") for name, listed in CHANGES.items() for at, one in enumerate(listed)
]


@pytest.mark.parametrize(("name", "program", "inputs", "due"), CASES)
def test_a_mutation_changes_what_its_name_says(name: str, program: Program, inputs: Any, due: Any) -> None:
    equation, listed = last(program, *inputs)
    (mutation,) = [one for one in listed if one.name == name]
    got = outputs(mutation, equation, *inputs)[-1]
    assert np.shape(got) == np.shape(due)
    np.testing.assert_allclose(got, due, rtol=1e-12)


def test_a_truth_value_in_the_program_is_flipped() -> None:
    equation, listed = last(lambda w: lax.bitwise_and(w, True), X > 1)
    (flipped,) = [one for one in listed if one.name == "constant-flipped"]
    assert not outputs(flipped, equation, X > 1)[0].any()


def test_an_index_of_gather_is_moved() -> None:
    assert names(lambda x, i: x[i], X, np.array([0, 1])) >= {"index-moved"}


def test_draws_and_what_makes_keys_are_not_changed() -> None:
    key = random.key(0)
    assert names(random.split, key) == set()
    assert names(lambda key: random.bits(key, (3,)), key) == set()
    assert names(lambda bits: bits + 1, np.uint32([1, 2])) == set()


def test_the_mutations_do_not_depend_on_sizes() -> None:
    for program in (jnp.sum, jnp.cumsum, lambda x: x @ x, lambda x: x[1:2], lambda x: x * 2.0):
        small, large = np.ones((3, 3), np.float32), np.ones((7, 7), np.float32)
        assert names(program, small) == names(program, large)


def test_a_slice_of_everything_and_a_vector_cannot_be_moved_or_transposed() -> None:
    whole, of_whole = last(lambda x: lax.slice(x, (0,), (3,)), X[0])
    (moved,) = [one for one in of_whole if one.name == "slice-moved"]
    vectors, of_vectors = last(lax.dot, X[0], X[0])
    (left,) = [one for one in of_vectors if one.name == "left-transposed"]
    for mutation, equation, inputs in ((moved, whole, [X[0]]), (left, vectors, [X[0], X[0]])):
        with pytest.raises(ValueError, match=r"no (room|transpose)"):
            outputs(mutation, equation, *inputs)


def test_operands_that_do_not_fit_are_a_fault() -> None:
    equation, listed = last(lax.dot, X, X.T[:, :1])
    (left,) = [one for one in listed if one.name == "left-transposed"]
    with pytest.raises((NotAProgram, ValueError)):
        outputs(left, equation, X, X.T[:, :1])


DEVICES = Form("float32", (4, 2))


@pytest.mark.parametrize("name", [one for one in OTHERS if one.startswith("device_")])
def test_what_devices_do_together_can_be_another_operation_or_left_out(name: str) -> None:
    parameters = {"mesh": [2, 2], "axes": [1]}
    equation = Equation(name, parameters, (0,), (1,), (DEVICES,), 0)
    listed = {one.name: one for one in mutations(equation, {0: DEVICES})}
    held = np.arange(8.0).reshape(4, 2)
    usual = RULES[name](held, **parameters)
    assert {f"{other}-for-{name}" for other in OTHERS[name]} | {f"dropped-{name}", "other-axes"} == set(listed)
    for mutation in listed.values():
        (output,) = outputs(mutation, equation, held)
        assert (output.shape, np.array_equal(output, usual)) == ((4, 2), False)


@pytest.mark.parametrize("name", [one for one in OTHERS if not one.startswith("device_")])
def test_every_operation_can_be_exchanged_for_the_others_of_its_form(name: str) -> None:
    """The other operation takes the parameters of the first: a missing one would leave the mutant out in silence."""
    programs: dict[str, Program] = {
        **{one: lambda x, one=one: getattr(lax, one)(x, x) for one in ("atan2", "max", "min", "pow")},
        **{one: lambda x, one=one: getattr(lax, one)(x, 0) for one in ("cumsum", "cummax", "cummin", "cumprod")},
        **{one: lambda x, one=one: getattr(lax, one)(x, 0, np.int32) for one in ("argmax", "argmin")},
        **{one: lambda x, one=one: getattr(lax, one)(x, (0,)) for one in OTHERS if one.startswith("reduce_")},
        "add_any": jax.grad(lambda x: (jnp.sin(x) * x).sum()),
        "and": lambda x: lax.bitwise_and(x, x),
        "or": lambda x: lax.bitwise_or(x, x),
    }
    binary = name in ("add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge")
    program = programs.get(name, lambda x: getattr(lax, name)(x, x) if binary else getattr(lax, name)(x))
    x = X > 1 if name in ("and", "or", "reduce_and", "reduce_or") else X
    points = list(mutation_points(Encoder("").program(jax.make_jaxpr(program)(x)), [Form(x.dtype.name, x.shape)]))
    point = next(one for one in points if one.equation.operation == name)
    made = {f"{other}-for-{name}" for other in OTHERS[name]}
    listed = [one for one in mutations(point.equation, point.forms) if one.name in made]
    assert len(listed) == len(OTHERS[name])
    for mutation in listed:
        (output,) = outputs(mutation, point.equation, *[x] * len(point.equation.inputs))
        assert output.shape == point.equation.forms[0].shape
