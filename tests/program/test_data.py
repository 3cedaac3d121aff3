"""Programs survive their bytes; and what is no program is refused at once, with little memory, and never by a fault."""

from __future__ import annotations

import contextlib
import json
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax, random

from grader.jaxpr.encode import Encoder
from grader.program import data
from grader.program.data import NotAProgram, read, text_of
from grader.program.evaluate import Evaluation
from grader.values.arrays import Array
from tests.program.attacks import ONE, SCALAR, WIDE, equation, program
from tests.program.sent import sent

SECONDS, BYTES = 1.0, 300 << 20
"""What a text that is no program may take."""


def an_answer() -> Any:
    def body(carry: Any, key: Any) -> Any:
        return lax.cond(carry > 0, lambda c: c * 0.999, lambda c: c + 1j.imag, carry), random.normal(key, (2,))

    return (
        lax.scan(body, jnp.float32(0.25), random.split(random.key(3), 3))[1] + jnp.array([1.5, 2.5]) * jnp.exp(2j).real
    )


def test_programs_survive_their_bytes() -> None:
    encoder = Encoder(__file__)
    programs = [encoder.program(jax.make_jaxpr(one)()) for one in (an_answer, lambda: jnp.arange(3) * 2)]
    arrived = read(text_of(programs), encoder.arrays)
    assert text_of(arrived) == text_of(programs)
    assert [[one.block, one.places] for one in arrived] == [[one.block, list(one.places)] for one in programs]


def test_what_no_value_depends_on_is_not_live_in_a_loop_either() -> None:
    def descended() -> Any:
        def step(x: Any, _: Any) -> Any:
            _, slope = jax.value_and_grad(lambda x: jnp.sin(x) ** 2)(x)
            return x - slope, None

        return lax.scan(step, 1.0, length=3)[0]

    whole = Encoder("").program(jax.make_jaxpr(descended)())
    live = replace(whole, block=whole.block.live())
    before, after = (Counter(one.operation for one in each.block.nested()) for each in (whole, live))
    assert before - after == {"integer_pow": 1}
    assert Evaluation(live).output() == Evaluation(whole).output()


@pytest.mark.parametrize("number", [0.1, -0.0, 1e-45, 3e38, np.inf, -np.inf, np.nan, True, 2**31 - 1, 1 + 2j])
def test_numbers_survive_their_bytes(number: Any) -> None:
    got = Evaluation(sent(lambda: jnp.asarray(number) + jnp.zeros((2,), jnp.asarray(number).dtype) * 0)).output()
    np.testing.assert_allclose(got, np.full(2, number), rtol=1e-7)


def test_a_text_that_is_too_long_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    program = sent(an_answer)
    monkeypatch.setattr(data, "LARGEST_PROGRAM_TEXT", 100)
    with pytest.raises(NotAProgram, match="MiB"):
        text_of([program])


def evaluated(text: bytes, arrays: list[Array]) -> list[Array]:
    return [Evaluation(one).output() for one in read(text, arrays)]


def refused(text: bytes) -> str:
    """The reason why a text is no program, which comes soon."""
    started = time.process_time()
    with pytest.raises(NotAProgram) as caught:
        evaluated(text, [])
    assert time.process_time() - started < SECONDS
    return str(caught.value)


def refused_with_little_memory(text: bytes, arrays: list[Array]) -> None:
    tracemalloc.start()  # it makes everything some times slower
    try:
        with pytest.raises(NotAProgram):
            evaluated(text, arrays)
        assert tracemalloc.get_traced_memory()[1] < BYTES
    finally:
        tracemalloc.stop()


def test_the_smallest_program_is_one() -> None:
    assert evaluated(program(equation()), []) == [np.sin(1.0)]


JUNK = [None, True, -1, 1.5, 2**40, "x", [], [[]], {}, [None], ["float32"], {"a": 1}]


@pytest.mark.parametrize("position", range(9))
@pytest.mark.parametrize("junk", JUNK, ids=map(str, JUNK))
def test_an_equation_with_another_type_anywhere_is_refused(position: int, junk: Any) -> None:
    plain = [*equation(), True, 4]
    if junk == plain[position] or (position in (1, 6) and junk in ([], {})) or (position, junk) == (5, -1):
        return  # it is the right type, or nothing
    changed = [*plain[:position], junk, *plain[position + 1 :]]
    refused(program(changed))


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("junk", JUNK, ids=map(str, JUNK))
def test_a_block_with_another_type_anywhere_is_refused(position: int, junk: Any) -> None:
    if junk in ([], {}) and position < 2:
        return
    plain = [[], [], [equation()], [0]]
    changed = [*plain[:position], junk, *plain[position + 1 :]]
    refused(json.dumps([{"block": changed, "places": []}]).encode())


TEXTS: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"[{",
    "no UTF-8": b"\xff\xfe\x00",
    "a number": b"1",
    "a list of numbers": b"[1, 2]",
    "an object": b'{"block": []}',
    "no block": b'[{"places": []}]',
    "a deep list": b"[" * 200_000 + b"]" * 200_000,
    "a long number": b"[" + b"9" * 100_000 + b"]",
    "an unknown operation": program(equation("system")),
    "a method": program(equation("__class__")),
    "a loop without a block": program(equation("scan", {"constants": 0, "carried": 0, "length": 1, "reverse": False})),
    "a choice without a block": program(equation("cond")),
    "a draw without a block": program(equation("draw", {"sampler": "normal"}, [["key", 1]])),
    "a parameter too many": program(equation("sin", {"axis": 1})),
    "a parameter too few": program(equation("reduce_sum")),
    "a number too many": program(equation("sin", {}, [ONE, ONE])),
    "a number too few": program(equation("add", {}, [ONE])),
    "an output too many": program(equation("sin", {}, [ONE], [0, 1], [SCALAR, SCALAR])),
    "an output without a form": program(equation(forms=[])),
    "a value before it is there": program(equation(inputs=[7])),
    "its own value": program(equation(inputs=[0])),
    "a value that is defined twice": program(equation(), equation()),
    "an output that there is not": program(equation(), outputs=[5]),
    "two outputs": program(equation(), outputs=[0, 0]),
    "a constant that there is not": program(equation(), constants=[[1, 0]]),
    "a constant before the first": program(equation(), constants=[[1, -1]]),
    "an unknown dtype": program(equation(forms=[["float8", []]])),
    "a dtype with an order": program(equation(forms=[[">f4", []]])),
    "objects": program(equation(forms=[["object", []]])),
    "a literal of an unknown dtype": program(equation(inputs=[["str", "x"]])),
    "text for a number": program(equation(inputs=[["float32", "1"]])),
    "a truth for a number": program(equation(inputs=[["int32", True]])),
    "a number for a truth": program(equation(inputs=[["bool", 1]])),
    "a fraction for an integer": program(equation(inputs=[["int32", 1.5]])),
    "an integer that is too large": program(equation(inputs=[["int32", 2**70]])),
    "a float that is too large": program(equation(inputs=[["float32", 10**400]])),
    "a complex number of three parts": program(equation(inputs=[["complex64", [1, 2, 3]]])),
    "a negative size": program(equation(forms=[["float32", [-1]]])),
    "a truth for a size": program(equation(forms=[["float32", [True]]])),
    "a fraction for a size": program(equation(forms=[["float32", [1.0]]])),
    "too many axes": program(equation(forms=[["float32", [1] * 100]])),
    "a billion numbers": program(equation(forms=[["float32", [10**9]]])),
    "billions along many axes": program(equation(forms=[["float32", [0, 2**30, 2**30]]])),
    "another shape": program(equation(forms=[["float32", [1]]])),
    "a place that there is not": program(equation(place=0)),
    "a place of another form": program(equation(), places=[[1, 2, 3]]),
    "a place with a fraction": program(equation(), places=[[1, 0, 1, 0.5]]),
    "an index out of range": program(equation("cond", {}, [["int32", 3]], blocks=[])),
    "a length that is negative": program(
        equation(
            "scan",
            {"constants": 0, "carried": 0, "length": -5, "reverse": False},
            [],
            [],
            [],
            blocks=[[[], [], [], []]],
        )
    ),
    "another version of a block": program(
        equation("while", {"condition_constants": 0, "body_constants": 0}, blocks=[[]])
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_is_no_program_is_refused(name: str) -> None:
    assert refused(TEXTS[name])


def deep(levels: int) -> list[Any]:
    block: list[Any] = [[0], [], [], [0]]
    parameters = {"constants": 0, "carried": 1, "length": 100_000, "reverse": False}
    for _ in range(levels):
        block = [[0], [], [equation("scan", parameters, [0], [1], [SCALAR], -1, [block])], [1]]
    return equation("scan", parameters, [ONE], [0], [SCALAR], -1, [block])


VECTOR = np.ones(1 << 11, np.float32)
SCATTERED = {
    "update_window_dims": [0],
    "inserted_window_dims": [],
    "scatter_dims_to_operand_dims": [0],
    "operand_batching_dims": [],
    "scatter_indices_batching_dims": [],
}
GATHERED = {
    "offset_dims": [0],
    "collapsed_slice_dims": [],
    "start_index_map": [0],
    "operand_batching_dims": [],
    "start_indices_batching_dims": [],
}


def sized(operation: str, parameters: Any, *inputs: Any, dtype: str = "float32") -> list[Any]:
    return equation(operation, parameters, inputs, [9], [[dtype, [8]]])


def gathers(sizes: list[int], fill: Any = None) -> list[Any]:
    parameters = {"dimension_numbers": GATHERED, "slice_sizes": sizes, "mode": "CLIP", "fill_value": fill}
    return sized("gather", parameters, 0, 1)


BILLION = 10**9
HUGE: dict[str, list[Any]] = {
    "broadcast": sized("broadcast_in_dim", {"shape": [BILLION], "broadcast_dimensions": []}, ONE),
    "broadcast to nothing": sized("broadcast_in_dim", {"shape": [BILLION, 0], "broadcast_dimensions": []}, ONE),
    "iota": sized("iota", {"dtype": "float32", "shape": [BILLION], "dimension": 0}),
    "iota along nothing": sized("iota", {"dtype": "float32", "shape": [0, BILLION], "dimension": 1}),
    "tile": sized("tile", {"reps": [BILLION]}, 0),
    "pad": sized("pad", {"padding_config": [[0, 0, BILLION]]}, 0, ONE),
    "pad after": sized("pad", {"padding_config": [[0, BILLION, 0]]}, 0, ONE),
    "bits": sized("random_bits", {"bit_width": 32, "shape": [BILLION]}, ["key", 1], dtype="uint32"),
    "split": sized("random_split", {"shape": [BILLION]}, ["key", 1], dtype="key"),
    "top_k": sized("top_k", {"k": BILLION, "axis": 0}, 0),
    "gather": gathers([BILLION]),
    "gather without axes": sized(
        "gather",
        {"dimension_numbers": {**GATHERED, "offset_dims": []}, "slice_sizes": [1], "mode": "CLIP", "fill_value": None},
        0,
        1,
    ),
    "gather with a list": gathers([1], [[1.0]] * 1000),
    "outer product": sized(
        "dot_general", {"dimension_numbers": [[[], []], [[], []]], "preferred_element_type": None}, 0, 0
    ),
    "a power of a list": sized("integer_pow", {"y": [[1]] * 2048}, 0),
    "an axis that is an object": sized("reduce_sum", {"axes": {"a": 1}}, 0),
    "a size that is text": sized("reshape", {"new_sizes": "88"}, 0),
    "a dtype that is text": sized("convert_element_type", {"new_dtype": "object"}, 0),
    "a view of keys": sized("bitcast_convert_type", {"new_dtype": "key"}, 0),
}


@pytest.mark.parametrize("name", HUGE)
def test_a_result_of_billions_is_refused_before_it_is_made(name: str) -> None:
    refused_with_little_memory(program(HUGE[name], constants=[[0, 0], [1, 1]]), [VECTOR, np.zeros(1, np.int32)])


def test_inputs_that_spread_along_each_others_axes_are_refused_before() -> None:
    column, row = np.ones((1 << 12, 1), np.float32), np.ones((1, 1 << 12), np.float32)
    for operation in ("add", "select_n", "clamp", "complex", "random_fold_in"):
        inputs = [0, 1, 0] if operation in ("select_n", "clamp") else [0, 1]
        refused_with_little_memory(
            program(equation(operation, {}, inputs, [9]), constants=[[0, 0], [1, 1]]), [column, row]
        )


SQUARE = [2048, 2048]
PRODUCT = {"dimension_numbers": [[[1], [0]], [[], []]], "preferred_element_type": None}

MANY: dict[str, Callable[[], tuple[bytes, list[Array]]]] = {
    "many equations": lambda: (program(*(equation(outputs=[index]) for index in range(data.MOST_EQUATIONS + 1))), []),
    "many empty lists": lambda: (b"[{" + b'"block": [[],[],[' + b"[]," * 200_000 + b"[]],[0]]}]", []),
    "a text that is too long": lambda: (b" " * (data.LARGEST_PROGRAM_TEXT + 1), []),
    "deep blocks": lambda: (program(deep(data.DEEPEST_BLOCK + 1)), []),
    "very deep blocks": lambda: (program(deep(150)), []),
    "many constants": lambda: (
        program(equation(), constants=[[index + 1, 0] for index in range(100_000)], outputs=[0, 0]),
        [np.ones(1 << 22, np.float32)],
    ),
    "many large values": lambda: (
        program(
            equation("iota", {"dtype": "float32", "shape": [1 << 22], "dimension": 0}, [], [0], [WIDE]),
            *(equation("neg", {}, [index], [index + 1], [WIDE]) for index in range(200)),
        ),
        [],
    ),
    "many large views": lambda: (
        program(
            *(
                equation("broadcast_in_dim", {"shape": [1 << 22], "broadcast_dimensions": []}, [ONE], [index], [WIDE])
                for index in range(200)
            )
        ),
        [],
    ),
    "a sequence of large rows": lambda: (
        program(
            equation("broadcast_in_dim", {"shape": [1 << 22], "broadcast_dimensions": []}, [ONE], [0], [WIDE]),
            equation(
                "scan",
                {"constants": 1, "carried": 0, "length": 50_000, "reverse": False},
                [0],
                [1],
                [["float32", [50_000]]],
                -1,
                [[[0], [], [], [0]]],
            ),
        ),
        [],
    ),
    "rows of one number": lambda: (
        program(
            equation("broadcast_in_dim", {"shape": [1 << 22], "broadcast_dimensions": []}, [ONE], [0], [WIDE]),
            equation("unstack", {"axis": 0}, [0], [1], [SCALAR]),
        ),
        [],
    ),
    "an array that is too large": lambda: (
        program(equation()),
        [np.broadcast_to(np.float32(1), data.LARGEST_ARRAY + 1)],
    ),
    "an array of objects": lambda: (program(equation()), [np.array([object()])]),
    "many equal inputs": lambda: (
        program(
            equation("broadcast_in_dim", {"shape": [1 << 22], "broadcast_dimensions": []}, [ONE], [0], [WIDE]),
            equation("concatenate", {"dimension": 0}, [0] * 10_000, [1], [WIDE]),
        ),
        [],
    ),
    "a slow operation": lambda: (
        program(
            equation("broadcast_in_dim", {"shape": [1 << 22], "broadcast_dimensions": []}, [ONE], [0], [WIDE]),
            equation("erf_inv", {}, [0], [1], [WIDE]),
        ),
        [],
    ),
    "a product of large matrices": lambda: (
        program(
            equation(
                "broadcast_in_dim", {"shape": SQUARE, "broadcast_dimensions": []}, [ONE], [0], [["float32", SQUARE]]
            ),
            equation("dot_general", PRODUCT, [0, 0], [1], [["float32", SQUARE]]),
        ),
        [],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_too_much_of_anything_is_refused_with_little_memory(name: str) -> None:
    refused_with_little_memory(*MANY[name]())


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["float32", "key", "sin"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["axes", "shape", "y"]), inner, max_size=2)
    ),
    max_leaves=8,
)


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to each part of some plain data."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(path for key, inner in pairs for path in paths(inner, (*at, key)))]


TEMPLATE: Any = json.loads(text_of([sent(an_answer)]))
ARRAYS = list(sent(an_answer).arrays)


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(paths(TEMPLATE)[1:]), PLAIN)
def test_a_program_with_one_part_replaced_is_evaluated_or_refused(path: tuple[Any, ...], part: Any) -> None:
    changed = json.loads(json.dumps(TEMPLATE))
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = part
    started = time.process_time()
    with contextlib.suppress(NotAProgram):
        assert all(isinstance(one, np.ndarray) for one in evaluated(json.dumps(changed).encode(), ARRAYS))
    assert time.process_time() - started < SECONDS
