"""The oracle child: whatever happens to it, the learner reads one line that says what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    assert f"{toys.REFERENCE_FILE}: line 2: SystemExit: 3" in line


def test_a_process_that_was_killed_is_reported_with_the_signal(kit: Path) -> None:
    status, (line,) = graded(kit, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    assert status == 2
    assert "its process ended without an answer (signal 9)" in line


def test_an_operation_with_other_parameters_in_this_jax_is_reported_with_the_version(kit: Path) -> None:
    import jax

    renamed = """
from grader.jaxpr import compat

def asks(equation, known):
    if equation.primitive.name == "exp":
        raise compat.unknown(equation, "it has no parameter 'accuracy'")
    return []

import grader.jaxpr.bind
grader.jaxpr.bind.asks_for = asks
"""
    status, (line,) = graded(kit, toys.REFERENCE + renamed)
    assert status == 2
    assert f"{toys.REFERENCE_FILE}: 'exp' of jax {jax.__version__} is not as this grader knows it" in line
    assert "it has no parameter 'accuracy'" in line
