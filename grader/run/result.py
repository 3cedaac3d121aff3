"""What an answer's process sends back, declared once: `answer.py` makes it, and `result_reader.py` reads and checks it."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.program_requirements import Outline
from grader.marking.verdict import Described

NOT = "not:"
"""What a call gave that is no array begins so; the name of its type follows."""


@dataclass(frozen=True)
class Remark:
    """An insight as the process makes it: its name, its message, and the line that this tells; 0 if it tells none."""

    name: str
    message: str
    line: int = 0


@dataclass(frozen=True)
class Result:
    """The header of a result. Its arrays follow in the order of the fields that announce them.

    Attributes:
        values: what each call gave: a dtype's name for an array, `NOT` and a type for anything else, which has no array.
        again: the same of second calls, each with the index of its case.
        transformed: the same under the contract.
        programs, derivatives: whether programs follow, and those of the derivative: each as one array of bytes.
        raised: the exception that ended the calls.
        broken: the exception that the answer raises under the contract.
        outlines: those of each case's program, if the problem asks for them.
        stopped: the exception that stops their trace.
        compiled: whether all cases ran as one program.
        no_device: why there is no device to run on; empty if there is one. All the rest is empty then.
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
    device: str = ""
    no_device: str = ""
