"""The corpus of attacks: one small file each, with what must come of it at its head, in folders by what it is after.

    # status: error              what the verdict says; never `correct`
    # pitfalls: not-an-array     the mistakes named, in order; none without the line
    # says: PermissionError      a pattern in the message or in the exception
    # tiers: A B                 where the head holds; without the line, everywhere
    # at C: status=wrong pitfalls=not-an-array says=x      what differs at a tier

Words between @ are put in by whoever runs them: see `Grounds` in tests/cli/test_hostile.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
ALL = ("A", "B", "C")


@dataclass(frozen=True)
class Outcome:
    """What must come of an attack at a tier."""

    status: str
    pitfalls: list[str] = field(default_factory=list[str])
    says: str = ""


@dataclass(frozen=True)
class Attack:
    """One file: its name with its folder, its text, and its outcome by tier."""

    name: str
    text: str
    outcomes: dict[str, Outcome]


def read() -> list[Attack]:
    """The whole corpus, in order."""
    return [_attack(path) for path in sorted(HERE.glob("*/*.py"))]


def _attack(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    head = dict(re.findall(r"^# (status|pitfalls|says|tiers): (.*)$", text, re.MULTILINE))
    tiers = head.get("tiers", " ".join(ALL)).split()
    outcomes = {tier: Outcome(head["status"], head.get("pitfalls", "").split(), head.get("says", "")) for tier in tiers}
    for where, status, pitfalls, says in re.findall(
        r"^# at ([ABC ]+): status=(\S+)(?: pitfalls=(\S+))?(?: says=(.*))?$", text, re.MULTILINE
    ):
        for tier in where.split():
            outcomes[tier] = Outcome(status, pitfalls.split(",") if pitfalls else [], says)
    return Attack(f"{path.parent.name}/{path.stem}", text, outcomes)
