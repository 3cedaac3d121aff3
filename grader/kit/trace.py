"""What an instructor declares about the program of a right answer: `Problem(..., trace=Trace(...))`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.marking.program_requirements import Asked

Cases = Sequence[tuple[int | float, ...]]

ROUNDS_THAT_SHOW = 4
"""With this many rounds, a loop that is written out is longer than everything else that may grow."""


@dataclass(frozen=True)
class Trace:
    """What JAX must find in an answer when it traces it, beyond right values.

    Args:
        needs: operations that must occur in every case: "scan", "while", "remat", "pallas", "shard_map", "psum",
            "all_gather", "psum_scatter", "ppermute".
        forbids: operations that must not occur, by the same names.
        largest: takes the arguments of a case, and gives the most elements that any array of the program may have.
        grows: how the number of operations may grow with `size`: "no" or "log". Each is counted once, however often it runs.
        size: the parameter. Two cases must be alike but for it, and it must be four times larger in one of them: best 4 and
            16, or more.
    """

    needs: Sequence[str] = ()
    forbids: Sequence[str] = ()
    largest: Callable[..., int] | None = None
    grows: str = ""
    size: str = ""

    def asked(self, parameters: Sequence[str], cases: Cases) -> Asked:
        """What is asked of each case, without code.

        Raises:
            ValueError: if the declaration contradicts itself or the problem; the message says what to change.
        """
        # Imported here, because it imports NumPy: commands that only read the kit import this module, but not NumPy.
        from grader.marking.program_requirements import FACTOR, FAMILIES, GROWTH, Asked

        if isinstance(self.needs, str) or isinstance(self.forbids, str):
            raise ValueError("`needs` and `forbids` are lists of names, as in needs=['scan']")
        for name in (*self.needs, *self.forbids):
            if name not in FAMILIES:
                raise ValueError(f"{name!r} is no operation that can be asked for: choose from {', '.join(FAMILIES)}")
        if both := set(self.needs) & set(self.forbids):
            raise ValueError(f"{min(both)!r} is needed and forbidden: name it once")
        if not (self.needs or self.forbids or self.largest or self.grows):
            raise ValueError("it asks for nothing: give `needs`, `forbids`, `largest` or `grows`")
        if self.grows and self.grows not in GROWTH:
            raise ValueError(f"`grows` is {self.grows!r}: choose one of {', '.join(map(repr, GROWTH))}")
        if bool(self.grows) != bool(self.size):
            raise ValueError("`grows` and `size` belong together: give both, as in grows='no', size='T'")
        largest = [self.largest(*case) for case in cases] if self.largest else []
        if wrong := [one for one in largest if type(one) is not int or one < 1]:
            raise ValueError(f"`largest` gives {wrong[0]!r} for a case: it has to give a whole number from 1 on")
        asked = Asked(tuple(self.needs), tuple(self.forbids), tuple(largest), self.grows, self.size)
        if not self.size:
            return asked
        if self.size not in parameters:
            raise ValueError(
                f"`size` is {self.size!r}, and the parameters are {', '.join(parameters)}: name one of them"
            )
        at = parameters.index(self.size)
        if any(type(case[at]) is not int for case in cases):
            raise ValueError(f"`size` is {self.size!r}, which is not a whole number in every case: name one that is")
        pairs = [
            (small, large)
            for small, one in enumerate(cases)
            for large, other in enumerate(cases)
            if one[at] * FACTOR == other[at] and (*one[:at], *one[at + 1 :]) == (*other[:at], *other[at + 1 :])
        ]
        if not pairs:
            least = max(cases, key=lambda case: min(case[at], ROUNDS_THAT_SHOW))
            twin = (*least[:at], FACTOR * least[at], *least[at + 1 :])
            raise ValueError(
                f"`grows` compares the programs of two cases that are alike but for {self.size}, which is {FACTOR} times "
                f"larger in one: add the case {twin}, for example"
            )
        pair = max(pairs, key=lambda one: min(cases[one[0]][at], ROUNDS_THAT_SHOW))
        return Asked(asked.needs, asked.forbids, asked.largest, self.grows, self.size, pair)
