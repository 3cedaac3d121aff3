"""Advice for errors: exceptions that JAX and NumPy really raise get their sentence, and other exceptions get none."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx
from jax.experimental import pallas

from grader.locale.language import speaking
from grader.marking.advice import advice_for, first_lines, in_cells, raised_from
from grader.marking.verdict import Described, Frame
from grader.run.answer.exceptions import describe

X = np.arange(6.0)


def exits() -> None:
    raise SystemExit


def traced(function: Callable[[Any], Any]) -> Callable[[], Any]:
    return lambda: jax.make_jaxpr(function)(X)


def no_end() -> None:
    no_end()


def assigns() -> None:
    jnp.zeros(3)[0] = 1.0  # type: ignore[index]


def keeps_a_list(module: Any) -> None:
    module.layers = [LINEAR]


LINEAR = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
SGD = nnx.Optimizer(LINEAR, optax.sgd(0.1), wrt=nnx.Param)
PARTS = nnx.State({"bias": nnx.state(LINEAR)["bias"]})

LOSS = jnp.sum(X)


class Forward(nnx.Module):
    """A module as in another library: its method has another name."""

    def forward(self, x: Any) -> Any:
        return x


def outlived() -> Any:
    kept: list[Any] = []
    jax.jit(lambda x: kept.append(x))(X)
    return kept[0] + 1


def with_rules(forward: Callable[[Any], Any], backward: Callable[[Any, Any], Any]) -> Callable[[], Any]:
    doubled = jax.custom_vjp(lambda x: 2 * x)
    doubled.defvjp(forward, backward)
    return lambda: jax.grad(lambda x: doubled(x).sum())(X)


def scanned(body: Callable[[Any, Any], Any]) -> Callable[[], Any]:
    return lambda: jax.lax.scan(body, jnp.zeros(()), jnp.ones((3, 2)))


ERRORS: dict[str, tuple[Callable[[], Any], str]] = {
    "the value of a loss in place of the function": (lambda: jax.grad(LOSS), r"jax\.grad\(loss\)\(x\)"),
    "the value of a loss, for Flax": (lambda: nnx.grad(LOSS)(LINEAR), r"jax\.grad\(loss\)\(x\)"),
    "an array called": (lambda: LOSS(2), "as if it were a function"),
    "a traced array called": (traced(lambda x: x(2)), "as if it were a function"),
    "forward for __call__": (lambda: Forward()(X), "`__call__`"),
    "one result of a scan's body": (scanned(lambda carry, row: carry), "two things"),
    "a carry of another shape": (scanned(lambda carry, row: (carry + row, None)), "keeps its shape and dtype"),
    "a carry of another structure": (scanned(lambda carry, row: (None, row)), "built like the first one"),
    "a carry of a while loop": (
        lambda: jax.lax.while_loop(lambda x: x.sum() < 3, lambda x: x[:, None] + x, jnp.zeros(2)),
        "keeps its shape and dtype",
    ),
    "branches of other dtypes": (traced(lambda x: jax.lax.cond(x[0] > 0, lambda: 1, lambda: 1.0)), "All branches"),
    "a backward rule without a tuple": (
        with_rules(lambda x: (2 * x, None), lambda _, g: 2 * g),
        r"a tuple with one gradient for each argument.*`return \(g,\)`",
    ),
    "a forward rule without residuals": (
        with_rules(lambda x: 2 * x, lambda _, g: (2 * g,)),
        "two things: the output, and what the backward rule needs",
    ),
    "a kernel on a CPU": (
        lambda: pallas.pallas_call(lambda x, y: None, out_shape=jax.ShapeDtypeStruct((6,), "float32"))(X),
        r"interpret=True",
    ),
    "a scan over two lengths": (
        lambda: jax.lax.scan(lambda carry, row: (carry, None), 0.0, (jnp.ones(3), jnp.ones(4))),
        "the same length",
    ),
    "a vmap over two lengths": (lambda: jax.vmap(jnp.add)(jnp.ones(3), jnp.ones(4)), "the same length"),
    "the gradient of an array": (lambda: jax.grad(jnp.sin)(X), "one number"),
    "a stream that is not there": (lambda: nnx.Rngs(params=0).dropout(), r"nnx\.Rngs\(dropout=key\)"),
    "a layer without keys": (lambda: nnx.Linear(2, 3), "rngs=rngs"),
    "a tracer that outlived its function": (outlived, "outside of the function that JAX traced"),
    **{f"{name} without an import": (lambda name=name: eval(name, {}), "import") for name in ("jax", "nnx", "nn")},
    "a curly single quote": (lambda: compile("x = ‘a’", "", "exec"), "the straight quote"),
    "assignment": (assigns, r"x\.at\[i\]\.set"),
    "arrays not in a list": (lambda: jnp.concatenate(jnp.ones(2), jnp.ones(2)), r"one list of arrays"),
    "a number in a list of arrays": (
        lambda: jnp.concatenate([jnp.float32(1.0), jnp.ones(2)]),
        r"use `x\[None\]`",
    ),
    "math on an array": (lambda: math.sqrt(jnp.arange(3.0)), r"takes one number"),
    "a factor without a sign": (lambda: compile("2k", "", "eval"), r"2 \* k"),
    "numpy in a trace": (traced(np.sin), r"jax\.numpy"),
    "if in a trace": (traced(lambda x: 1 if x[0] > 0 else 2), r"jnp\.where"),
    "if on an array": (lambda: 1 if jnp.arange(3) > 1 else 2, r"jnp\.where"),
    "range in a trace": (traced(lambda x: list(range(x[0].astype(int)))), "Python index or size"),
    "mask in a trace": (traced(lambda x: x[x > 0]), r"x\[mask\]"),
    "float in a trace": (traced(lambda x: float(x[0])), r"float\(\), int\(\) and bool\(\)"),
    "size in a trace": (traced(lambda x: jnp.arange(x[0])), "A size, or which values there are"),
    "places in a trace": (traced(jnp.nonzero), "A size, or which values there are"),
    "float as an index": (lambda: jnp.arange(3)[1.5], "divide with //"),
    "float as a size": (lambda: jnp.zeros(2.5), "divide with //"),
    "float as a count": (lambda: range(2.5), "divide with //"),  # type: ignore[arg-type]
    "float as an index of a range": (lambda: range(5)[1.5], "divide with //"),  # type: ignore[call-overload]
    "float as an index of numpy": (lambda: X[1.5], "divide with //"),  # type: ignore[call-overload]
    "traced slice": (traced(lambda x: x[: x[0].astype(int)]), "length of a slice"),
    "shapes": (lambda: jnp.zeros((2, 3)) + jnp.zeros(4), r"x\[:, None\]"),
    "shapes of numpy": (lambda: np.zeros((2, 3)) + np.zeros(4), r"x\[:, None\]"),
    "product": (lambda: jnp.zeros((2, 3)) @ jnp.zeros((2, 3)), "last axis of a"),
    "reshape": (lambda: jnp.zeros(6).reshape(4, 2), "reshapes an array"),
    "list": (lambda: jnp.sin([1.0, 2.0]), r"jnp\.array"),  # type: ignore[arg-type]
    "no key": (lambda: jax.random.normal(X, (3,)), r"jax\.random\.key"),
    "a stream in the place of a key": (lambda: jax.random.normal(nnx.Rngs(0).params, (3,)), "when it is called"),
    "a module from outside of a transform": (
        nnx.jit(lambda: nnx.grad(lambda model: model.bias[...].sum())(LINEAR)),
        "only modules that are its arguments",
    ),
    "an optimizer from outside of a transform": (
        nnx.jit(lambda: SGD.update(LINEAR, nnx.state(LINEAR))),
        "only modules that are",
    ),
    "gradients of other variables": (lambda: SGD.update(LINEAR, PARTS), "should pick the same variables"),
    "a list of modules": (lambda: type("Stack", (nnx.Module,), {"__init__": keeps_a_list})(), r"nnx\.List"),
    "division": (lambda: 1 // 0, "is zero here"),
    "recursion": (no_end, "without an end"),
    "exit": (exits, "call that exits"),
    "power": (lambda: X.astype(np.float32) ^ 2.0, r"written `\*\*`"),
    "power of JAX": (lambda: jnp.arange(3.0) ^ 2, r"written `\*\*`"),
    "shape in two arguments": (lambda: jnp.ones(3, 3), "one tuple"),
    "softmax": (lambda: jnp.softmax(X), r"write `jax\.nn\.softmax`"),  # type: ignore[attr-defined]
    "numpy not imported": (lambda: eval("np.ones(3)", {}), "import numpy as np"),
    "jax.numpy not imported": (lambda: eval("jnp.ones(3)", {}), r"import jax\.numpy as jnp"),
    "a curly quote": (lambda: compile("x = “a”", "a.py", "exec"), 'straight quote, `"`'),
    "a minus of typography": (lambda: compile("x = 3 − 2", "a.py", "exec"), "the minus key, `-`"),
    "a multiplication sign": (lambda: compile("x = 3 × 2", "a.py", "exec"), r"asterisk, `\*`"),
    "a space of typography": (lambda: compile("x =\u00a02", "a.py", "exec"), "or space again"),
    "a dash in a number": (lambda: compile("x = 1e–5", "a.py", "exec"), "pasted dash"),
    "a return outside": (lambda: compile("x = 1\nreturn x\n", "a.py", "exec"), "four spaces"),
    "a tab": (lambda: compile("if 1:\n        x = 1\n\ty = 2\n", "a.py", "exec"), "in place of each tab"),
    "math not imported": (lambda: eval("math.pi", {}), "import math"),
    "jax.softmax": (lambda: jax.softmax(X), r"jax\.nn"),  # type: ignore[attr-defined]
    "softmax without its module": (lambda: eval("softmax(3)", {}), r"write `jax\.nn\.softmax`"),
    "one_hot without its module": (lambda: eval("one_hot(3, 4)", {}), r"write `jax\.nn\.one_hot`"),
    "a relative import": (lambda: exec("from ..rope.stub import rope", {"__name__": "answer"}), "is one file"),
    "a relative import of a module": (lambda: exec("from . import stub", {"__name__": "answer"}), "is one file"),
    "dim": (lambda: jnp.sum(X, dim=0), "`axis`"),  # type: ignore[call-arg]
    "indent": (lambda: compile("if 1:\n  x\n   y\n", "a.py", "exec"), "same column"),
    "module": (lambda: __import__("no_such_module"), "may import jax, flax, optax, numpy"),
}


@pytest.mark.parametrize("title", ERRORS)
def test_an_error_that_is_really_raised_gets_its_advice(title: str) -> None:
    function, expected = ERRORS[title]
    with pytest.raises(BaseException) as raised:  # noqa: PT011
        function()
    described = raised_from(describe(raised.value, "a.py"))
    assert re.search(expected, str(described.advice)), described


@pytest.mark.parametrize("error", [TypeError("a bytes-like object is required"), KeyError("x"), OSError("disk full")])
def test_an_unknown_error_gets_no_advice(error: Exception) -> None:
    assert not raised_from(describe(error, "a.py")).advice


def test_an_exception_is_known_by_its_base_classes_too() -> None:
    of_base = advice_for(["MyDivision", "ZeroDivisionError", "ArithmeticError"], "")
    assert of_base
    assert of_base == advice_for(["ZeroDivisionError"], "")
    assert not advice_for(["ZeroDivisionErrors"], "")


@pytest.mark.parametrize(
    ("line", "told", "not_told"),
    [
        ("x = nn.Linear(2, 3, rngs=rngs)(x)", "from flax import nnx", "from jax"),
        ("class Model(nn.Module):", "from flax import nnx", "from jax"),
        ("return nn.softmax(x)", "from jax import nn", "flax"),
    ],
)
def test_the_line_shows_which_nn_is_meant(line: str, told: str, not_told: str) -> None:
    said = str(advice_for(["NameError", "Exception"], "name 'nn' is not defined", line))
    assert told in said
    assert not_told not in said


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("return x.reshape(4, 2)", "keeps the number of values"),
        ("x = jnp.reshape(x, (4, 2))", "keeps the number of values"),
        ("return <attn(x, mask=nnx.make_causal_mask(x))>.reshape(-1)", r"make_causal_mask\(jnp\.ones\(T\)\)"),
        ("return attn(<x.reshape(4, 2)>, mask=nnx.make_causal_mask(y))", "keeps the number of values"),
        ("return <attn(x, mask=mask)>.reshape(-1)", "that this line calls"),
    ],
)
def test_the_part_of_the_line_that_raised_shows_what_was_reshaped(line: str, told: str) -> None:
    with pytest.raises(TypeError) as raised:
        jnp.zeros(6).reshape(4, 2)
    start, text = line.find("<"), line.replace("<", "").replace(">", "")
    place = (start, line.find(">") - 1) if start >= 0 else ()
    described = Described("TypeError", str(raised.value), (Frame(1, "f", text, *place),), ("TypeError",))
    assert re.search(told, str(raised_from(described).advice))


@pytest.mark.parametrize(
    ("line", "told"),
    [("    while <x.any()>:", r"jax\.lax\.while_loop"), ("if <x.any()>: return x  # no while", r"jnp\.where")],
)
def test_a_choice_and_a_loop_by_a_traced_value_have_other_ways_out(line: str, told: str) -> None:
    with pytest.raises(jax.errors.TracerBoolConversionError) as raised:
        traced(lambda x: x.any() and x)()
    place = line.find("<"), line.find(">") - 1
    described = describe(raised.value, "a.py")
    at_line = Described(
        described.kind, described.message, (Frame(1, "f", re.sub("[<>]", "", line), *place),), described.lineage
    )
    assert re.search(told, str(raised_from(at_line).advice))


def test_without_its_line_both_meanings_of_nn_are_told() -> None:
    said = str(advice_for(["NameError"], "name 'nn' is not defined"))
    assert "from jax import nn" in said
    assert "from flax import nnx" in said


def test_the_first_lines_of_a_message_are_kept() -> None:
    assert first_lines("\none  \ntwo\nthree\nFour\n") == "one\ntwo\nthree ..."
    assert first_lines("one\ntwo\nthree.\nfour") == "one\ntwo\nthree."
    assert first_lines("one\n\nmore of the same") == "one"
    assert first_lines("one\nSee https://example.org for more") == "one"
    assert first_lines("x" * 301) == "x" * 297 + "..."
    assert first_lines("") == ""
    assert first_lines("one.\nTwo", most=1) == "one."


def test_the_cause_behind_an_empty_line_is_told() -> None:
    assert (
        first_lines("they differ:\n\nx is a pair\n\nRevise it.\n\nand so on") == "they differ:\nx is a pair\nRevise it."
    )
    assert first_lines("they differ:\n\nx is a pair\n\nRevise it.", most=1) == "they differ:\nx is a pair\nRevise it."
    assert first_lines("they differ.\n\ntrue_fun is <lambda> at a.py:1\n\nThe output") == "they differ.\nThe output"
    assert first_lines("given:\n\n  a\n  b\n  c\n  d\n  e\n  f\n  g\n  h").splitlines()[1:] == [
        *["  a", "  b", "  c", "  d", "  e", "  f", "  g ..."]
    ]
    assert first_lines("Consider these options:\n\n1. Drop it") == "Consider these options:"


def test_a_sentence_that_goes_on_in_lines_of_its_own_is_told_to_its_end() -> None:
    assert first_lines("one.\ntwo.\nIt has\n    <class 'list'>\nbut is\n    <class 'tuple'>.\nmore").splitlines()[
        3:
    ] == [
        "    <class 'list'>",
        "but is",
        "    <class 'tuple'>.",
    ]


def test_a_notebook_has_cells_and_no_top_of_its_file() -> None:
    def told(missing: str) -> str:
        return str(in_cells(advice_for(["NameError"], f"name '{missing}' is not defined")))

    assert told("nnx") == "Add `from flax import nnx` in a cell of the notebook."
    with speaking("es"):
        assert told("nnx") == "Añade `from flax import nnx` en una celda del cuaderno."
    assert told("softmax") == "This function is in jax.nn: write `jax.nn.softmax`."
