"""A lesson for a notebook: no link that leads nowhere, a stub to copy, one more hint each time."""

from __future__ import annotations

from grader.kit import progress
from grader.kit.kit import Kit
from grader.kit.statement import read
from grader.notebooks.lesson_notebook import lesson_hints, lesson_text, statement_of, stub_of
from tests.conftest import FLAGSHIP, ROOT, Command


def test_links_to_other_lessons_become_their_names() -> None:
    text = statement_of(Kit(ROOT), "rope")
    assert "README.md" not in text
    assert "In `sinusoidal_shift` the minus is in the other row" in text


def test_the_stub_is_without_the_text_about_files() -> None:
    stub = stub_of(Kit(ROOT), "rope")
    assert stub.startswith("import jax\n")
    assert "raise NotImplementedError" in stub
    assert lesson_text(Kit(ROOT), "rope").endswith(f"```python\n{stub}```\n")


def test_each_time_there_is_one_more_hint_and_the_command_counts_it(own_kit: Command) -> None:
    kit = Kit(own_kit.kit)
    most = len(read(kit.statement(FLAGSHIP)).hints)
    assert lesson_hints(kit, FLAGSHIP).startswith(f"**Hint 1 of {most}.**")
    assert f"**Hint 2 of {most}.**" in lesson_hints(kit, FLAGSHIP)
    assert progress.load(kit).hints == {FLAGSHIP: 2}
    for _ in range(most):
        last = lesson_hints(kit, FLAGSHIP)
    assert "That was the last hint. The worked answer: `!python -m grader solution" in last
