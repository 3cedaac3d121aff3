"""What an instructor declares of the arguments of a call: `Whole` numbers and `Real` ones, and which of them are legal."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Number = int | float
Relation = Callable[..., object]
"""Says whether values go together, as `lambda k, E: k <= E`. Its parameters are the names of arguments."""


@dataclass(frozen=True)
class Corner:
    """Legal values of one argument that some mistakes show at, or hide at, alone.

    Args:
        low, high: the first and the last of them.
        example: one of them, for a case.
        said: which they are, after the argument's name: `=1`, ` of at least 0.95`.
        small: whether mistakes in other arguments can hide here, as one in the heads does where there are few.
        trivial: whether they do so most, as where there is one head, or where nothing is dropped.
    """

    low: Number
    high: Number
    example: Number
    said: str
    small: bool = True
    trivial: bool = False

    def holds(self, value: Number) -> bool:
        """Whether a value is one of them."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Whole:
    """A whole number.

    Args:
        least: the least legal value; None where every negative number is legal too.
        most: the largest legal value; None where there is no bound.
        step: legal values are its multiples: 2 where they are even.
        reach: how large the largest of the cases must be, where there is no bound. 9 shows a window of 8 that nobody asked
            for; 300 shows whole numbers kept in bfloat16; less than 9 is for layers and steps that answers write down one by
            one, so that a long trace is no fault of theirs.
    """

    least: int | None = 1
    most: int | None = None
    step: int = 1
    reach: int = 9

    def fault(self, value: Number) -> str:
        """Why a value is not legal, as `should be at least 1`; empty if it is."""
        if type(value) is not int:
            return "should be a whole number"
        if self.least is not None and value < self.least:
            return f"should be at least {self.least}"
        if self.most is not None and value > self.most:
            return f"should be at most {self.most}"
        return "" if value % self.step == 0 else f"should be a multiple of {self.step}"

    @property
    def corners(self) -> Sequence[Corner]:
        """What the cases must have: the legal extremes, 1 and 2, and a large number where there is no bound."""
        each = sorted({value for value in (self.least, 1, 2, self.most) if value is not None and not self.fault(value)})
        found = [Corner(value, value, value, f"={value}", trivial=value in (self.least, 1)) for value in each]
        far = math.ceil(self.reach / self.step) * self.step
        if self.most is None:
            found.append(Corner(self.reach, math.inf, far, f" of at least {self.reach}", small=False))
        if self.least is None:
            found.append(Corner(-math.inf, -self.reach, -far, f" of at most {-self.reach}", small=False))
        return found

    @property
    def repeats(self) -> bool:
        """Whether it says how often answers write something down."""
        return self.most is None and self.reach < Whole.reach

    @property
    def facts(self) -> Sequence[Sequence[str]]:
        """What the statement must say of it. Each fact may be said in several ways."""
        said: list[Sequence[str]] = []
        if self.step > 1:
            said.append(("even",) if self.step == 2 else (f"multiple of {self.step}",))
        if self.least is not None and not self.least == self.step > 1:  # a multiple of 4 is at least 4
            said.append((f"at least {self.least}", f"from {self.least} to"))
        if self.least is None:
            said.append(("negative",))
        if self.most is not None:
            said.append((f"at most {self.most}", f"to {self.most}"))
        return said

    def near(self, column: Sequence[Number]) -> list[Number]:
        """Some legal values about as large as those of a column of the cases, in order."""
        values = {*column, *(self.step * times for times in (1, 2, 3, 4, 5)), int(max(column)) + self.step}
        return sorted(value for value in values if not self.fault(value))

    def draw(self, source: random.Random, column: Sequence[Number]) -> Number:
        """A random legal value that is no larger than those of a column of the cases."""
        low = math.ceil((min(column) if self.least is None else self.least) / self.step)
        high = int(max(column)) // self.step
        # Prefer small sizes: most cases are small, and small sizes fit together more often.
        return self.step * (
            source.randint(low, min(high, low + 30)) if source.random() < 0.7 else source.randint(low, high)
        )


@dataclass(frozen=True)
class Real:
    """A float. Where a bound is missing, no number is too small, or too large.

    Args:
        least, most: the bounds that are legal themselves.
        above, below: the bounds that are not.
    """

    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None

    def fault(self, value: Number) -> str:
        """Why a value is not legal, as `should be above 0`; empty if it is."""
        if self.least is not None and value < self.least:
            return f"should be at least {self.least:g}"
        if self.above is not None and value <= self.above:
            return f"should be above {self.above:g}"
        if self.most is not None and value > self.most:
            return f"should be at most {self.most:g}"
        return f"should be below {self.below:g}" if self.below is not None and value >= self.below else ""

    @property
    def corners(self) -> Sequence[Corner]:
        """What the cases must have: each bound that is legal, and a number near each that is not."""
        low = self.above if self.least is None else self.least
        high = self.below if self.most is None else self.most
        near = 0.1 if low is None or high is None else (high - low) / 20
        found: list[Corner] = []
        if self.least is not None:
            found.append(Corner(self.least, self.least, self.least, f"={self.least:g}", trivial=True))
        elif self.above is not None:
            bound = self.above + near
            found.append(
                Corner(self.above, math.nextafter(bound, -math.inf), self.above + near / 2, f" below {bound:g}")
            )
        else:
            found.append(Corner(-math.inf, 0.0, -0.5, " below zero", small=False))
        if self.most is not None:
            found.append(Corner(self.most, self.most, self.most, f"={self.most:g}", trivial=True))
        elif self.below is not None:
            bound = self.below - near
            found.append(
                Corner(math.nextafter(bound, math.inf), self.below, self.below - near * 0.8, f" above {bound:g}")
            )
        return found

    @property
    def facts(self) -> Sequence[Sequence[str]]:
        """What the statement must say of it. Each fact may be said in several ways."""
        said: list[Sequence[str]] = []
        if self.least is not None:
            said.append((f"at least {self.least:g}", f"from {self.least:g}"))
        if self.above is not None:
            positive = ("positive",) if self.above == 0 else ()
            said.append(
                (*(f"{word} {self.above:g}" for word in ("above", "greater than", "larger than", "between")), *positive)
            )
        if self.most is not None:
            said.append((f"at most {self.most:g}", f"to {self.most:g}"))
        if self.below is not None:
            said.append(tuple(f"{word} {self.below:g}" for word in ("below", "less than", "and without,", "and")))
        return said

    def near(self, column: Sequence[Number]) -> list[Number]:
        """Some legal values between those of a column of the cases, in order."""
        low, high = min(column), max(column)
        return sorted(value for value in {*column, (low + high) / 2, (2 * low + high) / 3} if not self.fault(value))

    def draw(self, source: random.Random, column: Sequence[Number]) -> Number:
        """A random value between those of a column of the cases."""
        return round(source.uniform(min(column), max(column)), 3)


Argument = Whole | Real


def seen(column: Sequence[Number]) -> Argument:
    """What the values of one argument in the cases let us guess of it, where nothing is declared."""
    if any(type(value) is float for value in column):
        return Real(min(column), max(column))
    return Whole(int(min(column)), None, math.gcd(*(int(value) for value in column)) or 1)


def fault_of_declaration(arguments: Mapping[str, Argument], relations: Sequence[Relation], due: Sequence[str]) -> str:
    """What is wrong with what a problem says of its arguments `due`; empty if nothing is, or if it says nothing."""
    if arguments and sorted(arguments) != sorted(due):
        return f"`arguments` names {', '.join(arguments)}: name each argument but the seed, {', '.join(due)}"
    unknown = [name for relation in relations for name in related(relation) if name not in arguments]
    return f"`legal` is about {unknown[0]!r}, which `arguments` does not name" if unknown else ""


def fault_of_values(
    arguments: Mapping[str, Argument], relations: Sequence[Relation], values: Mapping[str, Number]
) -> str:
    """Why the values of a call are not legal, as `gives T=0, which should be at least 1`; empty if they are."""
    for name, argument in arguments.items():
        if said := argument.fault(values[name]):
            return f"gives {name}={values[name]}, which {said}"
    for relation in relations:
        names = related(relation)
        if not relation(**{name: values[name] for name in names}):
            given = ", ".join(f"{name}={values[name]}" for name in names)
            return f"gives {given}, and `legal` does not allow these together"
    return ""


def related(relation: Relation) -> tuple[str, ...]:
    """The names of the arguments that a relation is about."""
    return tuple(inspect.signature(relation).parameters)
