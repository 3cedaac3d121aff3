"""Jaxprs as plain data: calls written out, constants shared, places in the learner's file, and what cannot be sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax import lax, random

from grader.jaxpr import encode
from grader.jaxpr.encode import Encoder, shortest_decimal
from grader.program.data import TRUSTED, Block, Equation, Literal, NotAProgram, Program

TABLE = np.array([[0.5, -1.25, 2.0], [0.25, 3.5, -0.75]], np.float32)


def encoded(function: Callable[[], Any]) -> Program:
    return Encoder(__file__).program(jax.make_jaxpr(function)())


def equations(block: Block) -> Iterator[Equation]:
    """All equations, those of inner blocks before the one that holds them."""
    for one in block.equations:
        for inner in one.blocks:
            yield from equations(inner)
        yield one


def named(program: Program, operation: str) -> Equation:
    (one,) = (one for one in equations(program.block) if one.operation == operation)
    return one


def written(program: Program, operation: str) -> str:
    """The text of this file where an operation stands."""
    place = program.places[named(program, operation).place]
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert place.line == place.end_line
    return lines[place.line - 1].encode()[place.column : place.end_column].decode()


def test_calls_are_written_out() -> None:
    double = jax.jit(lambda x: x * 2)
    program = encoded(lambda: jax.jit(lambda x: double(x) + double(jax.nn.silu(x)))(jnp.asarray(TABLE)))
    operations = [one.operation for one in equations(program.block)]
    assert operations.count("mul") >= 3
    assert not {"jit", "pjit", "custom_jvp_call"} & {*operations}
    assert all(one.blocks == () for one in equations(program.block))


def test_a_print_is_no_part_of_a_program() -> None:
    def step(carry: Any, row: Any) -> Any:
        jax.debug.print("{}", row)
        return carry + row, row

    program = encoded(lambda: lax.scan(step, jnp.zeros(3), jnp.asarray(TABLE))[0])
    assert {"scan", "add"} <= {one.operation for one in equations(program.block)}
    assert not any("debug" in one.operation for one in equations(program.block))


def test_a_loop_and_a_choice_hold_blocks() -> None:
    def program() -> Any:
        step = lambda c, row: (lax.cond(c > 0, jnp.sin, jnp.cos, c), row * c)  # noqa: E731
        return lax.scan(step, 0.5, jnp.asarray(TABLE), reverse=True)[1]

    scan = named(encoded(program), "scan")
    assert scan.parameters == {"constants": 0, "carried": 1, "length": 2, "reverse": True}
    cond = named(encoded(program), "cond")
    assert sorted(one.operation for block in cond.blocks for one in block.equations) == ["cos", "sin"]


def test_a_sampler_stays_one_draw() -> None:
    program = encoded(lambda: random.normal(random.key(3), (4,)))
    (draw,) = (one for one in program.block.equations if one.operation == "draw")
    assert draw.parameters == {"sampler": "normal"}
    assert "random_bits" in {one.operation for one in equations(draw.blocks[0])}


def test_a_place_is_the_expression_that_made_an_operation() -> None:
    def program() -> Any:
        return jnp.sin(jnp.asarray(TABLE) * 2) + jnp.exp(1.5)

    assert written(encoded(program), "sin") == "jnp.sin(jnp.asarray(TABLE) * 2)"
    assert written(encoded(program), "mul") == "jnp.asarray(TABLE) * 2"


def test_columns_are_bytes() -> None:
    def program() -> Any:
        return "ωₖ", jnp.sin(TABLE[0])  # the text before it takes more bytes than letters

    assert written(encoded(lambda: program()[1]), "sin") == "jnp.sin(TABLE[0])"


def test_a_place_in_a_function_is_that_of_the_innermost_expression() -> None:
    def inner(x: Any) -> Any:
        return jnp.tanh(x)

    assert written(encoded(lambda: inner(TABLE[0]) + inner.__code__.co_argcount), "tanh") == "jnp.tanh(x)"


def test_a_lambda_and_a_jitted_function_have_places() -> None:
    twice = jax.jit(lambda x: jnp.cosh(x) * 2)
    assert written(encoded(lambda: twice(TABLE[0])), "cosh") == "jnp.cosh(x)"
    mapped = encoded(lambda: jax.vmap(lambda row: jnp.sinh(row))(jnp.asarray(TABLE)))
    assert written(mapped, "sinh") == "jnp.sinh(row)"


def test_an_operation_of_a_library_has_the_place_that_calls_the_library() -> None:
    assert written(encoded(lambda: jax.nn.softmax(jnp.asarray(TABLE))), "exp") == "jax.nn.softmax(jnp.asarray(TABLE))"


def test_operations_of_a_loop_have_places() -> None:
    program = encoded(lambda: lax.fori_loop(0, 3, lambda i, c: jnp.cos(c), 0.5))
    assert written(program, "cos") == "jnp.cos(c)"


def test_no_line_of_another_file_is_a_place() -> None:
    program = Encoder("elsewhere.py").program(jax.make_jaxpr(lambda: jnp.sin(TABLE))())
    assert program.places == []
    assert {one.place for one in equations(program.block)} == {-1}


def test_programs_of_an_answer_share_their_constants() -> None:
    shared = jnp.asarray(TABLE)
    encoder = Encoder(__file__)
    for _ in range(3):
        encoder.program(
            jax.make_jaxpr(lambda: lax.scan(lambda c, _: (c + shared, None), shared * 2, None, length=2)[0])()
        )
    assert len(encoder.arrays) == 1
    assert np.array_equal(encoder.arrays[0], TABLE)


def test_a_constant_that_is_read_twice_has_one_number() -> None:
    shared = jnp.asarray(TABLE)
    program = encoded(lambda: jax.jit(lambda: shared * 2)() + jax.jit(lambda: shared + 1)())
    assert len(program.block.constants) == 1


def test_keys_are_constants_of_one_number_each() -> None:
    keys = random.split(random.key(3), 2)
    encoder = Encoder(__file__)
    encoder.program(jax.make_jaxpr(lambda: random.normal(keys[1]))())
    words = np.asarray(random.key_data(keys)).astype(np.uint64)
    assert np.array_equal(encoder.arrays[0], (words[:, 0] << np.uint64(32)) | words[:, 1])


LARGEST = float(np.finfo(np.float32).max)


@pytest.mark.parametrize("number", [0.1, 0.999, 1e-5, 10000.0, 1.4142135, 13.287712])
def test_a_literal_is_the_shortest_decimal(number: float) -> None:
    program = encoded(lambda: jnp.asarray(TABLE)[0] * number)
    assert Literal("float32", number) in named(program, "mul").inputs


def test_literals_of_other_types_are_sent() -> None:
    program = encoded(lambda: (jnp.arange(3) + 7) * 2)
    assert Literal("int32", 7) in named(program, "add").inputs


def test_a_value_that_is_a_literal_is_a_program() -> None:
    assert encoded(lambda: 2.5).block.outputs == (Literal("float32", 2.5),)


def test_the_order_of_axes_of_a_reshape_is_a_transpose() -> None:
    program = encoded(lambda: jnp.asarray(TABLE).ravel(order="F"))
    moved, reshaped = program.block.equations[-2:]
    assert (moved.operation, moved.parameters, moved.forms[0].shape) == ("transpose", {"permutation": [1, 0]}, (3, 2))
    assert (reshaped.operation, reshaped.inputs, reshaped.forms[0].shape) == ("reshape", moved.outputs, (6,))


def test_a_choice_by_platform_is_made() -> None:
    program = encoded(lambda: lax.platform_dependent(TABLE[0], cpu=jnp.sin, default=jnp.cos))
    choice = named(program, "cond")
    chosen = choice.inputs[0]
    assert isinstance(chosen, Literal)
    assert [one.operation for one in choice.blocks[int(chosen.value.real)].equations] == ["sin"]


def test_bfloat16_constants_are_sent_as_float32() -> None:
    encoder = Encoder(__file__)
    halves = jnp.asarray(TABLE, jnp.bfloat16)
    encoder.program(jax.make_jaxpr(lambda: halves.astype(jnp.float32) * 2)())
    assert encoder.arrays[0].dtype == np.float32


def callback() -> Any:
    return jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((2, 3), np.float32), jnp.asarray(TABLE))


RBG = random.key(0, impl="rbg")

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a decomposition": (lambda: jnp.linalg.qr(jnp.asarray(TABLE))[1], "qr"),
    "a Fourier transform": (lambda: jnp.fft.fft(jnp.asarray(TABLE)).real, "fft"),
    "a callback": (callback, "pure_callback"),
    "another generator": (lambda: random.normal(random.key(0, impl="rbg")), "generator"),
    "a constant of another generator": (lambda: random.normal(RBG), "generator"),
    "numbers of eight bits": (lambda: jnp.asarray(TABLE).astype(jnp.float8_e4m3fn), "float8"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_sent_is_refused_with_its_name(name: str) -> None:
    function, reason = REFUSED[name]
    with pytest.raises(NotAProgram, match=reason):
        encoded(function)


def test_too_many_operations_or_constants_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "MOST_EQUATIONS", 10)
    with pytest.raises(NotAProgram, match="operations"):
        encoded(lambda: sum((jnp.sin(TABLE[0]) for _ in range(20)), jnp.zeros(3)))
    monkeypatch.setattr(encode, "LARGEST_CONSTANTS", 5)
    with pytest.raises(NotAProgram, match="constants"):
        encoded(lambda: jnp.asarray(TABLE) * 2)


@pytest.mark.parametrize("value", [0.1, 10000.0, 1e-5, -0.3, 1e-38, 3.1415927])
@pytest.mark.parametrize("kind", [float, np.float32])
def test_a_literal_means_its_shortest_decimal(value: float, kind: type) -> None:
    (literal,) = named(encoded(lambda: jnp.arange(3.0) + kind(value)), "add").inputs[1:]
    assert literal == Literal("float32", value)


@pytest.mark.parametrize("value", [2.0**-20, -3 * 2.0**-30, 2.0**40, 0.0, float("inf"), LARGEST, -LARGEST])
def test_a_literal_of_few_bits_means_itself_and_so_does_the_largest(value: float) -> None:
    assert shortest_decimal(np.float32(value)) == value


@given(st.floats(width=32, allow_nan=False))
def test_a_literal_rounds_to_the_float32_in_the_program(value: float) -> None:
    assert np.float32(shortest_decimal(np.float32(value))) == np.float32(value)


def test_a_literal_has_the_dtype_that_it_has_in_the_program() -> None:
    """JAX may keep a number of Python's with all its digits, and computes with those of float32."""
    program = jax.make_jaxpr(lambda: 2 * jnp.pi * jnp.arange(3))()
    values = {
        one.value for encoder in (Encoder(""), Encoder("", trusted=True)) for one in literals(encoder.program(program))
    }
    assert values & {float(np.float32(2 * np.pi)), 6.2831855}
    assert 2 * np.pi not in values


def literals(program: Program) -> list[Literal]:
    return [atom for one in equations(program.block) for atom in one.inputs if isinstance(atom, Literal)]


def test_a_trusted_program_holds_the_equation_of_what_has_no_rule() -> None:
    def program() -> Any:
        return lax.igamma(jnp.ones(3), jnp.ones(3))

    with pytest.raises(NotAProgram, match="it uses 'igamma'"):
        encoded(program)
    trusted = Encoder(__file__, trusted=True).program(jax.make_jaxpr(program)())
    assert named(trusted, "igamma").parameters[TRUSTED].primitive.name == "igamma"


def test_a_trusted_program_may_be_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "MOST_EQUATIONS", 1)
    monkeypatch.setattr(encode, "LARGEST_CONSTANTS", 1)
    program = jax.make_jaxpr(lambda: jnp.asarray(TABLE) * 2 + 1)()
    with pytest.raises(NotAProgram):
        Encoder("").program(program)
    assert len(Encoder("", trusted=True).program(program).block.equations) == 2
