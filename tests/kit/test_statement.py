"""Statements: front matter, sections and hints. A fault names the file and how to fix it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kit import statement
from grader.kit.problem import ProblemError

TEXT = """---
title: A toy
track: 1 Toys
difficulty: easy
after: [other]
---

# A toy

## The task

Do it.

```python
## not a heading
```

## Hints

1. Look
   twice.
2. Look again.

## References

None.
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "README.md"
    path.write_text(text)
    return path


def test_a_statement_is_read_whole(tmp_path: Path) -> None:
    read = statement.read(written(tmp_path, TEXT))
    assert (read.title, read.track, read.difficulty, read.after, read.tags) == (
        "A toy",
        "1 Toys",
        "easy",
        ("other",),
        (),
    )
    assert list(read.sections) == ["The task", "Hints", "References"]
    assert read.hints == ["Look twice.", "Look again."]


def test_the_body_without_hints_keeps_what_follows_them(tmp_path: Path) -> None:
    shown = statement.read(written(tmp_path, TEXT)).without_hints
    assert "Look" not in shown
    assert "## References" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# A toy\n", "begin it with front matter"),
        (TEXT.replace("title: A toy\n", ""), "needs a line `title: ...`"),
        (TEXT.replace("easy", "trivial"), "difficulty is 'trivial': choose one of easy, medium, hard"),
        (TEXT.replace("[other]", "other"), "`after` should be a list"),
        (TEXT.replace("track: 1 Toys", "track: [unclosed"), "not YAML"),
        ("---\n- a\n---\n", "`name: value` lines"),
    ],
)
def test_a_fault_names_the_file_and_how_to_fix_it(text: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ProblemError) as caught:
        statement.read(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


def test_a_missing_statement_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="no such file"):
        statement.read(tmp_path / "README.md")
