"""The code of a statement: every Python block runs, in order and in one namespace, and prints what stands below it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest

from grader.author.example_checks import CodeBlock, blocks, check_examples
from grader.author.finding import Finding
from grader.author.statement_checks import ProblemText
from grader.run.child import Launcher
from grader.run.launch import launcher

Findings = Callable[[str], list[Finding]]


def block(code: str, shown: str | None = None) -> str:
    output = f"\n```text\n{shown}\n```\n" if shown is not None else ""
    return f"```python\n{code}\n```\n{output}"


@pytest.fixture(scope="module")
def launched() -> Iterator[Launcher]:
    with contextlib.closing(launcher()) as found:
        yield found


@pytest.fixture
def findings(launched: Launcher) -> Findings:
    return lambda text: list(check_examples(ProblemText("README.md", text), lambda: launched))


def test_a_block_has_its_line_and_the_text_that_follows_it() -> None:
    text = f"# A\n\n{block('a = 1')}\nSo:\n\n{block('print(a)', '1')}\n```sh\nls\n```\n"
    assert blocks(text) == [CodeBlock(3, "a = 1\n", None), CodeBlock(9, "print(a)\n", "1\n")]


def test_the_output_of_one_block_is_not_that_of_the_one_before() -> None:
    assert [one.shown for one in blocks(block("a = 1") + block("print(2)", "2"))] == [None, "2\n"]
    assert blocks("---\ntitle: A lesson that was only begun\n---\n") == []


def test_blocks_share_their_names_and_each_prints_what_is_shown(findings: Findings) -> None:
    assert findings(block("a = 1") + block("print(a)\nprint('ω')", "1\nω")) == []


def test_they_run_in_an_empty_folder(findings: Findings) -> None:
    assert findings(block("import os\nprint(os.listdir())", "[]")) == []


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (block("print(1)", "1") + "\n" + block("print(1)\nprint(3)", "1\n2"), 9, "prints '3' where '2' is shown"),
        (block("print(1)", "1\n2"), 1, "prints 'nothing more' where '2' is shown"),
        (block("print(1)"), 1, "prints '1', and no ```text block after it shows that"),
        ("\n" + block("a = 1\nb = a / 0"), 4, "does not run: ZeroDivisionError: division by zero"),
        (block("import sys\nsys.exit(3)"), 1, "does not run: it exits early"),
    ],
)
def test_a_difference_is_found_with_its_line(text: str, line: int, said: str, findings: Findings) -> None:
    (found,) = findings(text)
    assert (found.check, found.file, found.line) == ("example", "README.md", line)
    assert said in found.message


def test_what_an_example_prints_while_it_computes_is_compared(findings: Findings) -> None:
    code = "import jax\njax.jit(lambda x: jax.debug.print('x is {}', x))(2)"
    assert findings(block(code, "x is 2")) == []


def test_an_example_that_runs_too_long_is_ended(findings: Findings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.author.example_checks.SECONDS_FOR_EXAMPLES", 1)
    endless = "while True:\n    try:\n        while True: pass\n    except Exception: pass"
    (found,) = findings(block("a = 1") + block(endless))
    assert (found.line, found.message) == (4, "the code block does not run: it runs longer than 1 s")


def test_an_example_that_cannot_be_stopped_is_ended(findings: Findings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.author.example_checks.SECONDS_FOR_EXAMPLES", 1)
    (found,) = findings(
        block("import time\nwhile True:\n    try:\n        while True: time.sleep(0.01)\n    except: pass")
    )
    assert "its process ended without an answer (status 1)" in found.message


def test_an_example_that_ends_its_process_is_told(findings: Findings) -> None:
    (found,) = findings(block("import os\nos._exit(3)"))
    assert (found.line, found.message) == (
        1,
        "the code block does not run: its process ended without an answer (status 3)",
    )


def test_a_statement_without_python_is_told_where_it_should_be(findings: Findings) -> None:
    (found,) = findings("# A\n\n## A worked example\n\n```sh\nls\n```\n")
    assert (found.line, found.message) == (3, "it has no ```python block that runs")
