"""What an answer's process sends back, declared once: `answer.py` makes it, and `result_reader.py` reads and checks it."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.program_requirements import Outline
from grader.marking.remarks import Remark
from grader.marking.verdict import Described

NOT, NOT_OF_NUMBERS, KEY = "not:", "array:", "key:"
"""What a call gave that is no array of numbers begins so: the name of its type follows, the dtype of its array, nothing."""
LONGEST_TYPE = 60
"""The most characters of the name of a type or a dtype."""


@dataclass(frozen=True)
class Opening:
    """What a process says before it has an answer, so that it can be believed.

    Attributes:
        device: what it runs on.
        missing: why there is no device to run on, as JAX says it; empty if there is one. The process has ended then.
    """

    device: str = ""
    missing: str = ""


@dataclass(frozen=True)
class Result:
    """The header of a result. Its arrays follow in the order of the fields that announce them.

    Its only texts are names, and what exceptions say: an answer can put any text there, and nobody could tell its sentences
    from those of the grader.

    Attributes:
        values: what each call gave: a dtype's name for an array, else what has no array: `NOT` and a type, for example.
        again: the same of second calls, each with the index of its case.
        transformed: the same under the contract.
        programs, derivatives: whether programs follow, and those of the derivative: each as one array of bytes.
        raised: the exception that ended the calls.
        broken: the exception that the answer raises under the contract.
        outlines: those of each case's program, if the problem asks for them.
        stopped: the exception that stops their trace.
        insights: what the process says of its program beside that.
        compiled: whether all cases ran as one program.
    """

    values: tuple[str, ...] = ()
    again: tuple[tuple[int, str], ...] = ()
    transformed: tuple[str, ...] = ()
    programs: bool = False
    derivatives: bool = False
    raised: Described | None = None
    broken: Described | None = None
    outlines: tuple[Outline, ...] = ()
    stopped: Described | None = None
    insights: tuple[Remark, ...] = ()
    compiled: bool = False
