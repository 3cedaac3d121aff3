"""Statements: front matter, sections and hints. A fault names the file and how to fix it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kit import statement
from grader.kit.problem_error import ProblemError

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


def test_a_learner_reads_the_aim_at_the_top_and_at_the_end(tmp_path: Path) -> None:
    text = TEXT.replace("after: [other]", "after: [other]\nminutes: 15\naim: do it")
    shown = statement.read(
        written(tmp_path, text.replace("## References", "## When it passes\n\nTry: more.\n\n## References"))
    )
    assert shown.without_hints.startswith(
        "# A toy\n\nAfter this lesson you can do it. It takes about 15 minutes. It builds on `other`.\n"
    )
    assert "## When it passes\n\nYou can now do it.\n\nTry: more.\n" in shown.without_hints
    assert shown.shown.startswith("# A toy\n\nAfter this lesson you can do it. It takes about 15 minutes.\n")
    assert statement.read(written(tmp_path, TEXT)).shown == TEXT.partition("\n---\n")[2].strip() + "\n"


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("[other](../other/README.md)", "`other`"),
        ("[`other`](../other/README.md)", "`other`"),
        ("[the shift](../other/README.md)", "the shift (`other`)"),
        ("[a page](https://example.org)", "[a page](https://example.org)"),
    ],
)
def test_a_link_to_a_lesson_is_its_name_where_no_link_can_be_followed(link: str, shown: str, tmp_path: Path) -> None:
    assert (
        f"Do it as {shown} does."
        in statement.read(written(tmp_path, TEXT.replace("Do it.", f"Do it as {link} does."))).without_hints
    )


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
