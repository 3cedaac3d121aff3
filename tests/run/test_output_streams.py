"""What an answer prints is known by call, and its warnings name the learner's line and no path."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import pytest

from grader.marking.attempt import OUTSIDE
from grader.run.answer.output_streams import by_case, mark, muted, show_lines_of
from grader.run.answer.process import load

FILE = "/home/someone/answer.py"


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], list[str]]]:
    """The lines that warnings print while an answer with this body is loaded and called."""
    shown: list[str] = []

    def show(message: Warning | str, category: type[Warning], file: str, number: int, *rest: Any) -> None:
        shown.append(warnings.formatwarning(message, category, file, number))

    def run(body: str) -> list[str]:
        text = f"import warnings\nimport numpy as np\nimport jax.numpy as jnp\n\ndef toy(n):\n    {body}\n"
        load(text, FILE, "toy", ["n"])(2)
        return shown

    monkeypatch.setattr(warnings, "formatwarning", warnings.formatwarning)
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        monkeypatch.setattr(warnings, "showwarning", show)
        show_lines_of(FILE)
        yield run


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return np.float32(1e30) * np.float32(1e30)", "\x1d6\x1dRuntimeWarning: overflow encountered in"),
        ("return jnp.ones(2, dtype=jnp.float64)", "\x1d6\x1dUserWarning: Explicitly requested dtype float64"),
        ("return n is 2", "\x1d6\x1dSyntaxWarning: "),
        ("warnings.warn('old', DeprecationWarning)", "\x1d6\x1dDeprecationWarning: old\n"),
        ("[warnings.warn('deep', stacklevel=9) for _ in range(n)]", "\x1d6\x1dUserWarning: deep\n"),
    ],
)
def test_a_warning_has_the_line_of_the_answer_between_marks_and_its_whole_message(
    told: Callable[[str], list[str]], body: str, said: str
) -> None:
    first = told(body)[0]
    assert first.startswith(said)
    assert first.count("\n") == 1
    assert FILE not in first


def test_a_warning_that_no_line_of_the_answer_leads_to_has_no_line(told: Callable[[str], list[str]]) -> None:
    told("return n")
    warnings.warn("elsewhere", stacklevel=1)
    assert told("return n") == ["UserWarning: elsewhere\n"]


@pytest.mark.parametrize(
    ("output", "whole", "parts"),
    [
        (b"", b"", {OUTSIDE: b""}),
        (b"a\x1e0\x1eb\x1e1\x1ec\x1e-1\x1ed", b"abcd", {OUTSIDE: b"ad", 0: b"b", 1: b"c"}),
        (b"\x1e0\x1etraced\x1e0\x1ecalled", b"tracedcalled", {OUTSIDE: b"", 0: b"called"}),
        (b"\x1e0\x1e\x1e1\x1eb", b"b", {OUTSIDE: b"", 0: b"", 1: b"b"}),
        (b"\x1e7\x1efalse\x1e1\x1e\x1e", b"false\x1e", {OUTSIDE: b"false", 1: b"\x1e"}),
    ],
)
def test_what_was_printed_is_split_at_the_marks(output: bytes, whole: bytes, parts: dict[int, bytes]) -> None:
    assert by_case(output, 2) == (whole, parts)


def test_many_marks_that_an_answer_prints_cost_little() -> None:
    whole, parts = by_case(b"\x1e-1\x1ex" * 500_000, 2)
    assert whole == parts[OUTSIDE] == b"x" * 500_000


def test_a_mark_comes_after_all_that_was_printed_before(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with open(2, "w", closefd=False) as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        jax.jit(lambda: jax.debug.print("from JAX"))()
        mark(0)
        print("unfinished", end="")
        mark(1)
        print("before", end="")
        with muted():
            print("muted", end="")
        print("after", end="")
        monkeypatch.undo()
    assert capfd.readouterr().err == "from JAX\n\x1e0\x1eunfinished\x1e1\x1ebeforeafter"


def test_where_no_descriptor_is_left_nothing_is_dropped_and_nothing_fails(capfd: pytest.CaptureFixture[str]) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        with muted():
            os.write(2, b"printed")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert capfd.readouterr().err == "printed"


def test_each_call_shows_its_own_warnings() -> None:
    def warn() -> None:
        for _ in range(2):
            warnings.warn("twice", stacklevel=1)

    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        warn()
        mark(0)
        warn()
    assert len(shown) == 2
