"""What goes to an answer's process and what it sends back, declared once for both sides of the pipe.

`Setup` and `Task` go there; `Confined` (of `sandbox/confine.py`), `Opening`, `TracedPrograms` and `Result` come back, the
last two after notes (of `answer/progress_notes.py`). `values/codec.py` sends them, and `judge/result_reader.py` checks what
no form says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grader.marking.remarks import Remark
from grader.marking.verdict import Described
from grader.values.arrays import Array
from grader.values.outline import Outline

NOT, NOT_OF_NUMBERS, KEY = "not:", "array:", "key:"
"""What a call gave that is no array of numbers begins so: the name of its type follows, the dtype of its array, nothing."""

LONGEST_TYPE = 60
"""The most characters of the name of a type or a dtype."""


WIDE_DRAWS = ("normal", "uniform", "truncated_normal", "randint", "bernoulli")
"""The draws whose programs are compiled once for all shapes (see `jaxpr.lower`)."""


@dataclass(frozen=True)
class Likely:
    """What an answer that is to come is likely to do. What JAX does only once in a process is then done before.

    Attributes:
        draws: those of WIDE_DRAWS that it makes.
        stub: the shipped stub on the cases of the problem: most answers begin as it does.
    """

    draws: tuple[str, ...] = ()
    stub: Task | None = None


@dataclass(frozen=True)
class Setup:
    """What a process gets ready with, before there is an answer.

    Attributes:
        device: the platform that it runs on.
        likely: what its answer is likely to do, to be done while nobody waits; None where somebody does.
        confine: the highest tier of confinement to try; empty for no confinement.
        memory: bytes that the answer may use.
    """

    device: str
    likely: Likely | None = None
    confine: str = ""
    memory: int = 0


@dataclass(frozen=True)
class Task:
    """All that an answer's process learns.

    Attributes:
        source: the text of the answer in UTF-8, with halves of characters where it has some.
        filename: what its code is called.
        function, parameters: the name of its function, and those of the arguments.
        cases: the arguments of each call.
        as_written: whether it is not compiled as one program.
        contract: what the problem asks beyond the values (see `grader.marking.requirements`).
        argnum: the index of the parameter that a derivative is taken with respect to.
        programs: of how many of the first cases the programs are sent with the values.
        plain: whether JAX has its default options, and compiles with all its optimisations.
        outlined: whether the outline of each case's program is sent too.
        endless: the first and the last line of each loop that only an error could end.
    """

    source: bytes
    filename: str
    function: str
    parameters: tuple[str, ...]
    cases: tuple[tuple[int | float, ...], ...]
    as_written: bool = False
    contract: str = ""
    argnum: int = 0
    programs: int = 0
    plain: bool = False
    outlined: bool = False
    endless: tuple[tuple[int, int], ...] = ()

    @cached_property
    def text(self) -> str:
        """The text of the answer."""
        return self.source.decode("utf-8", "surrogatepass")


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
class ReturnedValue:
    """What one call gave: an array with its dtype's name as kind, or no array and a kind such as `NOT` with its type."""

    kind: str
    array: Array | None


@dataclass(frozen=True)
class TracedPrograms:
    """The programs of an answer, which are sent once they are traced: where they are compiled, before their values.

    Attributes:
        dtypes: the dtype's name of the value of each program.
        programs: those of the first cases, as bytes.
        derivatives: those of the derivative; None if none is asked for.
        outlines: those of each case's program, if the problem asks for them and they are made already.
    """

    dtypes: tuple[str, ...]
    programs: bytes
    derivatives: bytes | None = None
    outlines: tuple[Outline, ...] = ()


@dataclass(frozen=True)
class Result:
    """What a process says of its answer.

    Its only texts are names, and what exceptions say: an answer can put any text there, and nobody could tell its sentences
    from those of the grader.

    Attributes:
        values: what each call gave.
        again: the same of second calls, each with the index of its case.
        transformed: the same under the contract.
        raised: the exception that ended the calls.
        broken: the exception that the answer raises under the contract.
        outlines: those of each case's program, if the problem asks for them.
        stopped: the exception that stops their trace.
        insights: what the process says of its program beside that.
        compiled: whether all cases ran as one program.
    """

    values: tuple[ReturnedValue, ...] = ()
    again: tuple[tuple[int, ReturnedValue], ...] = ()
    transformed: tuple[ReturnedValue, ...] = ()
    raised: Described | None = None
    broken: Described | None = None
    outlines: tuple[Outline, ...] = ()
    stopped: Described | None = None
    insights: tuple[Remark, ...] = ()
    compiled: bool = False
