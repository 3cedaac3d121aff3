"""Warnings of an answer name the learner's line and no path, wherever they are raised."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.run.answer import load
from grader.run.output_streams import show_lines_of

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
        ("return np.float32(1e30) * np.float32(1e30)", "line 6: RuntimeWarning: overflow encountered in"),
        ("return jnp.ones(2, dtype=jnp.float64)", "line 6: UserWarning: Explicitly requested dtype float64"),
        ("return n is 2", "line 6: SyntaxWarning: "),
        ("warnings.warn('old', DeprecationWarning)", "line 6: DeprecationWarning: old\n"),
        ("[warnings.warn('deep', stacklevel=9) for _ in range(n)]", "line 6: UserWarning: deep\n"),
    ],
)
def test_a_warning_names_the_line_of_the_answer_and_its_whole_message(
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
