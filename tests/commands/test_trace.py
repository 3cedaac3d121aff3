"""`trace`: the real command on an answer, and what it says where there is nothing to walk through."""

from __future__ import annotations

import numpy as np
import pytest

from grader.commands.trace import chosen_case, trace, why_nothing
from grader.kit.kit import Kit, KitError
from grader.marking.attempt import Attempt
from grader.marking.facts import Truth
from grader.marking.verdict import Insight, Status
from grader.options import Options
from grader.values.arrays import Answered, Expected
from grader.values.message import verbatim
from tests.conftest import FLAGSHIP, Command

HALF = """import jax.numpy as jnp

def sinusoidal_pos(seed, T, d_model):
    i = jnp.arange(d_model // 2)
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-i / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(-1)
"""
TRUTH = Truth([Expected(np.zeros(size), 1e-6) for size in (1, 2, 30, 6, 4)], [(1,)] * 5, ["float32"] * 5, [{}] * 5)


def test_a_wrong_answer_is_walked_line_by_line(grader: Command) -> None:
    file = grader.kit / "trace_half.py"
    file.write_text(HALF)
    done = grader("trace", FLAGSHIP, "--answer", str(file), "--case", "1")
    assert (done.returncode, done.stderr) == (0, f" Kit: {grader.kit}\n")
    assert "case 1 of 8: seed=0, T=3, d_model=4" in done.stdout
    assert "= i              int32 (2,)  0 to 1  0 1" in done.stdout
    assert "? angles         float32 (3, 2)" in done.stdout
    assert "the result is wrong" in done.stdout


def test_where_expected_values_are_withheld_the_reference_is_not_spoken_of(grader: Command) -> None:
    file = grader.kit / "trace_withheld.py"
    file.write_text(HALF)
    shown = grader("trace", FLAGSHIP, "--answer", str(file), "--feedback", "diagnosis").stdout
    assert "angles         float32 (3, 2)" in shown
    assert not any(word in shown for word in ("reference", "wrong", "?"))


def test_a_stub_that_is_not_filled_in_says_so(grader: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert trace(Options(Kit(grader.kit)), FLAGSHIP, None, None) == 1
    assert "Not filled in yet" in capsys.readouterr().out


def test_without_a_number_the_case_is_small_and_shows_its_axes() -> None:
    assert chosen_case(TRUTH, None) == 4
    assert [chosen_case(TRUTH, number) for number in (1, 5)] == [0, 4]
    for number in (0, 6, -1):
        with pytest.raises(KitError, match="the cases are 1 to 5"):
            chosen_case(TRUTH, number)


@pytest.mark.slow
def test_without_a_number_the_smallest_case_that_fails_is_walked(grader: Command) -> None:
    file = grader.kit / "trace_window.py"
    file.write_text(HALF.replace("(-i", "(-2 * i").replace("jnp.arange(T)", "jnp.minimum(jnp.arange(T), 3)"))
    shown = grader("trace", FLAGSHIP, "--answer", str(file)).stdout
    assert "case 3 of 8: seed=0, T=9, d_model=2" in shown
    assert "the result is wrong" in shown
    file.write_text(HALF.replace("(-i", "(-2 * i"))
    assert "case 1 of 8" in grader("trace", FLAGSHIP, "--answer", str(file)).stdout


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (Attempt(Status.TIMEOUT, verbatim("It was still running.")), "It was still running."),
        (
            Attempt(insights=[Insight("not-traceable", verbatim("It does not trace under jax.jit."))]),
            "It does not trace under jax.jit.",
        ),
        (
            Attempt(answered=[Answered(None, instead=verbatim("NoneType"))]),
            "the answer returns no array of numbers (NoneType).",
        ),
        (Attempt(), "Compute with jax.numpy."),
    ],
)
def test_an_answer_without_a_program_says_why(attempt: Attempt, said: str) -> None:
    assert said in why_nothing(attempt)


TEXTBOOK = """
import numpy as np
import jax.numpy as jnp

def sinusoidal_pos(seed, T, d_model):
    angle = np.arange(T, dtype=np.float32)[:, None] * np.exp(np.arange(0, d_model, 2, dtype=np.float32) * np.float32(
        -np.log(10000.0) / d_model))
    table = np.zeros((T, d_model), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return jnp.asarray(table).reshape(-1)
"""


def test_a_right_table_by_numpy_is_right_in_the_walk_too(grader: Command) -> None:
    file = grader.kit / "trace_textbook.py"
    file.write_text(TEXTBOOK)
    assert "the result is right" in grader("trace", FLAGSHIP, "--answer", str(file), "--case", "7").stdout


@pytest.mark.slow
def test_what_only_the_program_shows_is_wrong_in_the_walk_too(grader: Command) -> None:
    file = grader.kit / "trace_base.py"
    file.write_text(HALF.replace("10000.0 ** (-i", "10001.0 ** (-2 * i"))
    assert "the result is wrong" in grader("trace", FLAGSHIP, "--answer", str(file), "--case", "1").stdout
    file.write_text(HALF.replace("** (-i", "** (-2 * i"))
    assert "the result is right" in grader("trace", FLAGSHIP, "--answer", str(file), "--case", "1").stdout
