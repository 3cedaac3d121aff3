"""What a command was told. Light to import: commands that run nothing pay for nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.kit import Kit


class NoSuchDevice(Exception):
    """The device asked for is not there; the argument says what JAX says."""


@dataclass(frozen=True)
class Limits:
    """What one answer may use: wall-clock seconds, and bytes of resident memory with its descendants'."""

    seconds: float = 60.0
    memory: int = 4 << 30


@dataclass(frozen=True)
class Options:
    """What every command is told."""

    kit: Kit
    device: str = "cpu"
    limits: Limits = field(default_factory=Limits)
    json: bool = False
    colour: bool = True
