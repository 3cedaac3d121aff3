"""The oracle child: whatever happens to it, the learner reads one line that says what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kit.problem_error import ProblemError
from grader.oracle.expect import truth_of
from grader.oracle.server import case_lines, declared_at, load
from tests.author import toys
from tests.conftest import Command

SABOTAGE = """
import grader.oracle.expect

def broken(*arguments, **options):
    raise KeyError("num_consts")

grader.oracle.expect.expect = broken
"""


def graded(kit: Path, reference: str, **environment: str) -> tuple[int, list[str]]:
    """Exit status and the lines on stderr of a run over a kit whose reference is this text."""
    (kit / toys.WORKED_FILE).write_text(reference)
    (kit / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(kit)("distance_decay", **environment)
    return done.returncode, done.stderr.strip().splitlines()


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return toys.make(tmp_path)


def test_a_fault_of_the_grader_is_reported_with_the_last_line_of_the_exception(kit: Path) -> None:
    status, (line,) = graded(kit, toys.WORKED + SABOTAGE)
    assert status == 2
    assert toys.WORKED_FILE in line
    assert "the grader failed on it with KeyError: 'num_consts' (GRADER_DEBUG=1 shows where)" in line


def test_the_traceback_is_printed_on_demand(kit: Path) -> None:
    status, lines = graded(kit, toys.WORKED + SABOTAGE, GRADER_DEBUG="1")
    assert status == 2
    assert "Traceback (most recent call last):" in lines
    assert any("in broken" in line for line in lines)
    assert any("KeyError: 'num_consts' (GRADER_DEBUG=1 shows where)" in line for line in lines)


def test_a_reference_that_exits_is_reported_with_its_line(kit: Path) -> None:
    status, (line,) = graded(kit, "import sys\nsys.exit(3)\n")
    assert status == 2
    assert f"{toys.WORKED_FILE}:2: SystemExit: 3" in line


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("(1, 5)]", "(1, 5),\n           (1, '5')]", "(1, '5')"),
        ("(1, 5)]", "(1, 5),\n           (1,)]", "(1,)"),
        ("(1, 5)]", "(1, 5),\n           (1, 5)]", "           (1, 5)]"),
        ("4.0 -> 2.0", "5.0 -> 2.0", "#: too-narrow"),
        ("#: too-narrow", "#: too-small", "#: too-small"),
        ("import Problem", "import Problm", "import Problm"),
        ("apart = jnp", "apart = jnp +", "apart = jnp +"),
        ("jnp.arange(T)\n", "jnp.arange_of(T)\n", "jnp.arange_of(T)"),
        ("jnp.arange(T)\n", "jnp.arange(int(T))\n", "jnp.arange(int(T))"),
    ],
)
def test_a_fault_of_a_reference_has_its_line(old: str, new: str, line: str, tmp_path: Path) -> None:
    path = toys.make(tmp_path) / toys.WORKED_FILE
    text = (
        toys.WORKED.replace("(0, 3)", "(0, 3.0)")
        .replace('    arguments={"T": Whole(2, reach=5)},\n', "")
        .replace(old, new)
    )
    assert new in text
    path.write_text(text)
    with pytest.raises(ProblemError) as raised:
        truth_of(load(path))
    number = declared_at(raised.value, path)
    assert number
    assert line in text.splitlines()[number - 1]


def test_a_process_that_a_signal_ended_is_reported_with_the_signal(kit: Path) -> None:
    status, (line,) = graded(kit, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    assert status == 2
    assert "its process ended without an answer (signal 11)" in line


MANY_KEYS = """
import jax


def distance_decay(seed, T):
    keys = jax.random.split(jax.random.key(seed), 6000)
    return jax.vmap(jax.random.normal)(keys)[:T] * 2.0
    #: too-large: 2.0 -> 3.0
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_a_worked_answer_may_draw_under_thousands_of_keys(kit: Path) -> None:
    declared = "from grader import Problem\n\nproblem = Problem(cases=[(s, s + 2) for s in range(8)])\n"
    (kit / toys.WORKED_FILE).write_text(f"{MANY_KEYS}\n\n{declared}")
    (kit / toys.WORDS_FILE).write_text("## too-large\n\nToo large.\n\n> How large?\n")
    for by, status in (("2.0", "correct"), ("3.0", "wrong")):
        (kit / toys.STUB_FILE).write_text(MANY_KEYS.replace("* 2.0", f"* {by}"))
        (verdict,) = Command(kit).json("distance_decay")["verdicts"]
        assert verdict["status"] == status
    assert verdict["pitfalls"] == ["too-large"]


def test_words_without_a_mistake_have_the_line_of_their_file(kit: Path) -> None:
    (kit / toys.WORDS_FILE).write_text(f"{toys.WORDS}\n## forgotten\n\nIt is.\n\n> Is it?\n")
    status, (line,) = graded(kit, toys.WORKED)
    assert status == 2
    number = toys.WORDS.count("\n") + 2
    assert f"{toys.WORDS_FILE}:{number}: 'forgotten' stands under no statement of answer.py" in line


def test_an_operation_with_other_parameters_in_this_jax_is_reported_with_the_version(kit: Path) -> None:
    import jax

    renamed = """
from grader.jaxpr import compat

def asks(equation, known):
    if equation.primitive.name == "exp":
        raise compat.unknown(equation, "it has no parameter 'accuracy'")
    return []

compat.asks_for = asks
"""
    status, (line,) = graded(kit, toys.WORKED + renamed)
    assert status == 2
    assert toys.WORKED_FILE in line
    assert f": 'exp' of jax {jax.__version__} is not as this grader knows it" in line
    assert "it has no parameter 'accuracy'" in line


CASES = """problem = Problem(
    axes=("i",),
    cases=[
        (0, 1),
        (0, 2), (0, 3),
    ],
)
other = module.Problem(cases=[(0, 9)])
"""


def test_each_case_has_its_line() -> None:
    assert case_lines(CASES) == [4, 5, 5]


def test_cases_that_are_not_written_out_have_no_lines() -> None:
    assert case_lines("problem = Problem(cases=made())\n") == []
