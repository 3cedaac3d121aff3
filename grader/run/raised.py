"""Describes an exception of an answer as plain data. Describing never raises, whatever the exception's class does."""

from __future__ import annotations

import linecache
from pathlib import Path
from typing import Any

MESSAGE_CAP = 4000
FRAMES = 4


def describe(error: BaseException, filename: str) -> dict[str, Any]:
    """The type, the message, and the frames of the learner's own file (the innermost last)."""
    try:
        return _described(error, filename)
    except BaseException:  # a class of the answer's own may raise in any method
        return {"kind": "Exception", "message": "(it cannot be described)", "frames": [], "lineage": ["Exception"]}


def _described(error: BaseException, filename: str) -> dict[str, Any]:
    frames: list[dict[str, Any]] = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == filename:
            text = linecache.getline(filename, traceback.tb_lineno).strip()
            # A comprehension has a frame of its own, with the same line number.
            if not frames or frames[-1]["line"] != traceback.tb_lineno:
                frames.append({"line": traceback.tb_lineno, "function": code.co_name, "text": text[:200]})
        traceback = traceback.tb_next
    if isinstance(error, SyntaxError) and error.filename == filename:
        text = (error.text or linecache.getline(filename, error.lineno or 0)).strip()
        frames = [{"line": error.lineno or 0, "function": "<module>", "text": text[:200]}]
    return {
        "kind": str(type(error).__name__)[:100],
        "message": _without_the_grader(message_of(error))[:MESSAGE_CAP],
        "frames": frames[-FRAMES:],
        "lineage": [str(base.__name__)[:100] for base in type(error).__mro__][:10],
    }


def _without_the_grader(message: str) -> str:
    """The message without the lines in which JAX describes a traced function of the grader."""
    here = str(Path(__file__).parents[1])
    return "\n".join(line for line in message.splitlines() if here not in line)


def message_of(error: BaseException) -> str:
    """The message of any exception. This function never raises."""
    if isinstance(error, SyntaxError):
        return str(error.msg)
    try:
        text = str(error)
    except BaseException as second:
        return f"(its message cannot be shown: {type(second).__name__})"
    return text if type(text) is str else "(its message is not a string)"
