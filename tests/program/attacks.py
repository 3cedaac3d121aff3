"""Programs that an answer could send to deceive the grader, or to take its time or its memory: texts and their arrays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.values.arrays import Array


def program(*equations: Any, outputs: Any = (0,), constants: Any = (), places: Any = ()) -> bytes:
    return json.dumps([{"block": [[], constants, equations, outputs], "places": places}]).encode()


ONE = ["float32", 1.0]
SCALAR = ["float32", []]


def equation(
    operation: Any = "sin",
    parameters: Any = None,
    inputs: Any = (ONE,),
    outputs: Any = (0,),
    forms: Any = (SCALAR,),
    place: Any = -1,
    blocks: Any = (),
) -> list[Any]:
    return [operation, parameters or {}, inputs, outputs, forms, place, blocks]


WIDE = ["float32", [1 << 22]]
NARROW = ["float32", [8]]
"""The form of the values that are due."""
HALVES = ["float16", [1 << 22]]
PAIR = ["float32", [2]]

Attack = Callable[[], tuple[bytes, list[Array]]]


def values(operation: str, parameters: Any, *inputs: Any, constants: int = 1) -> bytes:
    """One operation on the first constants, which says that it gives what is due."""
    pairs = [[index, index] for index in range(constants)]
    return program(equation(operation, parameters, inputs, [9], [NARROW]), constants=pairs, outputs=[9])


def wide(*equations: Any, output: int = 9, **options: Any) -> bytes:
    """Equations after one that makes a large value, number 100."""
    make = equation("broadcast_in_dim", {"shape": [1 << 22], "broadcast_dimensions": []}, [ONE], [100], [WIDE])
    return program(make, *equations, outputs=[output], **options)


def scan(length: Any, block: Any, *, inputs: Any = (ONE,), carried: Any = 1, forms: Any = (SCALAR,)) -> list[Any]:
    parameters = {"constants": 0, "carried": carried, "length": length, "reverse": False}
    return equation("scan", parameters, inputs, [9 + index for index in range(len(forms))], forms, -1, [block])


def loop(condition: Any, body: Any, inputs: Any, forms: Any) -> list[Any]:
    parameters = {"condition_constants": 0, "body_constants": 0}
    outputs = [9 + index for index in range(len(forms))]
    return equation("while", parameters, inputs, outputs, forms, -1, [condition, body])


IDENTITY = [[0], [], [], [0]]
EIGHT = np.arange(8, dtype=np.float32)
ROWS = {
    "update_window_dims": [],
    "inserted_window_dims": [0],
    "scatter_dims_to_operand_dims": [0],
    "operand_batching_dims": [],
    "scatter_indices_batching_dims": [],
}
TAKEN = {
    "offset_dims": [0],
    "collapsed_slice_dims": [],
    "start_index_map": [0],
    "operand_batching_dims": [],
    "start_indices_batching_dims": [],
}


def gathered(sizes: Any, mode: Any = "CLIP", fill: Any = None, **dimensions: Any) -> bytes:
    parameters = {"dimension_numbers": {**TAKEN, **dimensions}, "slice_sizes": sizes, "mode": mode, "fill_value": fill}
    return values("gather", parameters, 0, 1, constants=2)


def nested_text(levels: int, inner: str) -> bytes:
    return ("[" + '{"block":' * levels + inner + "}" * levels + "]").encode()


DOUBLING = [[0], [], [equation("concatenate", {"dimension": 0}, [0, 0], [1], [["float32", [16]]])], [1]]
MASKED = loop([[0, 1], [], [], [0]], [[0, 1], [], [], [0, 1]], [101, 100], [["bool", [1 << 22]], WIDE])
MASK = equation("lt", {}, [102, ["int32", 7]], [101], [["bool", [1 << 22]]])
COUNT = equation("iota", {"dtype": "int32", "shape": [1 << 22], "dimension": 0}, [], [102], [["int32", [1 << 22]]])
NARROWED = equation("slice", {"start_indices": [0], "limit_indices": [8], "strides": None}, [100], [9], [NARROW])

ATTACKS: dict[str, Attack] = {
    # Time.
    "a loop over rows that copies large values": lambda: (wide(COUNT, MASK, MASKED, output=10), []),
    "choices that round large values": lambda: (
        wide(
            *(
                equation("cond", {}, [["int32", 0], 100], [200], [HALVES], -1, [[[0], [], [], [0]]]),
                scan(
                    5000,
                    [
                        [0],
                        [],
                        [
                            equation(
                                "broadcast_in_dim",
                                {"shape": [1 << 21], "broadcast_dimensions": []},
                                [ONE],
                                [1],
                                [["float32", [1 << 21]]],
                            ),
                            equation("cond", {}, [["int32", 0], 1], [2], [["float16", [1 << 21]]], -1, [IDENTITY]),
                        ],
                        [0],
                    ],
                ),
            )
        ),
        [],
    ),
    "halves of normal draws": lambda: (wide(equation("end_normal", {}, [100], [9], [WIDE])), []),
    "draws with large bounds": lambda: (
        wide(
            *(
                equation(
                    "draw",
                    {"sampler": "uniform"},
                    [["key", 1], 100, 100],
                    [200 + index],
                    [SCALAR],
                    -1,
                    [[[0, 1, 2], [], [], [ONE]]],
                )
                for index in range(1000)
            ),
            output=200,
        ),
        [],
    ),
    "sorts of a large value": lambda: (
        wide(
            *(
                equation("sort", {"dimension": 0, "is_stable": True, "num_keys": 1}, [100], [200 + index], [WIDE])
                for index in range(6)
            ),
            output=200,
        ),
        [],
    ),
    "loops of a billion rounds inside each other": lambda: (
        program(scan(10**9, [[0], [], [scan(10**9, IDENTITY, inputs=[0])], [9]]), outputs=[9]),
        [],
    ),
    "a hundred thousand rounds of a thousand values": lambda: (
        program(
            equation(
                "scan",
                {"constants": 0, "carried": 4000, "length": 99_999, "reverse": False},
                [ONE] * 4000,
                list(range(4000)),
                [SCALAR] * 4000,
                -1,
                [[list(range(4000)), [], [], list(range(4000))]],
            )
        ),
        [],
    ),
    "many parts": lambda: (
        values("split", {"sizes": [0] * 100_000, "axis": 0}, 0),
        [EIGHT],
    ),
    "a power of two billion": lambda: (values("integer_pow", {"y": 2**31 - 1}, 0), [EIGHT + 0.5]),
    # Memory.
    "a sum along nothing": lambda: (values("reduce_sum", {"axes": [0]}, 0), [np.zeros((0, 1 << 27), np.float32)]),
    "the largest of nothing": lambda: (
        values("reduce_max", {"axes": [0]}, 0),
        [np.zeros((0, 1 << 14, 1 << 13), np.float32)],
    ),
    "windows that no update has": lambda: (
        values(
            "scatter",
            {"dimension_numbers": {**ROWS, "update_window_dims": [0], "inserted_window_dims": []}, "mode": "CLIP"},
            0,
            1,
            0,
            constants=2,
        ),
        [np.zeros(1 << 13, np.float32), np.zeros((1 << 14, 1), np.int32)],
    ),
    "rows of a sequence that are kept": lambda: (
        wide(
            equation(
                "scan",
                {"constants": 1, "carried": 0, "length": 1000, "reverse": False},
                [100],
                [9],
                [["float32", [1000, 1 << 22]]],
                -1,
                [IDENTITY],
            )
        ),
        [],
    ),
    "more taken than there is": lambda: (
        values("top_k", {"k": 1 << 21, "axis": 0}, 0),
        [np.zeros((8, 1 << 18), np.float32)],
    ),
    "values for the judge to hold": lambda: (wide(output=100), []),
    "many places": lambda: (program(equation(), places=[[1, 0, 1, 0]] * 50_000), []),
    # Shapes and counts.
    "values of another shape": lambda: (program(constants=[[0, 0]]), [np.zeros((2, 4, 2), np.float32)]),
    "no values at all": lambda: (program(constants=[[0, 0]]), [np.zeros(0, np.float32)]),
    "fewer programs than cases": lambda: (b"[]", []),
    "more programs than cases": lambda: (json.dumps(json.loads(program(constants=[[0, 0]])) * 3).encode(), [EIGHT]),
    "a state that doubles": lambda: (
        program(loop([[0], [], [], [["bool", True]]], DOUBLING, [0], [NARROW]), constants=[[0, 0]], outputs=[9]),
        [EIGHT],
    ),
    "no rounds, and rows": lambda: (
        program(
            scan(0, [[0, 1], [], [], [0, 1]], inputs=[ONE, 0], forms=[SCALAR, NARROW]), constants=[[0, 0]], outputs=[10]
        ),
        [EIGHT],
    ),
    "rounds before the first": lambda: (program(scan(-1, IDENTITY), outputs=[9]), []),
    "rounds in words": lambda: (program(scan("1000000000", IDENTITY), outputs=[9]), []),
    "rounds that are not a number": lambda: (program(scan(float("nan"), IDENTITY), outputs=[9]), []),
    "carried before the first": lambda: (program(scan(3, IDENTITY, carried=-1), outputs=[9]), []),
    "a negative size": lambda: (values("reshape", {"new_sizes": [-8]}, 0), [EIGHT]),
    "a truth as a size": lambda: (values("reshape", {"new_sizes": [True, 8]}, 0), [EIGHT]),
    "an axis beyond the last": lambda: (values("reduce_sum", {"axes": [2**31 - 1]}, 0), [EIGHT]),
    "an axis twice": lambda: (values("transpose", {"permutation": [0, 0]}, 0), [EIGHT.reshape(2, 4)]),
    "a product of one axis twice": lambda: (
        values(
            "dot_general", {"dimension_numbers": [[[0, 0], [0, 0]], [[], []]], "preferred_element_type": None}, 0, 0
        ),
        [EIGHT],
    ),
    "a window that is larger than the array": lambda: (
        values("dynamic_slice", {"slice_sizes": [2**31 - 1]}, 0, ["int32", 0]),
        [EIGHT],
    ),
    "a window that starts at no number": lambda: (
        values("dynamic_slice", {"slice_sizes": [4]}, 0, ["float32", float("nan")]),
        [EIGHT],
    ),
    "slices of negative sizes": lambda: (gathered([-8]), [EIGHT, np.zeros((8, 1), np.int32)]),
    "slices of an axis that there is not": lambda: (
        gathered([8], start_index_map=[7], operand_batching_dims=[-3]),
        [EIGHT, np.zeros((1, 1), np.int32)],
    ),
    "slices at infinity": lambda: (gathered([1], mode="__import__"), [EIGHT, np.full((8, 1), np.inf, np.float32)]),
    "slices filled with a large number": lambda: (
        gathered([1], "FILL_OR_DROP", 10**300),
        [np.arange(8, dtype=np.int32), np.full((8, 1), -9, np.int32)],
    ),
    "padding between minus one": lambda: (values("pad", {"padding_config": [[0, 0, -1]]}, 0, ONE), [EIGHT]),
    "a choice that is not a number": lambda: (
        program(
            equation("cond", {}, [["float32", float("nan")], 0], [9], [NARROW], -1, [IDENTITY]),
            constants=[[0, 0]],
            outputs=[9],
        ),
        [EIGHT],
    ),
    "a choice at infinity": lambda: (
        program(
            equation("cond", {}, [["float32", float("inf")], 0], [9], [NARROW], -1, [IDENTITY]),
            constants=[[0, 0]],
            outputs=[9],
        ),
        [EIGHT],
    ),
    "a choice of nothing": lambda: (program(equation("cond", {}, [["int32", 0]], [9], [NARROW]), outputs=[9]), []),
    # Types.
    "complex numbers": lambda: (
        program(
            equation("convert_element_type", {"new_dtype": "complex64"}, [0], [9], [["complex64", [8]]]),
            constants=[[0, 0]],
            outputs=[9],
        ),
        [EIGHT],
    ),
    "text": lambda: (values("convert_element_type", {"new_dtype": "str"}, 0), [EIGHT]),
    "numbers of no bits": lambda: (values("convert_element_type", {"new_dtype": "float0"}, 0), [EIGHT]),
    "numbers of eight bits": lambda: (program(equation(forms=[["float8_e4m3fn", []]])), []),
    "a dtype with fields": lambda: (values("convert_element_type", {"new_dtype": [["a", "float32"]]}, 0), [EIGHT]),
    "truth of other bytes": lambda: (
        program(
            equation("bitcast_convert_type", {"new_dtype": "bool"}, [0], [9], [["bool", [8]]]),
            constants=[[0, 0]],
            outputs=[9],
        ),
        [np.full(8, 200, np.uint8)],
    ),
    "a number of thousands of digits": lambda: (program(equation(inputs=[["float32", 10**4000]])), []),
    "a number of more digits than Python reads": lambda: (
        b'[{"block": [[], [], [], [["int32", ' + b"9" * 50_000 + b']]], "places": []}]',
        [],
    ),
    "a negative number without sign": lambda: (program(equation("neg", {}, [["uint8", -1]], [0], [["uint8", []]])), []),
    "complex numbers in words": lambda: (program(equation("real", {}, [["complex64", ["1+2j"]]], [0], [SCALAR])), []),
    "a product that is too large": lambda: (
        values("cumprod", {"axis": 0, "reverse": False}, 0),
        [np.full(8, 1e38, np.float32)],
    ),
    "constants that are not numbers": lambda: (program(constants=[[0, 0]]), [np.full(8, np.nan, np.float32)]),
    # Keys.
    "keys of one word": lambda: (values("random_wrap", {}, 0), [np.zeros((8, 1), np.uint32)]),
    "keys without a word": lambda: (values("random_wrap", {}, 0), [np.zeros((8, 0), np.uint32)]),
    "keys that are not numbers": lambda: (values("random_split", {"shape": [8]}, ["float32", float("nan")]), [EIGHT]),
    "bits of another width": lambda: (values("random_bits", {"bit_width": 7, "shape": [8]}, ["key", 1]), [EIGHT]),
    "a draw of a negative shape": lambda: (
        values("random_bits", {"bit_width": 32, "shape": [-8]}, ["key", 1]),
        [EIGHT],
    ),
    "a sampler that is an object": lambda: (
        program(
            equation("draw", {"sampler": {"a": [1] * 1000}}, [["key", 1]], [9], [NARROW], -1, [[[0], [], [], [ONE]]]),
            outputs=[9],
        ),
        [],
    ),
    # Names and scopes.
    "a value of the outer block": lambda: (
        program(
            equation("cond", {}, [["int32", 0]], [9], [NARROW], -1, [[[], [], [], [0]]]),
            constants=[[0, 0]],
            outputs=[9],
        ),
        [EIGHT],
    ),
    "an input that is defined twice": lambda: (program(scan(3, [[0, 0], [], [], [0]]), outputs=[9]), []),
    "two equations that read each other": lambda: (
        program(equation(inputs=[1], outputs=[0]), equation(inputs=[0], outputs=[1])),
        [],
    ),
    "a value that each branch defines": lambda: (
        program(
            equation(
                "cond",
                {},
                [["int32", 5]],
                [9],
                [NARROW],
                -1,
                [[[], [], [equation()], [0]], [[], [], [equation("cos")], [0]]],
            ),
            outputs=[9],
        ),
        [],
    ),
    "a name of half a character": lambda: (
        b'[{"block": [[], [], [["\\ud800", {}, [], [0], [["float32", []]], -1, []]], [0]], "places": []}]',
        [],
    ),
    "names twice": lambda: (
        b'[{"block": 1, "block": [[], [[0, 0]], [], [0]], "places": 2, "places": []}]',
        [EIGHT],
    ),
    "text of two bytes a character": lambda: (program(constants=[[0, 0]]).decode().encode("utf-16"), [EIGHT]),
    "objects inside each other": lambda: (nested_text(50_000, "1"), []),
    "control characters": lambda: (program(equation("\x1b]0;owned\x07")), []),
    # Places.
    "a place before the first line": lambda: (program(equation(place=0), places=[[-1, 0, 1, 1]]), []),
    "a place beyond all lines": lambda: (
        program(
            equation("add", {}, [0, 0], [9], [NARROW], 0), constants=[[0, 0]], outputs=[9], places=[[2**31 - 1] * 4]
        ),
        [EIGHT],
    ),
    "a place in another file": lambda: (program(equation(place=0), places=[[1, 0, 1, 1, "/etc/passwd\x1b[2J"]]), []),
    "a place that is a truth": lambda: (program(equation(place=True), places=[[1, 0, 1, 1]] * 2), []),
}
