"""Checks of a statement's code blocks: each runs, and prints the text that is shown below it."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from grader.author.finding import Finding
from grader.author.statement_checks import ProblemText
from grader.kit import markup
from grader.kit.problem_error import ProblemError
from grader.kit.statement import Heading
from grader.oracle.connection import Call, Connection
from grader.run.child import Launcher
from grader.values.codec import from_frame

SECONDS_FOR_EXAMPLES = 60
SECONDS_TO_END = 3
"""Seconds after which the process of blocks that run too long is ended, if they have not ended."""

RUN = "grader.author.example_checks:run_blocks"

_FILE = "README.md"


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
        for fence, following in zip_longest(fences, fences[1:])
        if fence.language == "python"
    ]


def check_examples(page: ProblemText, launcher: Callable[[], Launcher]) -> Iterator[Finding]:
    """Run all blocks of a statement in one namespace and an empty folder, and compare their output with what is shown."""
    listed = blocks(page.text)
    if not listed and not markup.sections(page.text).get(Heading.EXAMPLE):
        return  # the check of sections says so
    if not listed:
        yield Finding("example", page.shown, page.line("## A worked example"), "it has no ```python block that runs")
        return
    layers = any("flax" in block.code for block in listed)
    child = Connection(launcher, page.shown, layers=layers)
    asked = {"blocks": [(block.line, block.code) for block in listed], "seconds": SECONDS_FOR_EXAMPLES}
    try:
        ran = from_frame(Ran, *child.call(Call(RUN, asked)))
    except ProblemError as error:
        ran = Ran((), str(error).removeprefix(f"{page.shown}: "))
    finally:
        child.close()
    for block, output in zip(listed, ran.printed, strict=False):
        if output != (block.shown or ""):
            yield Finding("example", page.shown, block.line, _difference(output, block.shown))
    if ran.fault:
        line = ran.line or listed[min(len(ran.printed), len(listed) - 1)].line
        yield Finding("example", page.shown, line, f"the code block does not run: {ran.fault}")


@dataclass(frozen=True)
class Ran:
    """What blocks gave.

    Attributes:
        printed: what each block printed that ran to its end.
        fault: why the next one did not; empty if all did.
        line: that of the statement where it failed, if it is known.
    """

    printed: tuple[str, ...]
    fault: str = ""
    line: int | None = None


class _Long(BaseException):
    """The blocks run too long. An example may catch every `Exception`."""


def run_blocks(blocks: Sequence[tuple[int, str]], seconds: int) -> Ran:
    """Run blocks of Python, each with the line of the statement that it begins below, in a process of their own."""
    import jax  # here and not above: the process of the audit needs no JAX

    from grader.oracle.server import raised_at

    printed: list[str] = []
    names: dict[str, Any] = {"__name__": "__main__"}

    def too_long(*_: object) -> None:
        raise _Long

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    # A block may catch that too, or never return from compiled code. Then its process ends.
    end = threading.Timer(seconds + SECONDS_TO_END, os._exit, [1])
    end.daemon = True
    end.start()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        try:
            for line, code in blocks:
                with contextlib.redirect_stdout(io.StringIO()) as output:
                    # Blank lines before each block, so that a traceback has the line numbers of the statement.
                    exec(compile("\n" * line + code, _FILE, "exec"), names)
                    jax.effects_barrier()  # what `jax.debug.print` prints
                printed.append(output.getvalue())
        except SystemExit:
            return Ran(tuple(printed), "it exits early")
        except _Long:
            return Ran(tuple(printed), f"it runs longer than {seconds} s")
        except Exception as error:  # the code may raise anything
            fault = traceback.format_exception_only(error)[-1].strip()
            return Ran(tuple(printed), fault, raised_at(error, Path(_FILE)))
        finally:
            signal.alarm(0)
            end.cancel()
    return Ran(tuple(printed))


def _difference(output: str, shown: str | None) -> str:
    if shown is None:
        return f"the code block prints {output.splitlines()[0]!r}, and no ```text block after it shows that"
    pairs = zip([*output.splitlines(), "nothing more"], [*shown.splitlines(), "nothing more"], strict=False)
    there, due = next(((a, b) for a, b in pairs if a != b), (output, shown))
    return f"the code block prints {there!r} where {due!r} is shown"
