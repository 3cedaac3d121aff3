"""What marking knows of a problem."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.verdict import Named


@dataclass(frozen=True)
class Facts:
    """What the declaration of a problem says, without its code."""

    name: str
    parameters: tuple[str, ...]
    cases: tuple[tuple[int | float, ...], ...]
    axes: tuple[str, ...]
    pitfalls: tuple[Named, ...]
    contract: str = ""
    by: str = ""

    def arguments(self, case: int) -> dict[str, int | float]:
        """The arguments of a case by name."""
        return dict(zip(self.parameters, self.cases[case], strict=True))
