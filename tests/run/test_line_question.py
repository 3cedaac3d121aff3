"""What each expression of a program makes; nothing in a reply is believed that no reply can hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.program.data import Place
from grader.run.evaluator_calls import kinds_of, lines
from grader.run.questions import Made, believed_lines, values_of_lines
from grader.values.codec import from_frame
from grader.values.decode import Malformed
from grader.where.steps import Packed, packed
from tests.program.sent import sent

TEXT = Path(__file__).read_text(encoding="utf-8")


def x() -> Any:
    return jnp.asarray(np.arange(6.0).reshape(2, 3), float)


def made_by(function: Callable[[], Any], *steps: Any) -> dict[str, Made]:
    """What each expression of a function makes, by its text."""
    data = (
        Packed(packed([{f"1:0:add:0:{at}": np.stack([one]) for at, one in enumerate(steps)}]), (4,)) if steps else None
    )
    listed = values_of_lines(sent(function, __file__), {}, data, 4)
    assert believed_lines(listed, TEXT)
    source = TEXT.encode().splitlines()
    return {source[made.place.line - 1][made.place.column : made.place.end_column].decode(): made for made in listed}


def test_an_expression_has_a_form_a_range_and_its_first_values() -> None:
    one = made_by(lambda: jnp.cos(x()) + 1)["jnp.cos(x()) + 1"]
    assert (one.dtype, one.shape, one.count, one.occurs) == ("float32", (2, 3), 1, None)
    due = np.cos(np.arange(6.0)) + 1
    np.testing.assert_allclose(one.values, due, rtol=1e-6)
    np.testing.assert_allclose([one.low, one.high], [due.min(), due.max()], rtol=1e-6)


def test_of_a_call_of_a_library_the_value_that_leaves_it_is_told() -> None:
    one = made_by(lambda: jax.nn.softmax(x()))["jax.nn.softmax(x())"]
    assert one.count == 1
    np.testing.assert_allclose(np.sum(one.values[:3]), 1.0, rtol=1e-6)


@pytest.mark.parametrize("used", [True, False])
def test_of_a_power_of_whole_numbers_the_power_is_told_and_no_value_that_jax_throws_away(used: bool) -> None:
    def powers() -> Any:
        k = jnp.arange(-1, 3)
        power = 3**k
        return power * 1.0 if used else jnp.sin(k)

    one, due = made_by(powers)["3**k"], np.asarray(3 ** jnp.arange(-1, 3))
    np.testing.assert_array_equal(one.values, due)
    assert (one.low, one.high) == (due.min(), due.max())


def test_a_line_in_a_loop_is_counted() -> None:
    def rolled() -> Any:
        return lax.scan(lambda total, row: (total + jnp.sin(row), total), jnp.zeros(3), x())[1]

    one = made_by(rolled)["jnp.sin(row)"]
    assert (one.count, one.shape) == (2, (3,))
    np.testing.assert_allclose(one.values, np.sin([3.0, 4.0, 5.0]), rtol=1e-6)


def test_under_a_derivative_an_expression_has_its_own_value_and_not_one_of_the_backward_pass() -> None:
    def loss(w: Any) -> Any:
        return jnp.mean(jnp.tanh(x() @ w)[:, 0] ** 2)

    def trained() -> Any:
        return lax.scan(lambda w, _: (w - jax.grad(loss)(w), loss(w)), jnp.ones((3, 1)), length=2)[1]

    found, summed = made_by(trained), np.arange(6.0).reshape(2, 3).sum(axis=1)
    assert found["jnp.tanh(x() @ w)"].shape == (2, 1)
    one = found["jnp.tanh(x() @ w)[:, 0]"]
    assert (one.shape, found["jnp.mean(jnp.tanh(x() @ w)[:, 0] ** 2)"].shape) == ((2,), ())
    assert max(one.values) == one.high
    assert np.tanh(summed).max() >= max(one.values)
    alone = made_by(lambda: jax.grad(loss)(jnp.ones((3, 1))))
    np.testing.assert_allclose(alone["jnp.tanh(x() @ w)"].values, np.tanh(summed), rtol=1e-6)
    assert alone["jnp.tanh(x() @ w)"].count == 1


def test_keys_have_a_shape_and_no_values() -> None:
    one = made_by(lambda: jax.random.uniform(jax.random.key(3), (2,)))["jax.random.key(3)"]
    assert (one.dtype, one.shape, one.values, one.low) == ("key", (), (), None)


def test_values_occur_in_the_reference_or_are_doubted() -> None:
    wide = np.arange(6.0).reshape(2, 3)
    found = made_by(lambda: jnp.tanh(jnp.sin(x() * 2)).sum(axis=0) + jnp.zeros(3), wide * 2, wide)
    assert (found["x() * 2"].occurs, found["x() * 2"].doubted) == (True, False)
    assert (found["jnp.sin(x() * 2)"].occurs, found["jnp.sin(x() * 2)"].doubted) == (False, True)
    assert (found["jnp.tanh(jnp.sin(x() * 2))"].occurs, found["jnp.tanh(jnp.sin(x() * 2))"].doubted) == (False, False)
    assert found["jnp.zeros(3)"].occurs is None


@pytest.mark.parametrize("data", [b"no steps", packed([])])
def test_without_the_steps_of_the_case_there_are_no_lines(data: bytes) -> None:
    assert values_of_lines(sent(lambda: x() * 2, __file__), {}, Packed(data, (0,)), 0) == ()


ROW: dict[str, Any] = {
    "place": {"line": 3, "column": 0, "end_line": 3, "end_column": 4},
    "count": 1,
    "dtype": "float32",
    "shape": [2],
}
ROW |= {"low": 0.0, "high": 1.0, "values": [0.0, 1.0], "occurs": None, "doubted": False}


def place(**change: Any) -> dict[str, Any]:
    return {"place": ROW["place"] | change}


def read(listed: Any) -> tuple[Made, ...] | None:
    """The rows of a reply; None if it is none, or is not believed."""
    try:
        rows: tuple[Made, ...] = from_frame(kinds_of(lines)[1], listed, [])
    except Malformed:
        return None
    return rows if believed_lines(rows, TEXT) else None


def test_a_reply_of_the_right_form_is_read() -> None:
    (one,) = read([ROW]) or ()
    assert (one.place, one.shape, one.values) == (Place(3, 0, 3, 4), (2,), (0.0, 1.0))


@pytest.mark.parametrize(
    "change",
    [
        *(place(line=line) for line in (0, -1, 4, 10**9, 3.0, True)),
        *(place(end_line=line) for line in (2, 10**9)),
        *(place(column=column) for column in (4, 99, -1)),
        *(place(end_column=column) for column in (0, 999, "4")),
        *({"dtype": dtype} for dtype in ("float33", "", 7)),
        *({"shape": shape} for shape in ([-1], [1 << 50], [1] * 99, "x", None)),
        *({"values": values} for values in ([0.0] * 99, ["x"], [True], None)),
        *({"low": low} for low in ("x", True, [])),
        *({"occurs": value} for value in ("yes", 7)),
        *({"doubted": value} for value in (None, 1)),
        {"more": 1},
    ],
    ids=str,
)
def test_a_forged_row_is_refused(change: dict[str, Any]) -> None:
    assert read([{**ROW, **change}]) is None


@pytest.mark.parametrize("listed", [None, {}, [ROW] * 9999, [[]]], ids=str)
def test_a_forged_reply_is_refused(listed: Any) -> None:
    assert read(listed) is None
