"""`run`: an answer is called once, with arguments of the learner's choice."""

from __future__ import annotations

import re

import pytest

from grader.commands.run import chosen, shape_of, unlike_the_cases
from grader.kit.kit import KitError
from grader.marking.facts import Facts
from tests.commands.test_trace import HALF
from tests.conftest import FLAGSHIP, Command

FACTS = Facts("toy", ("seed", "T", "rate"), ((0, 3, 0.5), (0, 5, 0.25)), ("position", "dim"), ())


def test_what_it_prints_and_returns_is_shown_in_the_shape_of_the_statement(grader: Command) -> None:
    file = grader.kit / "run_half.py"
    file.write_text(HALF.replace("    angles", "    print('i is', i)\n    angles"))
    done = grader("run", FLAGSHIP, "T=2", "d_model=6", "--answer", str(file))
    assert (done.returncode, done.stderr) == (0, f" Kit: {grader.kit}\n")
    assert done.stdout.splitlines()[0] == " sinusoidal_pos(seed=0, T=2, d_model=6)"
    assert "It printed:\n   | i is [0 1 2]\n" in done.stdout
    assert "It returned float32 of shape (12,), shown as (2, 6), position x dim:" in done.stdout
    assert "   [[0.     1.     0.     1.     0.     1.    ]\n" in done.stdout


def test_the_values_of_a_case_stand_beside_those_that_are_expected_where_these_are_told(grader: Command) -> None:
    file = grader.kit / "run_case.py"
    file.write_text(HALF)
    shown = grader("run", FLAGSHIP, "T=3", "d_model=4", "--answer", str(file)).stdout
    assert "Expected:\n   [[ 0.      1.      0.      1.    ]\n" in shown
    assert "Expected" not in grader("run", FLAGSHIP, "T=4", "d_model=4", "--answer", str(file)).stdout
    held = grader("run", FLAGSHIP, "T=3", "d_model=4", "--answer", str(file), "--feedback", "diagnosis").stdout
    assert "Expected" not in held


def test_an_answer_that_fails_shows_its_line_and_the_advice(grader: Command) -> None:
    file = grader.kit / "run_raises.py"
    file.write_text(HALF.replace("jnp.arange(T)[:, None]", "jnp.arange(T)"))
    done = grader("run", FLAGSHIP, "T=3", "d_model=8", "--answer", str(file))
    assert done.returncode == 1
    assert "line 5" in done.stdout
    assert "Shapes broadcast from the right" in done.stdout
    file.write_text("def sinusoidal_pos(seed, T, d_model):\n    return None\n")
    assert "and no array" in grader("run", FLAGSHIP, "--answer", str(file)).stdout


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("rows=3", "sinusoidal_pos has no argument 'rows'. Its arguments are: seed=0, T=3, d_model=4."),
        ("T=many", "T should be a whole number, and 'many' is not."),
        ("T", "T needs a value, as in T=3."),
    ],
)
def test_a_word_that_is_no_argument_gives_one_line(word: str, said: str, grader: Command) -> None:
    file = grader.kit / "run_words.py"
    file.write_text(HALF)
    done = grader("run", FLAGSHIP, word, "--answer", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{said}\n"


def test_without_a_name_it_calls_the_current_problem(own_kit: Command) -> None:
    (own_kit.kit / "problems" / FLAGSHIP / "stub.py").write_text(HALF)
    done = own_kit("run", "T=2")
    assert f"{FLAGSHIP}(seed=0, T=2, d_model=4)" in done.stdout
    assert "The current problem is sinusoidal_pos." in done.stderr


def test_a_stub_that_is_not_filled_in_says_so(grader: Command) -> None:
    done = grader("run", FLAGSHIP)
    assert done.returncode == 1
    assert "Not filled in yet" in done.stdout


def test_missing_arguments_are_those_of_the_first_case_and_each_has_its_kind() -> None:
    assert chosen(FACTS, ["T=7", "rate=1"]) == {"seed": 0, "T": 7, "rate": 1.0}
    with pytest.raises(KitError, match=r"T should be a whole number, and '1\.5' is not"):
        chosen(FACTS, ["T=1.5"])


def test_a_shape_is_known_where_arguments_say_all_sizes_but_one() -> None:
    arguments = {"seed": 0, "T": 7, "rate": 0.5}
    assert shape_of(FACTS, [(3, 4), (5, 4)], arguments) == (7, 4)
    assert shape_of(FACTS, [(3, 6), (5, 10)], arguments) == (7, -1)
    assert shape_of(FACTS, [(6, 6), (10, 10)], arguments) == ()
    assert shape_of(FACTS, [(6, 6), (10, 10)], FACTS.arguments(1)) == (10, 10)


def test_an_argument_takes_a_fraction_if_it_is_one_in_any_case() -> None:
    facts = Facts("toy", ("rate",), ((1,), (0.5,)), (), ())
    assert chosen(facts, ["rate=0.25"]) == {"rate": 0.25}


def test_there_is_no_option_that_does_nothing(grader: Command) -> None:
    assert "--feedback" not in grader("run", "--help").stdout


def test_an_argument_is_unlike_the_cases_if_it_is_out_of_their_range_or_no_multiple_as_all_of_them() -> None:
    facts = Facts("toy", ("seed", "T", "d", "rate"), ((0, 1, 4, 0.5), (3, 7, 6, 0.25), (1, 3, 16, 0.5)), (), ())
    usual = {"seed": 99, "T": 5, "d": 8, "rate": 0.3}
    assert unlike_the_cases(facts, usual) == {}
    assert unlike_the_cases(facts, {**usual, "T": 0}) == {"T": ["1", "3", "7"]}
    assert unlike_the_cases(facts, {**usual, "d": 5, "rate": 2.0}) == {"d": ["4", "6", "16"], "rate": ["0.25", "0.5"]}


def test_arguments_that_no_case_has_run_and_a_line_says_what_the_lesson_calls_it_with(grader: Command) -> None:
    file = grader.kit / "run_unusual.py"
    file.write_text(HALF)
    done = grader("run", FLAGSHIP, "T=0", "d_model=4", "--answer", str(file))
    assert (done.returncode, "It returned float32 of shape (0,)" in done.stdout) == (0, True)
    (line,) = [line for line in done.stdout.splitlines() if "The lesson calls it with" in line]
    assert line.startswith(" The lesson calls it with T = 1, ")
    assert "The lesson calls" not in grader("run", FLAGSHIP, "T=3", "--answer", str(file)).stdout


JITTED = """from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(0, 1, 2))
def sinusoidal_pos(seed, T, d_model):
    return jnp.sin(jnp.arange(T)[:, None] * jnp.ones(d_model)).reshape(-1)
"""


@pytest.mark.parametrize("text", [HALF, JITTED], ids=["op by op", "compiled"])
def test_a_call_that_asks_for_too_much_memory_says_so_with_the_limit_and_shows_no_stack(
    text: str, grader: Command
) -> None:
    file = grader.kit / "run_large.py"
    file.write_text(text)
    done = grader("run", FLAGSHIP, f"T={10**12}", "--answer", str(file), "--memory-limit", "1G")
    assert done.returncode == 1
    assert "It asked for more memory than there is. An answer may use 1 GB of it." in done.stdout
    assert "stack trace" not in done.stdout


@pytest.mark.slow
def test_a_call_that_is_ended_at_a_limit_says_at_which_one_and_at_which_line_where_that_is_known(
    grader: Command,
) -> None:
    file = grader.kit / "run_too_large.py"
    file.write_text("import numpy as np\n\n\ndef sinusoidal_pos(seed, T, d_model):\n    return np.ones(T).cumsum()\n")
    large = grader("run", FLAGSHIP, f"T={10**8}", "--answer", str(file), "--memory-limit", "600M").stdout
    assert "It used more than the 600 MB of memory that an answer may use." in large
    file.write_text("def sinusoidal_pos(seed, T, d_model):\n    while True:\n        T = T + 1\n")
    long = grader("run", FLAGSHIP, "--answer", str(file)).stdout
    assert "a `while` loop that only an error could end" in long
    assert re.search(r"run_too_large\.py, line [23]\n", long)
