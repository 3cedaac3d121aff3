"""One sentence of advice for the errors that people often meet in JAX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.marking.known_errors import ADVICE
from grader.marking.torch_habits import HABITS
from grader.marking.verdict import Cause, Described, Frame, Raised
from grader.values.message import NO_MESSAGE, Message, message, verbatim

CAUSES = {
    Cause.NO_FUNCTION: message("there is no function {name} in the file"),
    Cause.OTHER_FUNCTIONS: message("there is no function {name} in the file; it has {functions}"),
    Cause.NO_CALL: message("{name} is not a function: its type is {type}"),
    Cause.OTHER_PARAMETERS: message("{name} is called as {call}, and cannot take that: {error}"),
    Cause.INDESCRIBABLE: message("(it cannot be described)"),
    Cause.NO_MESSAGE: message("(its message cannot be shown: {error})"),
    Cause.NO_TEXT: message("(its message is not a string)"),
}
"""What is said of each cause, with the details as fields."""


def raised_from(described: Described) -> Raised:
    """An exception that the answer's process describes, with one sentence of advice."""
    frames = described.frames
    line = _marked(frames[-1], described.lineage) if frames else ""
    told = advice(described.lineage, described.message, line)
    if described.cause is None:
        return Raised(described.kind, verbatim(first_lines(described.message)), frames, told)
    details = {name: first_lines(said) for name, said in described.details.items()}
    return Raised(described.kind, CAUSES[described.cause].with_fields(**details), frames, told)


def _marked(frame: Frame, lineage: Sequence[str]) -> str:
    """The part of the learner's line that raised; the whole line where that is not known."""
    if "TracerBoolConversionError" in lineage:  # Python marks the condition, and the word before it shows what to write
        return frame.text
    # Of a name that is not defined, Python marks no more than the name, and what follows shows its meaning.
    end = None if "NameError" in lineage else frame.end or None
    return frame.text[frame.start : end]


def advice(lineage: Sequence[str], message: str, line: str = "") -> Message:
    """One sentence for a known error; without a text for any other.

    Args:
        lineage: the names of the exception's class and its base classes.
        message: the exception's message.
        line: the part of the learner's line that raised it.
    """
    for known in (*HABITS, *ADVICE):
        found = re.search(known.message, message) if known.error in lineage else None
        if found and re.search(known.line, line):
            return Message(known.advice, found.groupdict())
    return NO_MESSAGE


def in_cells(told: Message) -> Message:
    """Advice, as it is given for an answer from a notebook: that has cells and no top of its file."""
    other = (known.in_cells for known in ADVICE if known.in_cells and known.advice == told.text)
    return replace(told, text=next(other, told.text))


def first_lines(message: str, most: int = 3) -> str:
    """The first lines of a message, at most `most`: messages of JAX continue with links and long advice.

    A sentence that is cut ends with an ellipsis.
    """
    lines = [line.rstrip() for line in message.strip().splitlines()]
    head: list[str] = []
    for line in lines:
        if not line or line.startswith("See http"):
            break
        if len(head) == most:
            head[-1] += "" if head[-1].endswith((".", "!", "?", "...")) else " ..."
            break
        head.append(line if len(line) <= 300 else line[:297] + "...")
    return "\n".join(head)
