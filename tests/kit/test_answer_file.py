"""The text of an answer, whatever file holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kit.answer_file import read_answer
from grader.kit.files import Unreadable
from tests.kit.test_cells import notebook

ROPE = "def rope(x):\n    return x"


def test_a_python_file_is_its_text_and_a_notebook_what_the_answer_needs(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ROPE)
    (tmp_path / "a.ipynb").write_text(notebook("%matplotlib inline", ROPE, "print(rope(1))"))
    assert read_answer(tmp_path / "a.py", "rope") == ROPE
    assert read_answer(tmp_path / "a.ipynb", "rope", below=tmp_path) == f"{ROPE}\n"


@pytest.mark.parametrize(("text", "why"), [("{", "no notebook"), (notebook("x = 1"), "no cell defines rope")])
def test_what_holds_no_answer_is_told(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(text)
    with pytest.raises(Unreadable, match=why):
        read_answer(tmp_path / "a.ipynb", "rope")
