"""Checks of a statement's code blocks: each runs, and prints the text that is shown below it."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from grader.author.finding import Finding
from grader.author.statement_checks import ProblemText
from grader.kit import markup
from grader.kit.statement import Heading
from grader.run.python import start

SECONDS_FOR_EXAMPLES = 60

_MARK = "\x1e"
"""Printed after each block. It is a control character, which no example prints."""


@dataclass(frozen=True)
class CodeBlock:
    """A block of Python, with the output that is shown for it; None if none is shown."""

    line: int
    code: str
    shown: str | None


def blocks(text: str) -> list[CodeBlock]:
    """The Python blocks of a statement. A block of `text` right after one shows its output."""
    fences = markup.fences(text)
    return [
        CodeBlock(fence.line, fence.code, following.code if following and following.language == "text" else None)
        for fence, following in zip(fences, [*fences[1:], None], strict=True)
        if fence.language == "python"
    ]


def check_examples(page: ProblemText) -> Iterator[Finding]:
    """Run all blocks of a statement in one namespace and an empty folder, and compare their output with what is shown."""
    listed = blocks(page.text)
    if not listed and not markup.sections(page.text).get(Heading.EXAMPLE):
        return  # the check of sections says so
    if not listed:
        yield Finding("example", page.shown, page.line("## A worked example"), "it has no ```python block that runs")
        return
    # Blank lines before each block, so that a traceback has the line numbers of the statement.
    program = "".join(
        f"exec(compile({chr(10) * block.line + block.code!r}, 'README.md', 'exec'))\nprint({_MARK!r}, end='')\n"
        for block in listed
    )
    with tempfile.TemporaryDirectory() as folder:
        pipe = subprocess.PIPE
        variables = {"PYTHONIOENCODING": "utf-8", "JAX_PLATFORMS": "cpu"}
        process = start(("-c", program), variables=variables, folder=folder, stdout=pipe, stderr=pipe, encoding="utf-8")
        try:
            out, errors = process.communicate(timeout=SECONDS_FOR_EXAMPLES)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            yield Finding(
                "example", page.shown, listed[0].line, f"its code blocks run longer than {SECONDS_FOR_EXAMPLES} s"
            )
            return
    printed = out.split(_MARK)
    for block, output in zip(listed, printed, strict=False):
        if output != (block.shown or "") and len(printed) > listed.index(block) + 1:
            yield Finding("example", page.shown, block.line, _difference(output, block.shown))
    if process.returncode:
        said = (errors.strip().splitlines() or ["it exits early"])[-1]
        failed = listed[min(len(printed) - 1, len(listed) - 1)]
        lines = re.findall(r'File "README.md", line (\d+)', errors)
        line = int(lines[-1]) if lines else failed.line
        yield Finding("example", page.shown, line, f"the code block does not run: {said}")


def _difference(output: str, shown: str | None) -> str:
    if shown is None:
        return f"the code block prints {output.splitlines()[0]!r}, and no ```text block after it shows that"
    pairs = zip([*output.splitlines(), "nothing more"], [*shown.splitlines(), "nothing more"], strict=False)
    there, due = next(((a, b) for a, b in pairs if a != b), (output, shown))
    return f"the code block prints {there!r} where {due!r} is shown"
