"""What marking knows about a problem: its declaration, the expected values, and the values of each mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Protocol

from grader.marking.verdict import Named, Pictured
from grader.values.arrays import Array, Expected
from grader.values.message import Message, sentences
from grader.values.outline import FAMILIES, Draw


@dataclass(frozen=True)
class ProgramRequirements:
    """What is asked of the programs of an answer, one for each case.

    Attributes:
        needs, forbids: names of `FAMILIES`.
        idle: of some of `needs`, the indices of the cases where it does nothing in the reference, and is not looked for.
        largest: the most elements of a value, for each case; empty if values may have any size.
        grows: a key of `GROWTH`; empty if the program may have any length.
        size: the parameter with which the program may not grow; empty without `grows`.
        pair: the indices of two cases that are alike but for `size`, which is `FACTOR` times larger in the second.
    """

    needs: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    largest: tuple[int, ...] = ()
    grows: str = ""
    size: str = ""
    pair: tuple[int, int] = (0, 0)
    idle: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    @property
    def words(self) -> tuple[str, ...]:
        """What a statement has to say, so that a learner knows of it."""
        of_families = [FAMILIES[name].word for name in (*self.needs, *self.forbids)]
        return (*of_families, *(("elements",) if self.largest else ()), *(("grow",) if self.grows else ()))


@dataclass(frozen=True)
class Facts:
    """What the declaration of a problem says, without its code.

    `notes` are told after the words of a mistake: one for each form of each of `pitfalls`, without a text for most.
    `repeats` says whether answers may write something down as often as an argument says (see `Whole.reach`).
    """

    name: str
    parameters: tuple[str, ...]
    cases: tuple[tuple[int | float, ...], ...]
    axes: tuple[str, ...]
    pitfalls: tuple[Named, ...]
    contract: str = ""
    wrt: str = ""
    asked: ProgramRequirements = field(default_factory=ProgramRequirements)
    pictures: tuple[Pictured, ...] = ()
    notes: tuple[tuple[Message, ...], ...] = ()
    repeats: bool = False

    def named(self, mistake: MistakeSet) -> tuple[Named, ...]:
        """The pitfalls of a set, in declared order, each with what is said of the form that it has."""
        made = dict(zip(mistake.names, mistake.forms, strict=True))
        notes = dict(zip([pitfall.name for pitfall in self.pitfalls], self.notes, strict=False))
        return tuple(
            replace(pitfall, why=sentences(pitfall.why, *notes.get(pitfall.name, ())[form : form + 1]))
            for pitfall in self.pitfalls
            if (form := made.get(pitfall.name)) is not None
        )

    @property
    def argnum(self) -> int:
        """The index of the parameter that a `grad` contract differentiates with respect to; 0 without one."""
        return self.parameters.index(self.wrt) if self.wrt else 0

    def arguments(self, case: int) -> dict[str, int | float]:
        """The arguments of a case by name."""
        return dict(zip(self.parameters, self.cases[case], strict=True))

    def with_cases(self, more: Sequence[tuple[int | float, ...]]) -> Facts:
        """This problem, with more cases after its own."""
        return replace(self, cases=(*self.cases, *more))


@dataclass(frozen=True)
class Truth:
    """What is expected of every case: values, shapes before flattening, dtypes, and the error of coarse arithmetic.

    `coarse` has that error by the dtype, and no entry for a dtype of 16 bits that the reference itself computes in.
    `draws` are the draws of random numbers of every case; empty where they are not known. `numbers` are what they give,
    float32 by the name of the draw (see `grader.program.keys`). `uncertain` is how far each value may move with the
    constants of the reference that float32 rounds, float64 of the shape of the values. Both are empty for fresh inputs.
    """

    expected: Sequence[Expected]
    shapes: Sequence[tuple[int, ...]]
    dtypes: Sequence[str]
    coarse: Sequence[Mapping[str, float]]
    draws: Sequence[Sequence[Draw]] = ()
    numbers: Sequence[Mapping[str, Array]] = ()
    uncertain: Sequence[Array] = ()

    def of_case(self, case: int) -> Truth:
        """The truth of one case alone."""
        return Truth(*(getattr(self, attribute.name)[case : case + 1] for attribute in fields(self)))


@dataclass(frozen=True)
class Fresh:
    """Calls beyond the cases of a problem, and their expected values."""

    cases: tuple[tuple[int | float, ...], ...]
    truth: Truth


MistakeKey = tuple[tuple[str, ...], tuple[int, ...]]
"""The names and the forms of a set."""


@dataclass(frozen=True)
class MistakeSet:
    """A set of pitfalls, and what the worked answer gives with them.

    `names` are in declared order, `forms` has the index of the form of each, and `expected` is what the mistake gives on
    the screening case. Without names, it is an exchange of keys: the index of it in `grader.marking.draws.exchanges`.
    """

    names: tuple[str, ...]
    forms: tuple[int, ...]
    expected: Expected

    @property
    def key(self) -> MistakeKey:
        """What it is, without its values."""
        return self.names, self.forms


class ExpectedValues(Protocol):
    """What marking asks about a problem. A reference, a saved file or an answer key can answer."""

    def truth(self) -> Truth:
        """The expected values of all cases."""
        ...

    @property
    def precision(self) -> float:
        """How precisely it knows the values of mistakes, relative to the largest: 0 for float64, more for a key."""
        ...

    @property
    def screening_case(self) -> int:
        """The index of the case on which all sets of pitfalls are compared first."""
        ...

    def level(self, size: int) -> Sequence[MistakeSet]:
        """Every set of `size` pitfalls, on the screening case; for size 0, the reference with keys exchanged."""
        ...

    def on_case(self, mistakes: Sequence[MistakeSet], case: int) -> Sequence[Expected | None]:
        """What mistakes give on one case, with tolerances that suffice to rule a mistake out; None as in `confirm`."""
        ...

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected | None]:
        """What one mistake gives on each case; None for a case on which an answer key does not hold it."""
        ...
