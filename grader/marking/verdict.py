"""The result of grading one answer: plain data, read by every report."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Protocol

from grader.values.decode import NEVER_SAVED, Real
from grader.values.message import NO_MESSAGE, Line, Message, message
from grader.values.places import Edit, PlaceKind, Reads, Relation

if TYPE_CHECKING:
    from grader.values.arrays import Array


AXES = {"heatmap": 2, "matrix": 2, "waves": 2, "curve": 1, "tokens": 1}
"""The kinds of pictures, and how many axes each of them names."""


@dataclass(frozen=True)
class Pictured:
    """One picture of a problem: its kind, and the names of the axes that it shows. See `grader.kit.problem`."""

    kind: str
    axes: tuple[str, ...]

    def fits(self, axes: Sequence[str]) -> bool:
        """Whether it is a known picture of an array with these axes."""
        known = AXES.get(self.kind) == len(self.axes) == len(set(self.axes))
        return known and set(self.axes) <= set(axes)


@dataclass(frozen=True, eq=False)
class ComparedCase:
    """One case of an answer, value by value.

    Attributes:
        case: its index.
        arguments: those of the call, in words.
        shape: that of the array before it is flattened.
        axes: the names of the axes; the last ones may be without a name.
        due: the expected values, of shape (n,), int64 or float64; None where they are withheld or not asked for.
        given: those of the answer, of the same shape; None if there are none that can be compared.
        wrong: whether each value is wrong, of the same shape; None where that is withheld or not known.
        parts: names of the arrays that are stacked on an axis before all others; empty if nothing is stacked.
    """

    case: int
    arguments: str
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    due: Array | None
    given: Array | None
    wrong: Array | None
    parts: tuple[Message, ...] = ()


@dataclass(frozen=True, eq=False)
class Drawable:
    """The pictures that a problem declares, and the cases that they may be drawn of. It is never saved."""

    pictures: tuple[Pictured, ...]
    cases: tuple[ComparedCase, ...]


CONFINEMENTS = ("A", "B", "C", "none")
"""The tiers that an answer may run under, from the strongest to none; the names sort so."""


class Awaited(StrEnum):
    """What is still to come of an answer: its values, which may overrule the verdict, and of a wrong one the place."""

    VALUES = "values"
    VALUES_AND_PLACE = "values and place"
    PLACE = "place"


class Status(StrEnum):
    """The outcome for one answer."""

    CORRECT = "correct"
    WRONG = "wrong"
    ERROR = "error"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"
    UNATTEMPTED = "unattempted"

    @property
    def failed(self) -> bool:
        """True for every outcome but a right answer and a stub that was not filled in."""
        return self not in (Status.CORRECT, Status.UNATTEMPTED)


@dataclass(frozen=True)
class Named:
    """A mistake: its name, what the numbers show (`why`), and a question that helps to find it (`hint`).

    `shows_expected` says whether the `why` holds a number that was computed from an expected value.
    If the lines that `why` tells are where the mistake is made (`located`), it has no other place.
    """

    name: str
    why: Message
    hint: Message
    located: bool = False
    shows_expected: bool = False


@dataclass(frozen=True)
class Diagnosis:
    """The smallest set of mistakes that gives the answer's numbers.

    `alternatives` are other sets of the same size that give the same numbers. `explained` is False if no known set of
    mistakes gives the numbers; `named` then holds only what is visible in the answer itself, such as a wrong dtype.
    """

    named: tuple[Named, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    explained: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(mistake.name for mistake in self.named)


@dataclass(frozen=True)
class CaseResult:
    """One case: its arguments, whether it passes, the largest absolute error, the tolerance, and the number of values."""

    args: dict[str, int | float]
    passed: bool
    error: Real | None
    tolerance: Real | None
    size: int = 0


class Passing(Protocol):
    """A case that passed or failed, and how many values are expected of it."""

    @property
    def passed(self) -> bool: ...

    @property
    def size(self) -> int: ...


def smallest_failing(cases: Sequence[Passing]) -> int | None:
    """The index of the failing case with the fewest values, the first of several; None if no case fails.

    It is the one that the message and the numbers of a verdict are about.
    """
    failing = (index for index, case in enumerate(cases) if not case.passed)
    return min(failing, key=lambda index: cases[index].size, default=None)


TOLD = {"not-an-array", "wrong-dtype", "other-inputs"}
"""Mistakes of which the report says all that there is to do. Hints are about what the problem computes."""

LONG_TRACE, LOOP_REMOVED, PRINTS, XOR, HIDDEN, NOT_TRACEABLE, X64, UNUSED_UPDATE = (
    "long-trace",
    "loop-removed",
    "prints",
    "xor",
    "hidden-by-rounding",
    "not-traceable",
    "x64",
    "unused-update",
)
"""Names of insights. `loop-removed` and `x64` are printed for wrong answers too: they may be the reason for the values.
`unused-update` is printed only for wrong answers.
`xor` is printed only for wrong answers that nothing explains: the learner may have meant a power."""


@dataclass(frozen=True)
class Insight:
    """A remark on an answer, right or wrong. `shows_expected` is as in `Named`."""

    name: str
    message: Message
    shows_expected: bool = False


@dataclass(frozen=True)
class Frame:
    """One line of the learner's own code in a traceback: its number, the function around it, and its text.

    `start` and `end` are the characters of the text that failed; they are equal if these are not known. In a notebook,
    `line` counts in its `cell`; elsewhere that is 0.
    """

    line: int
    function: str
    text: str
    start: int = 0
    end: int = 0
    cell: int = 0


class Cause(StrEnum):
    """What is wrong where Python has no message to show."""

    NO_FUNCTION = "no function"
    OTHER_FUNCTIONS = "other functions"
    NO_CALL = "no function, but a value"
    OTHER_PARAMETERS = "other parameters"
    INDESCRIBABLE = "indescribable"
    NO_MESSAGE = "no message"
    NO_TEXT = "a message that is no text"


@dataclass(frozen=True)
class Described:
    """An exception as the answer's process describes it (see `run.exceptions.describe`).

    `frames` are the learner's own lines, the innermost last. `lineage` has the names of its class and its base classes. With
    a `cause` it has no message, and `details` are what the sentence of that cause needs (see `marking/advice.py`).
    """

    kind: str
    message: str
    frames: tuple[Frame, ...]
    lineage: tuple[str, ...]
    cause: Cause | None = None
    details: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Raised:
    """An exception that an answer raised: its type, its message, the learner's own lines, and one sentence of advice."""

    kind: str
    message: Message
    frames: tuple[Frame, ...]
    advice: Message = NO_MESSAGE


@dataclass(frozen=True)
class Printed:
    """What an answer printed in one call, whose arguments are `call`; if that is empty, what belongs to no call.

    `more` is how many bytes it printed after the text. Where a warning is about a line, the text has that between two marks.
    """

    call: str
    text: str
    more: int = 0

    def __str__(self) -> str:
        text = _WARNING.sub(lambda found: str(_with_line(*found.groups())), self.text)
        more = message("{count} more bytes were printed", count=self.more)
        return f"{text}\n[{more}]" if self.more else text


NOTHING_PRINTED = Printed("", "")

LINE_OF_A_WARNING = "\x1d{line}\x1d"
"""What the process of an answer prints before a warning."""

_WARNING = re.compile(LINE_OF_A_WARNING.format(line=r"(\d{1,9})") + "([^\n]*)")


def _with_line(line: str, warning: str) -> Message:
    return message("line {line}: {warning}", line=line, warning=warning)


@dataclass(frozen=True)
class Excerpt:
    """The part of the smallest failing case that is shown: one row of expected values beside the answer's values.

    `place` names the indices of the leading axes, and `columns` the indices of the last axis. `wrong` marks the values that
    differ. `whole` is True if the values are integers.
    """

    place: Message
    columns: tuple[Message, ...]
    expected: tuple[Real, ...]
    yours: tuple[Real, ...]
    wrong: tuple[bool, ...]
    whole: bool = False


@dataclass(frozen=True)
class Run:
    """How one answer ran.

    Attributes:
        output: all that it printed, in all calls.
        seconds: of the clock, for the process of the answer.
        processor: seconds of processor time that all its processes used.
        device: what it ran on, by JAX's name; empty if nobody knows.
        confinement: the tier that it ran under, one of `CONFINEMENTS`; it is None if it did not run, for example because
            its file could not be read.
        fresh: the seed of the inputs beyond the cases; None if the answer was called on the cases alone.
        endless: whether it was stopped in a loop that only an error could end: more time would change nothing.
        killed: whether SIGKILL ended its process, and the grader did not send it: perhaps the system lacked memory.
    """

    output: Printed = NOTHING_PRINTED
    seconds: float = 0.0
    processor: float = 0.0
    device: str = ""
    confinement: str | None = None
    fresh: int | None = None
    endless: bool = False
    killed: bool = False


@dataclass(frozen=True)
class Verdict:
    """All that is known about one answer to one problem.

    Attributes:
        where: the places at which it goes wrong, in the order in which they were found; empty if none is known.
        stopped_at: the line of the answer's file at which a limit of time ended it, if that is known.
        run: how the answer ran.
        printed: the part of its output that reports show: what belongs to no call, and what belongs to one call.
        unread: "missing" or "unreadable" if the answer's file could not be read; else empty.
        withheld: the level of feedback that hides parts of this verdict; empty if nothing is hidden.
        sample: some values of an answer that nothing explains (see `sample.sample_of`); else empty. No report shows it.
        drawable: the values of all cases, for pictures. It is None if the problem has no picture, if the answer gave no
            values, and in a verdict that was saved.
        awaited: what may still change or be added; None if nothing. A verdict that is saved awaits nothing.
    """

    problem: str
    status: Status
    message: Message
    file: str = ""
    diagnosis: Diagnosis = field(default_factory=Diagnosis)
    where: tuple[Where, ...] = ()
    cases: tuple[CaseResult, ...] = ()
    insights: tuple[Insight, ...] = ()
    raised: Raised | None = None
    stopped_at: Frame | None = None
    excerpt: Excerpt | None = None
    run: Run = field(default_factory=Run)
    printed: tuple[Printed, ...] = ()
    unread: str = ""
    withheld: str = ""
    sample: str = ""
    drawable: Annotated[Drawable | None, NEVER_SAVED] = field(default=None, compare=False, repr=False)
    awaited: Annotated[Awaited | None, NEVER_SAVED] = None

    @property
    def diagnosed(self) -> bool:
        """Whether the report on a wrong answer names mistakes and places, or says that none is known."""
        return self.status is Status.WRONG and self.withheld not in ("numbers", "verdict")

    @property
    def failing(self) -> CaseResult | None:
        """The failing case that a report shows; None if no case fails."""
        index = smallest_failing(self.cases)
        return None if index is None else self.cases[index]


def fits(verdict: Verdict) -> bool:
    """Whether the parts of a whole verdict fit together, as reports take for granted: a file may say anything."""
    excerpt, run, spans = verdict.excerpt, verdict.run, [place.span for place in verdict.where]
    values = [place.values for place in verdict.where]
    rows = (excerpt.columns, excerpt.expected, excerpt.yours, excerpt.wrong) if excerpt else ()
    return (
        not verdict.withheld
        and verdict.unread in ("", "missing", "unreadable")
        and run.confinement in (None, *CONFINEMENTS)
        and min(run.seconds, run.processor) >= 0
        and len({len(row) for row in rows}) <= 1
        and all(case.size >= 0 for case in verdict.cases)
        and all(0 < span.line <= span.end_line < span.line + len(span.text) + 1 for span in spans)
        and all(min(span.column, span.end_column) >= 0 for span in spans)
        and all(shown.rounds >= 1 and 0 <= shown.case < max(1, len(verdict.cases)) for shown in values)
        and all(_fits(shown.block) for shown in values if shown.block is not None)
    )


def _fits(block: ValueBlock) -> bool:
    """Whether rows of one length stand beside rows, all of them numbers of its kind."""
    rows = (*block.yours, *block.needed)
    numbers = block.kind == "real" or all(math.isfinite(value) for row in rows for value in row)
    return len({len(row) for row in rows}) <= 1 and len(block.yours) == len(block.needed) and numbers


def weakest(tiers: Iterable[str | None]) -> str | None:
    """The weakest tier of some verdicts; None if none of their answers ran.

    Answers that did not run do not count.
    """
    return max((tier for tier in tiers if tier is not None), default=None)


@dataclass(frozen=True)
class Computed:
    """A number or a table that Python or NumPy computed, and an expression reads: its name, its line, a number's value."""

    name: str
    line: Line
    value: Real | None


@dataclass(frozen=True)
class ValueBlock:
    """Some values of an expression beside the values needed there: `yours` and `needed` in rows, all of one length.

    `kind` is "mask" for truth values (0 and 1), "integer", or "real". `part` is an index that selects these values, such as
    `[0, 3:9]`; empty if they are all. `evaluation` is the number of the evaluation that gives them, from 1; 0 if there is
    only one.
    """

    yours: tuple[tuple[Real, ...], ...]
    needed: tuple[tuple[Real, ...], ...]
    kind: str
    part: str = ""
    evaluation: int = 0
    device: int = 0


@dataclass(frozen=True)
class Span:
    """Where an expression stands in the learner's file.

    Lines count from 1. Columns count characters from 0, and `end_column` is the first one after the expression.

    Attributes:
        text: the lines of the file from `line` to `end_line`.
        cell: in a notebook, the cell that the lines count in; elsewhere 0.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    text: tuple[str, ...]
    cell: int = 0


@dataclass(frozen=True)
class PlaceValues:
    """The values at a place, on one case, and those needed there.

    Attributes:
        case: the index of the case.
        rounds: how often the operation is evaluated there on this case.
        alone: the number of the only evaluation that changes; 0 if all do.
        inner: whether the values are those of a step inside the expression, and not its own.
        shape: that of the values of one evaluation, and `needed` that of the values needed.
        block: the values; None where they are hidden, or cannot be compared one by one.
        devices: how many devices hold such values, each its own; 0 where the lines speak of one.
    """

    case: int
    rounds: int
    alone: int
    inner: bool
    shape: tuple[int, ...]
    needed: tuple[int, ...]
    block: ValueBlock | None
    devices: int = 0


@dataclass(frozen=True)
class PlaceProof:
    """What is proven of a place.

    Attributes:
        proven: on how many cases this is proven, of `cases`.
        places: how many places were found together: only all of them make the cases right.
        onward: whether it is proven that the lines that follow, and what they compute, need no change.
    """

    proven: int
    cases: int
    places: int
    onward: bool


@dataclass(frozen=True)
class PlaceRepair:
    """What a repair changes, and the operation or the constant as the learner wrote it; empty if no repair is known."""

    change: Edit | None = None
    written: str = ""


@dataclass(frozen=True)
class Helper:
    """A function that the answer calls in several places: its name, and the lines of the calls."""

    name: str
    calls: tuple[Line, ...]


@dataclass(frozen=True)
class Where:
    """An expression of the learner's file at which the answer goes wrong.

    Attributes:
        span: where it stands.
        operation: the operation that makes the values, by JAX's name.
        step: the step of the reference that gives the values needed; empty for a repair that takes nothing from it, and
            where it is hidden.
        name: the variable that the expression is assigned to; empty if there is none, or if the values are not those of the
            whole expression.
        values: those on one case, and those needed there.
        proof: on what it is proven that other values here make the answer right.
        reads: what goes into the expression.
        fixable: whether a change of this expression can make the answer right.
        repair: what has to be changed there, if that is known.
        relation: how the values needed follow from those that are there.
        computed: the numbers and tables of Python that it reads, and that another line computes.
        helper: the function that it is in, if the answer calls that function in several places; else None.
        of: what the program is of that it was found in: "" for the values, "value" for the value alone where the problem
            asks for a derivative too, "no derivatives" for the numbers that depend on no derivative that the answer takes,
            or the parameter of a derivative.
        derivative: whether the values are those of a derivative at the expression, and not of the expression.
        rule_of: the function of which the span is the end of a derivative rule; empty for any other place. The values are
            those that the rule computes.
    """

    span: Span
    kind: PlaceKind
    operation: str
    step: str
    name: str
    values: PlaceValues
    proof: PlaceProof
    reads: Reads
    fixable: bool
    repair: PlaceRepair = field(default_factory=PlaceRepair)
    relation: Relation | None = None
    computed: tuple[Computed, ...] = ()
    helper: Helper | None = None
    of: str = ""
    derivative: bool = False
    rule_of: str = ""
