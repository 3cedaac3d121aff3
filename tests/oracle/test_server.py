"""The oracle child: whatever happens to it, the learner reads one line that says what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kit.problem import ProblemError
from grader.oracle.expect import truth_of
from grader.oracle.server import declared_at, load
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
    (kit / toys.REFERENCE_FILE).write_text(reference)
    (kit / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(kit)("distance_decay", **environment)
    return done.returncode, done.stderr.strip().splitlines()


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return toys.make(tmp_path)


def test_a_fault_of_the_grader_is_reported_with_the_last_line_of_the_exception(kit: Path) -> None:
    status, (line,) = graded(kit, toys.REFERENCE + SABOTAGE)
    assert status == 2
    assert toys.REFERENCE_FILE in line
    assert "the grader failed on it with KeyError: 'num_consts' (GRADER_DEBUG=1 shows where)" in line


def test_the_traceback_is_printed_on_demand(kit: Path) -> None:
    status, lines = graded(kit, toys.REFERENCE + SABOTAGE, GRADER_DEBUG="1")
    assert status == 2
    assert "Traceback (most recent call last):" in lines
    assert any("in broken" in line for line in lines)
    assert any("KeyError: 'num_consts' (GRADER_DEBUG=1 shows where)" in line for line in lines)


def test_a_reference_that_exits_is_reported_with_its_line(kit: Path) -> None:
    status, (line,) = graded(kit, "import sys\nsys.exit(3)\n")
    assert status == 2
    assert f"{toys.REFERENCE_FILE}:2: SystemExit: 3" in line


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("(1, 5)]", "(1, 5),\n           (1, '5')]", "(1, '5')"),
        ("(1, 5)]", "(1, 5),\n           (1,)]", "(1,)"),
        ("(1, 5)]", "(1, 5),\n           (1, 5)]", "           (1, 5)]"),
        ("width=2.0", "widht=2.0", 'Pitfall("too-narrow"'),
        ("width=2.0", "width=any_of(2.0, alone=[2.0])", 'Pitfall("too-narrow"'),
        ("any_of, Pitfall", "any_of, Pitfal", "any_of, Pitfal"),
        ("apart = jnp", "apart = jnp +", "apart = jnp +"),
        ("jnp.arange(T)\n", "jnp.arange_of(T)\n", "jnp.arange_of(T)"),
        ("jnp.arange(T)\n", "jnp.arange(int(T))\n", "jnp.arange(int(T))"),
    ],
)
def test_a_fault_of_a_reference_has_its_line(old: str, new: str, line: str, tmp_path: Path) -> None:
    path = toys.make(tmp_path) / toys.REFERENCE_FILE
    text = (
        toys.REFERENCE.replace("import Pitfall", "import any_of, Pitfall")
        .replace("(0, 3)", "(0, 3.0)")
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


def distance_decay(seed, T{knob}):
    keys = jax.random.split(jax.random.key(seed), 6000)
    return jax.vmap(jax.random.normal)(keys)[:T] * {by}
"""


@pytest.mark.slow
def test_a_reference_may_draw_under_thousands_of_keys(kit: Path) -> None:
    reference = MANY_KEYS.format(knob=", *, by=2.0", by="by")
    pitfall = 'Pitfall("too-large", why="Why.", hint="Hint?", by=3.0)'
    declared = f"problem = Problem(distance_decay, cases=[(s, s + 2) for s in range(8)], pitfalls=[{pitfall}])\n"
    (kit / toys.REFERENCE_FILE).write_text(f"from grader import Pitfall, Problem\n{reference}\n\n{declared}")
    for by, status in (("2.0", "correct"), ("3.0", "wrong")):
        (kit / toys.STUB_FILE).write_text(MANY_KEYS.format(knob="", by=by))
        (verdict,) = Command(kit).json("distance_decay")["verdicts"]
        assert verdict["status"] == status
    assert verdict["pitfalls"] == ["too-large"]


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
    status, (line,) = graded(kit, toys.REFERENCE + renamed)
    assert status == 2
    assert toys.REFERENCE_FILE in line
    assert f": 'exp' of jax {jax.__version__} is not as this grader knows it" in line
    assert "it has no parameter 'accuracy'" in line
