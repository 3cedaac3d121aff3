"""The corpus of attacks, one small file each, in folders by their aim. The head of a file says what must come of it:

    # status: error              the status of the verdict, never `correct`; or several: which limit is reached first depends
                                 on how fast the machine is
    # pitfalls: not-an-array     the mistakes that are named, in order; without the line, none
    # says: PermissionError      a pattern that the message or the exception matches
    # remarks: prints            remarks that the report makes, among others
    # tiers: A B                 the tiers at which the attack runs; without the line, all
    # tiers as root: A B         the same for root
    # at C: status=wrong pitfalls=not-an-array says=x      another outcome at a tier
    # at C as root: status=wrong                           another outcome there for root; or `as ordinary`

A test replaces the words between @: see `Grounds` in tests/cli/test_hostile.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from tests.as_ordinary import ORDINARY, ROOT

HERE = Path(__file__).parent
ALL = ("A", "B", "C")
USERS = (ORDINARY, ROOT)
DIFFERENT_AS_ROOT = frozenset({"processes", "files", "stealing", "verdict", "network"})
"""The groups that root runs too, while an ordinary user runs all groups: their outcome depends on what the kernel allows a
user. The outcome of other groups depends on limits and on how the grader reads an answer: both are the same for all."""

SAME_AT_EVERY_TIER = frozenset({"encodings", "values", "forged"})
"""The groups that run at the best tier and at the weakest alone: their outcome depends on how the grader reads an answer and
what its process sends, which no tier changes."""


@dataclass(frozen=True)
class Outcome:
    """The verdict that an attack must get at a tier."""

    statuses: list[str]
    pitfalls: list[str] = field(default_factory=list[str])
    says: str = ""
    remarks: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Attack:
    """One file: its name with its folder, its text, and its outcome by user (see `tests.as_ordinary`) and tier."""

    name: str
    text: str
    outcomes: dict[tuple[str, str], Outcome]

    @property
    def group(self) -> str:
        return self.name.split("/")[0]


def read() -> list[Attack]:
    """All attacks, sorted by group and name."""
    return [_attack(path) for path in sorted(HERE.glob("*/*.py"))]


def _attack(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    head = dict(re.findall(r"^# (status|pitfalls|says|remarks|tiers|tiers as root): (.*)$", text, re.MULTILINE))
    outcomes: dict[tuple[str, str], Outcome] = {}
    for user in USERS:
        tiers = head.get(f"tiers as {user}", head.get("tiers", " ".join(ALL))).split()
        for tier in tiers:
            outcomes[user, tier] = Outcome(
                head["status"].split(),
                head.get("pitfalls", "").split(),
                head.get("says", ""),
                head.get("remarks", "").split(),
            )
    for where, user, status, pitfalls, says in re.findall(
        r"^# at ([ABC ]+?)(?: as (root|ordinary))?: status=(\S+)(?: pitfalls=(\S+))?(?: says=(.*))?$",
        text,
        re.MULTILINE,
    ):
        for tier in where.split():
            for one in (user,) if user else USERS:
                outcomes[one, tier] = Outcome([status], pitfalls.split(",") if pitfalls else [], says)
    return Attack(f"{path.parent.name}/{path.stem}", text, outcomes)
