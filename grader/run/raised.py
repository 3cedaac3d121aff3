"""An exception out of an answer, as plain data: whatever its class does, describing it does not raise."""

from __future__ import annotations

import linecache
from pathlib import Path
from typing import Any

MESSAGE_CAP = 4000
FRAMES = 4


def describe(error: BaseException, filename: str) -> dict[str, Any]:
    """Type, message, and the frames that lie in the learner's own file (the innermost last)."""
    try:
        return _described(error, filename)
    except BaseException:  # an exception of the answer's own class may do anything when it is looked at
        return {"kind": "Exception", "message": "(it cannot be described)", "frames": [], "lineage": ["Exception"]}


def _described(error: BaseException, filename: str) -> dict[str, Any]:
    frames: list[dict[str, Any]] = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == filename:
            text = linecache.getline(filename, traceback.tb_lineno).strip()
            # A comprehension is a frame of its own at the very line that it stands in.
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
    """What JAX says of the function that it was tracing, where that is the grader's own, is left out."""
    here = str(Path(__file__).parents[1])
    return "\n".join(line for line in message.splitlines() if here not in line)


def message_of(error: BaseException) -> str:
    """The message of any exception, without ever raising one."""
    if isinstance(error, SyntaxError):
        return str(error.msg)
    try:
        text = str(error)
    except BaseException as second:
        return f"(its message cannot be shown: {type(second).__name__})"
    return text if type(text) is str else "(its message is not a string)"
