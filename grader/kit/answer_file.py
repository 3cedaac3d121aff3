"""The text of an answer: that of a Python file, or what is taken out of a notebook."""

from __future__ import annotations

from pathlib import Path

from grader.kit.files import read_text

NOTEBOOK = ".ipynb"
"""How the name of a notebook's file ends."""


def read_answer(path: Path, name: str, below: Path | None = None) -> str:
    """The text of an answer.

    Args:
        name: of the problem.
        below: as for `read_text`.

    Raises:
        Unreadable: if the file cannot be read, or is a notebook without an answer to this problem.
    """
    if path.suffix != NOTEBOOK:
        return read_text(path, below=below)
    from grader.kit.notebook import LARGEST_NOTEBOOK, answer_in  # here and not above: most answers are no notebooks

    return answer_in(read_text(path, below=below, limit=LARGEST_NOTEBOOK), name).text
