"""The message of an exception as a report shows it, without what does not help, and one sentence of advice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.marking.known_errors.arrays import ARRAYS
from grader.marking.known_errors.derivatives import DERIVATIVES
from grader.marking.known_errors.devices import DEVICES
from grader.marking.known_errors.entry import KnownError
from grader.marking.known_errors.loops import LOOPS
from grader.marking.known_errors.modules import MODULES
from grader.marking.known_errors.python import PYTHON
from grader.marking.known_errors.torch import TORCH_HABITS
from grader.marking.known_errors.tracing import TRACING
from grader.marking.known_errors.trees import TREES
from grader.marking.verdict import Cause, Described, Frame, Raised
from grader.values.message import NO_MESSAGE, Message, message, verbatim

KNOWN_ERRORS = (*TORCH_HABITS, *MODULES, *TRACING, *LOOPS, *DERIVATIVES, *DEVICES, *TREES, *ARRAYS, *PYTHON)
"""All errors that are known, in the order in which they are tried."""

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
    told = advice_for(described)
    if described.cause is None:
        return Raised(described.kind, verbatim(first_lines(described.message)), described.frames, told)
    details = {name: first_lines(said) for name, said in described.details.items()}
    return Raised(described.kind, CAUSES[described.cause].with_fields(**details), described.frames, told)


def asks_for_too_much(described: Described) -> bool:
    """Whether an exception says that there is not as much memory as was asked for."""
    return described.kind == "MemoryError" or "RESOURCE_EXHAUSTED" in described.message


def advice_for(described: Described) -> Message:
    """One sentence for a known error; without a text for any other."""
    known, fields = known_error(described) or (None, {})
    return Message(known.advice, fields) if known else NO_MESSAGE


def known_error(described: Described) -> tuple[KnownError, dict[str, str]] | None:
    """The first entry that fits an exception, and the fields of its advice."""
    line = _marked(described.frames[-1], described.lineage) if described.frames else ""
    for known in KNOWN_ERRORS:
        found = re.search(known.message, described.message) if known.error in described.lineage else None
        if found and re.search(known.line, line):
            return known, found.groupdict()
    return None


def _marked(frame: Frame, lineage: Sequence[str]) -> str:
    """The part of the learner's line that raised; the whole line where that is not known."""
    # Python marks the condition, and the word before it shows what to write.
    if "TracerBoolConversionError" in lineage or "AssertionError" in lineage:
        return frame.text
    # Of a name that is not defined, Python marks no more than the name, and what follows shows its meaning.
    end = None if "NameError" in lineage else frame.end or None
    return frame.text[frame.start : end]


def in_cells(told: Message) -> Message:
    """Advice, as it is given for an answer from a notebook: that has cells and no top of its file."""
    other = (known.in_cells for known in KNOWN_ERRORS if known.in_cells and known.advice == told.text)
    return replace(told, text=next(other, told.text))


MOST_LINES, LONGEST_LINE = 8, 300

_BEFORE_THE_CAUSE = re.compile(r"(?<!options):$|\bdiffer\.$")
"""The end of a line after which JAX leaves a line empty and then tells the cause."""

_NAMES_A_BRANCH = re.compile(r"(true_fun|false_fun|branch ?\d+) is .* at ")


def first_lines(message: str, most: int = 3) -> str:
    """The first lines of a message, at most `most`: messages of JAX continue with links and long advice.

    Three are told where the cause stands behind an empty line, and up to `MOST_LINES` where a sentence goes on in lines of
    its own, or a line announces the next one. A sentence that is cut ends with an ellipsis.
    """
    head: list[str] = []
    behind = after_an_empty_line = False
    for line in (line.rstrip() for line in message.strip().splitlines()):
        if line.startswith("See http"):
            break
        ended = not head or head[-1].endswith((".", "!", "?", "...", ":"))
        if not line:
            behind = behind or (bool(head) and _BEFORE_THE_CAUSE.search(head[-1]) is not None)
            if not behind:
                break
            after_an_empty_line = True
            continue
        if not (behind and _NAMES_A_BRANCH.match(line)):
            goes_on = not ended and (line[0].isspace() or line[0].islower())
            announced = behind and bool(head) and head[-1].endswith(":")
            enough = len(head) >= (max(most, 3) if behind else most)
            if enough and not ((goes_on or announced) and len(head) < MOST_LINES):
                head[-1] += "" if ended or after_an_empty_line else " ..."
                break
            head.append(line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "...")
        after_an_empty_line = False
    return "\n".join(head)
