"""The oracle child: loads one reference, and makes calls with its problem, frame by frame, until its input ends."""

from __future__ import annotations

import ast
import gc
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.jaxpr.compat import NoDevice, leave_tracebacks, only_cpu
from grader.kit import solution, statement
from grader.kit.problem import Problem
from grader.kit.problem_error import ProblemError
from grader.locale.language import ENGLISH, LANGUAGES
from grader.oracle.connection import Call, ReferenceFault, Served
from grader.values import codec, frames
from grader.values.arrays import Array
from grader.values.places import parsed

REQUESTS, RESULTS = 0, 1
LONGEST_TRACEBACK = 1 << 16
"""The most characters of a traceback that are sent. Its end is kept, because it shows the cause."""

OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""New objects between two collections. Tracing makes many objects that stay: more collections slow it by a tenth."""


def main() -> None:
    """Serve on descriptors 0 and 1. A fault is sent as a reply, and ends this process.

    The first frame says which reference to load, or none, and for which device. Each frame after it is a call of a function,
    by the name `module:function`: with the problem, if there is a reference, and with the arguments that the frame holds.
    """
    served = codec.read(Served, REQUESTS)
    if served is None:
        return
    reference = None if served.reference is None else Path(served.reference)
    if served.device == "cpu":
        only_cpu()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    leave_tracebacks()  # many mistakes raise, and nobody reads their tracebacks
    try:
        _serve(reference)
    except NoDevice as error:
        _reply({"no_device": str(error)})
    except ProblemError as error:
        line = error.line if error.file or reference is None else declared_at(error, reference)
        _reply_fault(str(error), line, error.file)
    except Exception as error:  # a fault of the grader, or a version of JAX that it does not know
        last = traceback.format_exception_only(error)[-1].strip()
        _reply_fault(f"the grader failed on it with {last} (GRADER_DEBUG=1 shows where)")


def _serve(reference: Path | None) -> None:
    problem = () if reference is None else (load(reference),)
    while (call := codec.read(Call, REQUESTS)) is not None:
        document, arrays = call.made(*problem)
        _reply({"document": document}, arrays)


def _reply(header: dict[str, Any], arrays: Sequence[Array] = ()) -> None:
    frames.write(RESULTS, frames.encode(header, arrays))


def _reply_fault(text: str, line: int | None = None, file: str = "") -> None:
    where = traceback.format_exc()[-LONGEST_TRACEBACK:]
    _reply({"fault": vars(ReferenceFault(text, line, file, where))})


def load(path: Path) -> Problem:
    """The problem that the file of a worked answer declares, with its mistakes.

    Raises:
        ProblemError: if the file cannot be imported, declares no problem, or holds mistakes that cannot be read.
    """
    name, words = path.parent.name, path.with_name(solution.WORDS)
    spec = importlib.util.spec_from_file_location(f"solution_of_{name}", path)
    if spec is None or spec.loader is None:
        raise ProblemError("cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.parent))
    try:
        spec.loader.exec_module(module)
    except ProblemError:  # of a declaration
        raise
    except FileNotFoundError as error:
        raise ProblemError("there is no such file") from error
    except (Exception, SystemExit) as error:
        raise ProblemError(f"{type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(path.parent.parent))
    problem = getattr(module, "problem", None)
    if not isinstance(problem, Problem):
        raise ProblemError("declares no problem: end it with `problem = Problem(...)`")
    if problem.solution is None:
        said = words.read_text(encoding="utf-8") if words.is_file() else None
        beside = {
            language: statement.translation_path(words, language) for language in LANGUAGES if language != ENGLISH
        }
        others = {language: file.read_text(encoding="utf-8") for language, file in beside.items() if file.is_file()}
        worked = solution.read(name, path, path.read_text(encoding="utf-8"), said, others)
        worked.use(vars(module))
        problem = replace(problem, solution=worked)
    return problem


def declared_at(error: ProblemError, path: Path) -> int | None:
    """The line of this file that a fault is about: of its mistake or case, else where its cause or itself was raised."""
    if error.line is not None:
        return error.line
    if error.case is not None and error.case < len(lines := case_lines(path.read_text(encoding="utf-8"))):
        return lines[error.case]
    return (raised_at(error.__cause__, path) if error.__cause__ else None) or raised_at(error, path)


def case_lines(text: str) -> list[int]:
    """The line of each case, in order; empty where the cases are not written out as a list."""
    return [
        elt.lineno
        for node in ast.walk(parsed(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem"
        for given in node.keywords
        if given.arg == "cases" and isinstance(given.value, (ast.List, ast.Tuple))
        for elt in given.value.elts
    ]


def raised_at(error: BaseException, path: Path) -> int | None:
    """The innermost line in the traceback of an error that is in this file; None if no line is."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == str(path):
            line = number
    return line
