"""The options of a command, as values. This module imports little, so that commands that run nothing start fast."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.kit.kit import Kit


class NoSuchDevice(Exception):
    """JAX does not find the device that was asked for. The argument is JAX's own message."""


CLOCK = 5.0
"""If nothing else is asked for, an answer may take this many times its seconds of processor time on the clock."""


@dataclass(frozen=True)
class Limits:
    """What one answer may use, together with the processes that it starts.

    Attributes:
        seconds: of processor time.
        memory: bytes.
        timeout: seconds on the clock, since it may sleep or wait; None for five times those of processor time.
        option: what a user gives for more time.
    """

    seconds: float = 60.0
    memory: int = 4 << 30
    timeout: float | None = None
    option: str = "--timeout"

    @property
    def clock(self) -> float:
        """Seconds on the clock."""
        return CLOCK * self.seconds if self.timeout is None else self.timeout

    def as_text(self) -> tuple[str, str]:
        """Both as a user writes them."""
        return f"{self.seconds:g}", f"{self.memory >> 30}G"


class Unconfined(Exception):
    """This machine cannot confine answers as asked. The argument is the reason."""


BEST = "best"
TIERS = ("A", "B", "C")
"""The tiers of confinement (see the guide on security); the best stands for the better of A and B that works here."""
CONFINES = (BEST, *TIERS)
FEEDBACK = FULL, NUMBERS, DIAGNOSIS, VERDICT = "full", "numbers", "diagnosis", "verdict"
"""How much a report shows (see `report/feedback.py`)."""


@dataclass(frozen=True)
class Policy:
    """How answers that are not trusted are graded.

    `confine` is empty or names the confinement that must be in force: a tier, or `best` for the better of A and B.
    `fresh` is the seed of random inputs beyond a problem's cases; None means that there are none. `feedback` is how much a
    report shows.
    """

    confine: str = ""
    fresh: int | None = None
    feedback: str = "full"

    @property
    def tells_values(self) -> bool:
        """Whether expected values may be shown."""
        return self.feedback in (FULL, NUMBERS)


@dataclass(frozen=True)
class Options:
    """What every command needs to know. `concise` is whether findings are printed, one a line, in place of reports."""

    kit: Kit
    device: str = "cpu"
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    json: bool = False
    concise: bool = False
    colour: bool = True
    pictures: bool = True
