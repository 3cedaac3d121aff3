"""What one answer gave, after every byte of it was checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.marking.verdict import Described, Frame, Insight, Printed, Run, Status
from grader.values.arrays import Answered
from grader.values.message import NO_MESSAGE, Message
from grader.values.outline import Outline

STEPS = ("load", "call", "check", "compile", "run")
"""What an answer's process may be at: its file runs, a case is called, a case is called under the contract, JAX compiles all
cases as one program, that program runs."""


@dataclass(frozen=True)
class Whereabouts:
    """Where an answer was when its process ended or was ended. Its process said so, and it may lie.

    `step` is one of STEPS, or empty; `case` is the index of a call, or -1; `frame` is a line of the answer's file.
    """

    step: str = ""
    case: int = -1
    frame: Frame | None = None


OUTSIDE = -1
"""In place of the index of a case: of no call, or nobody knows of which."""


@dataclass(frozen=True)
class Traced:
    """What JAX traced of an answer.

    `outlines` are those of its programs, if the problem asks for them, and `stopped` is the exception that stops their
    trace. `programs` are bytes that describe the programs of the cases, and that nobody has read; `derivatives` are those of
    the derivative that a contract asks for.
    """

    outlines: Sequence[Outline] = ()
    stopped: Described | None = None
    programs: bytes | None = None
    derivatives: bytes | None = None


@dataclass(frozen=True)
class Attempt:
    """What an answer gave. `failure` is set if its process ended without a whole result.

    With `compiled`, all cases ran as one program. `answered` has their values, `again` those of a second call by the index
    of the case, and `transformed` the values under the contract. `broken` is the exception that it raises there.
    `traced` is what JAX traced of it, and `run` how it ran. `printed` is what it printed in each call, by the index of the
    case, and at OUTSIDE the rest. `peak` is the most bytes that all its processes were seen to use. `was` is known of an
    answer whose process ended without a result.
    """

    failure: Status | None = None
    message: Message = NO_MESSAGE
    answered: Sequence[Answered] = ()
    again: Mapping[int, Answered] = field(default_factory=dict[int, Answered])
    raised: Described | None = None
    transformed: Sequence[Answered] = ()
    broken: Described | None = None
    traced: Traced = field(default_factory=Traced)
    insights: Sequence[Insight] = ()
    compiled: bool = False
    no_device: str = ""
    printed: Mapping[int, Printed] = field(default_factory=dict[int, Printed])
    run: Run = field(default_factory=Run)
    peak: int = 0
    was: Whereabouts = field(default_factory=Whereabouts)

    @property
    def gave_values(self) -> bool:
        """Whether it was called on every case and ended by itself."""
        return self.failure is None and self.raised is None

    def split(self, count: int) -> tuple[Attempt, Sequence[Answered]]:
        """The attempt at the first `count` cases, and the graded values of the calls after them."""
        first = replace(
            self,
            answered=self.answered[:count],
            again={index: again for index, again in self.again.items() if index < count},
            transformed=self.transformed[:count],
        )
        return first, (self.transformed or self.answered)[count:]
