"""The corpus of attacks: one small file each, with what must come of it at its head, in folders by what it is after.

    # status: error              what the verdict says; never `correct`
    # pitfalls: not-an-array     the mistakes named, in order; none without the line
    # says: PermissionError      a pattern in the message or in the exception
    # tiers: A B                 where the head holds; without the line, everywhere
    # tiers as root: A B         the same where the answer's process is root's
    # at C: status=wrong pitfalls=not-an-array says=x      what differs at a tier
    # at C as root: status=wrong                           what differs there for root; or `as ordinary`

Words between @ are put in by whoever runs them: see `Grounds` in tests/cli/test_hostile.py.
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
"""The groups that are run a second time, as root, where an ordinary user runs all: what the kernel lets somebody do decides
them. The others are decided by what is read of an answer and by limits, which are the same for everybody."""


@dataclass(frozen=True)
class Outcome:
    """What must come of an attack at a tier."""

    status: str
    pitfalls: list[str] = field(default_factory=list[str])
    says: str = ""


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
    """The whole corpus, in order."""
    return [_attack(path) for path in sorted(HERE.glob("*/*.py"))]


def _attack(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    head = dict(re.findall(r"^# (status|pitfalls|says|tiers|tiers as root): (.*)$", text, re.MULTILINE))
    outcomes: dict[tuple[str, str], Outcome] = {}
    for user in USERS:
        tiers = head.get(f"tiers as {user}", head.get("tiers", " ".join(ALL))).split()
        for tier in tiers:
            outcomes[user, tier] = Outcome(head["status"], head.get("pitfalls", "").split(), head.get("says", ""))
    for where, user, status, pitfalls, says in re.findall(
        r"^# at ([ABC ]+?)(?: as (root|ordinary))?: status=(\S+)(?: pitfalls=(\S+))?(?: says=(.*))?$",
        text,
        re.MULTILINE,
    ):
        for tier in where.split():
            for one in (user,) if user else USERS:
                outcomes[one, tier] = Outcome(status, pitfalls.split(",") if pitfalls else [], says)
    return Attack(f"{path.parent.name}/{path.stem}", text, outcomes)
