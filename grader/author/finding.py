"""What an audit finds: plain data, read by its reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One fault of a problem: which check found it, in which file and line (0: the file as a whole), and how to mend it."""

    check: str
    file: str
    line: int
    message: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Audited:
    """All that an audit says of one problem.

    `power` is the count of mutants (see `author.mutation_score`), None where the reference is too broken to be mutated.
    `equals` lists sets of pitfalls that give the numbers of a smaller set; the smaller one is named for them.
    """

    problem: str
    findings: tuple[Finding, ...] = ()
    power: dict[str, Any] | None = None
    equals: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    seconds: float = 0.0
    sets: int = 0

    @property
    def sound(self) -> bool:
        return not self.findings
