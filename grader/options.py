"""What a command was told. Light to import: commands that run nothing pay for nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.kit.kit import Kit


class NoSuchDevice(Exception):
    """The device asked for is not there; the argument says what JAX says."""


@dataclass(frozen=True)
class Limits:
    """What one answer may use: wall-clock seconds, and bytes of memory with its descendants'."""

    seconds: float = 60.0
    memory: int = 4 << 30


class Unconfined(Exception):
    """The confinement asked for cannot be had here; the argument says why."""


CONFINES = ("best", "A", "B", "process")
FEEDBACK = ("full", "diagnosis", "verdict")


@dataclass(frozen=True)
class Policy:
    """How answers that are not trusted are graded.

    `confine` is empty, or what must be in force: a tier, `process` for tier C, `best` for the better of A and B. `fresh` is
    the seed of inputs beyond the cases of a problem, None for none; `feedback` says how much a report tells.
    """

    confine: str = ""
    fresh: int | None = None
    feedback: str = "full"


@dataclass(frozen=True)
class Options:
    """What every command is told."""

    kit: Kit
    device: str = "cpu"
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    json: bool = False
    colour: bool = True
