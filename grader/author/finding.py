"""The result of an audit as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One fault of a problem: the check that found it, its file and line (0: the whole file), and how to fix it."""

    check: str
    file: str
    line: int
    message: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


Placed = tuple[str, tuple[int, ...]]
"""A pitfall, and the lines of the reference where it is found when it is made there; none if it is not found."""


@dataclass(frozen=True)
class Audited:
    """The audit of one problem.

    `mutation_score` is the mutation score (see `author.mutation_score`), None if the reference is too broken to be mutated.
    `equals` lists pairs of sets of pitfalls that give the same numbers: a larger set, the smaller one that reports name, and
    the first forms of the larger set for which that is so.
    `sets` is how many sets of pitfalls were compared with the truth.
    `places` says of each pitfall where the search for a mistake's place finds it in the reference; it is empty where several
    problems are audited at once.
    `left_out` says that what takes longer was not tried, since cheaper checks have findings.
    """

    problem: str
    findings: tuple[Finding, ...] = ()
    mutation_score: dict[str, Any] | None = None
    equals: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = ()
    seconds: float = 0.0
    sets: int = 0
    places: tuple[Placed, ...] = ()
    left_out: bool = False

    @property
    def sound(self) -> bool:
        return not self.findings
