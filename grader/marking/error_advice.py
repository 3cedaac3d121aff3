"""One sentence of advice for the errors that people often meet in JAX."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grader.marking.known_errors import ADVICE
from grader.marking.verdict import Frame, Raised

NO_FUNCTION = "there is no function"
"""How the message of the AttributeError begins that a file without the function of its problem raises."""


def raised_from(described: Mapping[str, Any]) -> Raised:
    """An exception that the answer's process describes (see `run.raised.describe`), with one sentence of advice.

    Raises:
        KeyError, TypeError, ValueError: if the description has another form. An answer can change what its process sends.
    """
    kind, message = str(described["kind"]), str(described["message"])
    frames = tuple(_frame(frame) for frame in described["frames"])
    lineage = [str(name) for name in described["lineage"]]
    return Raised(
        kind, first_lines(message), frames, advice(lineage, message, _marked(frames[-1], lineage) if frames else "")
    )


def _marked(frame: Frame, lineage: list[str]) -> str:
    """The part of the learner's line that raised; the whole line where that is not known."""
    # Of a name that is not defined, Python marks no more than the name, and what follows shows its meaning.
    end = None if "NameError" in lineage else frame.end or None
    return frame.text[frame.start : end]


def _frame(described: Mapping[str, Any]) -> Frame:
    text = str(described["text"])[:200]
    start, end = int(described.get("start", 0)), int(described.get("end", 0))
    known = 0 <= start < end <= len(text) + 1
    return Frame(int(described["line"]), str(described["function"])[:80], text, *((start, end) if known else (0, 0)))


def advice(lineage: list[str], message: str, line: str = "") -> str:
    """One sentence for a known error, else "".

    Args:
        lineage: the names of the exception's class and its base classes.
        message: the exception's message.
        line: the part of the learner's line that raised it.
    """
    for known in ADVICE:
        found = re.search(known.message, message) if known.error in lineage else None
        if found and re.search(known.line, line):
            return found.expand(known.advice)
    return ""


def first_lines(message: str, most: int = 3) -> str:
    """The first lines of a message, at most `most`: messages of JAX continue with links and long advice."""
    lines = [line.rstrip() for line in message.strip().splitlines()]
    head: list[str] = []
    for line in lines:
        if not line or len(head) == most or line.startswith("See http"):
            break
        head.append(line if len(line) <= 300 else line[:297] + "...")
    return "\n".join(head)
