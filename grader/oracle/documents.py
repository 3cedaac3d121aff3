"""What a reference's process replies, and what a saved file or a key holds, checked and made values. Needs no JAX."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from grader.kit.software import SoftwareOrigin
from grader.kit.state import read_or_set_aside
from grader.marking.diagnosis import LARGEST_SET
from grader.marking.draws import exchanges
from grader.marking.facts import Facts, Fresh, MistakeSet, ProgramRequirements, Truth
from grader.marking.requirements import CONTRACTS, GROWTH
from grader.oracle.store import (
    FORMAT,
    LARGEST_ORACLE,
    Mark,
    MistakeKey,
    PackedExpected,
    PackedTruth,
    Saved,
    SavedOracle,
    on_cases,
    require,
    roughly,
)
from grader.values import frames
from grader.values.arrays import Expected, SampledExpected
from grader.values.codec import from_frame
from grader.values.decode import Malformed
from grader.values.message import Message
from grader.values.outline import FAMILIES
from grader.where.steps import Packed

LARGEST_KEY = 1 << 27
"""The most bytes of a key, packed and unpacked. Keys come from other people."""

MOST_AXES_OF_A_KEY = 8
"""The most axes of an array that a problem gives: a key comes from other people."""


class OtherFormat(Malformed):
    """An oracle or key that another version of the grader wrote."""


@dataclass(frozen=True)
class TruthReply:
    """The reply to `calls.truth`."""

    truth: PackedTruth
    origin: SoftwareOrigin


@dataclass(frozen=True)
class MistakesReply:
    """Sets of pitfalls, what they give, what computed it: the reply to `calls.level`, `on_case`, `confirmed`, `sets`."""

    keys: tuple[MistakeKey, ...]
    expected: PackedExpected
    origin: SoftwareOrigin


@dataclass(frozen=True)
class ScreenedReply(MistakesReply):
    """The reply to `calls.screened`: every single pitfall on the screening case, and the index of this case."""

    case: int


@dataclass(frozen=True)
class FreshReply:
    """The reply to `calls.fresh`."""

    cases: tuple[tuple[int | float, ...], ...]
    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    expected: PackedExpected
    origin: SoftwareOrigin


@dataclass(frozen=True)
class StepsReply:
    """The reply to `calls.steps`."""

    steps: Packed
    origin: SoftwareOrigin


def load(path: Path) -> SavedOracle | None:
    """A saved oracle; None if there is none, if other software made it, or if it is damaged (then it is set aside)."""
    oracle = read_or_set_aside(path, LARGEST_ORACLE, lambda data: from_bytes(data, LARGEST_ORACLE)[0])
    return None if oracle is None or oracle.origin.differences() else oracle


def from_bytes(data: bytes, limit: int) -> tuple[SavedOracle, Mark | None]:
    """The inverse of `store.to_bytes`, for bytes that unpack to at most `limit`.

    Raises:
        OtherFormat: if another version of the grader wrote it.
        Malformed: if the bytes are not an oracle's file, or its parts do not fit together.
    """
    header, arrays = frames.unpack(data, limit)
    if "format" in header and header["format"] != FORMAT:
        raise OtherFormat("of another version of the grader")
    return _checked(from_frame(Saved, header, arrays))


def _checked(saved: Saved) -> tuple[SavedOracle, Mark | None]:
    """An oracle as it is used, and its mark if it is a key.

    Raises:
        Malformed: if they do not fit together.
    """
    facts, key, count = facts_of(saved.facts), saved.key, len(saved.facts.cases)
    truth = truth_of(saved.truth, facts)
    oracle = SavedOracle(facts, truth, saved.screening_case, few=saved.few, origin=saved.origin)
    sizes = [level.size for level in saved.levels]
    unscreened = saved.screening_case is None and not (key or sizes)
    require(unscreened or saved.screening_case in range(count), "its screening case")
    require(not (key and sizes), "its levels")
    require(sorted({*sizes} & {*range(LARGEST_SET + 1)}) == sorted(sizes), "its levels")
    for level in saved.levels:
        require(all(len(names) == level.size for names, _ in level.keys), "its mistakes")
        oracle.levels[level.size] = mistakes_of(level.keys, level.expected, truth, facts)
    steps = {False: saved.steps, True: saved.steps_of_value}
    oracle.steps = {of_value: steps_of(held, count) for of_value, held in steps.items() if held is not None}
    require(cases_fit(saved.few, count) and bool(key or not (saved.few or oracle.steps)), "its cases")
    cases = [saved.few if key and len(names) == LARGEST_SET else range(count) for names, _ in saved.confirmed]
    outputs = iter(saved.expected.expected(sum(map(len, cases))))
    pairs = zip(saved.confirmed, cases, strict=True)
    oracle.confirmed = {pair: on_cases(outputs, held, count) for pair, held in pairs}
    require(keys_fit(saved.confirmed, truth, facts), "its mistakes")
    if key is not None:
        require(len(oracle.confirmed) == len(saved.confirmed), "its mistakes")
        require(_key_fits(key, saved.origin, facts), "what it says of itself")
        _add_levels(oracle)
    return oracle, key


def _add_levels(oracle: SavedOracle) -> None:
    """Add what a key holds on the screening case as levels.

    Raises:
        Malformed: if some set is not held on that case, or is too large.
    """
    assert oracle.screening_case is not None
    for key, outputs in oracle.confirmed.items():
        on_screening_case = outputs[oracle.screening_case]
        require(on_screening_case is not None and len(key[0]) <= LARGEST_SET, "its mistakes")
        assert on_screening_case is not None
        oracle.levels.setdefault(len(key[0]), []).append(MistakeSet(*key, roughly(on_screening_case)))


def facts_of(facts: Facts) -> Facts:
    """Facts, if they fit together."""
    names = [pitfall.name for pitfall in facts.pitfalls]
    fit = (
        bool(facts.cases and facts.parameters)
        and len(set(facts.parameters)) == len(facts.parameters)
        and all(parameter.isidentifier() for parameter in facts.parameters)
        and all(len(case) == len(facts.parameters) for case in facts.cases)
        and len(set(names)) == len(names)
        and facts.contract in ("", *CONTRACTS)
        and all(picture.fits(facts.axes) for picture in facts.pictures)
        and _asked_fits(facts.asked, facts)
        and ((facts.wrt in facts.parameters) if _has_derivative(facts) else not facts.wrt)
    )
    require(fit, "its facts")
    return facts


def _asked_fits(asked: ProgramRequirements, facts: Facts) -> bool:
    """Whether what is asked of programs is of this problem."""
    cases = len(facts.cases)
    return (
        FAMILIES.keys() >= {*asked.needs, *asked.forbids}
        and len(asked.largest) in (0, cases)
        and asked.grows in ("", *GROWTH)
        and (asked.size in facts.parameters if asked.grows else not asked.size)
        and all(0 <= case < cases for case in (*asked.pair, *chain(*asked.idle.values())))
        and {*asked.needs} >= asked.idle.keys()
    )


def truth_of(packed: PackedTruth, facts: Facts) -> Truth:
    """The truth of all cases.

    Raises:
        Malformed: if its parts do not fit together.
    """
    count, uncertain = len(facts.cases), packed.uncertain
    expected = packed.expected.expected(count)
    sizes = [due.values.size for due in expected]
    known = uncertain.shape == (sum(sizes),) and uncertain.dtype == np.float64
    require(known and bool(np.isfinite(uncertain).all() and (uncertain >= 0).all()), "its constants")
    numbers = packed.numbers.parted()
    moved = np.split(uncertain, np.cumsum(sizes)[:-1])
    fit = (
        len(packed.coarse) == len(numbers) == count
        and len(packed.draws) in (0, count)
        and not any(isinstance(due, SampledExpected) for due in expected)
        and all(shape[:1] == (2,) for shape in packed.shapes if _has_derivative(facts))
        and all(bound >= 0 for bounds in packed.coarse for bound in bounds.values())
        and all(
            re.fullmatch("([0-9a-f]{8}){1,8}", draw.key) and draw.count >= 0 for all_ in packed.draws for draw in all_
        )
    )
    require(fit and _forms_fit(packed.shapes, packed.dtypes, expected), "its expected values")
    return Truth(expected, packed.shapes, packed.dtypes, packed.coarse, packed.draws, numbers, moved)


def _has_derivative(facts: Facts) -> bool:
    return bool(facts.contract) and CONTRACTS[facts.contract].derivative


def _forms_fit(shapes: Sequence[tuple[int, ...]], dtypes: Sequence[str], expected: Sequence[Expected]) -> bool:
    """Whether shapes and dtypes are those of expected values."""
    return (
        len(shapes) == len(dtypes) == len(expected)
        and frames.DTYPES.issuperset(dtypes)
        and all(size >= 0 for shape in shapes for size in shape)
        and all(len(shape) <= MOST_AXES_OF_A_KEY for shape in shapes)
        and all(math.prod(shape) == due.values.size for shape, due in zip(shapes, expected, strict=True))
    )


def mistakes_of(keys: Sequence[MistakeKey], packed: PackedExpected, truth: Truth, facts: Facts) -> list[MistakeSet]:
    """Sets of pitfalls with their values on the screening case.

    Raises:
        Malformed: if they are not those of the problem.
    """
    require(keys_fit(keys, truth, facts), "its mistakes")
    return [MistakeSet(*key, expected) for key, expected in zip(keys, packed.expected(len(keys)), strict=True)]


def keys_fit(keys: Iterable[MistakeKey], truth: Truth, facts: Facts) -> bool:
    """Whether these are sets of pitfalls of the problem, and exchanges of its keys."""
    if len(facts.notes) != len(facts.pitfalls):
        return False
    forms = {pitfall.name: len(notes) for pitfall, notes in zip(facts.pitfalls, facts.notes, strict=True)}
    cycles = len(exchanges(truth.draws))

    def fits(names: tuple[str, ...], made: tuple[int, ...]) -> bool:
        most = [forms.get(name, 0) for name in names] or [cycles]
        return len(most) == len(made) and all(0 <= number < count for number, count in zip(made, most, strict=True))

    return all(fits(*key) for key in keys)


def fresh_of(reply: FreshReply, facts: Facts) -> Fresh:
    """Fresh inputs, and their truth."""
    expected = reply.expected.expected(len(reply.cases))
    fit = all(len(case) == len(facts.parameters) for case in reply.cases)
    require(fit and _forms_fit(reply.shapes, reply.dtypes, expected), "its cases")
    return Fresh(reply.cases, Truth(expected, reply.shapes, reply.dtypes, [{} for _ in reply.cases]))


def steps_of(packed: Packed, count: int) -> Packed:
    """The packed steps of some of `count` cases. Nobody unpacks them here."""
    require(cases_fit(packed.cases, count), "its cases")
    return packed


def cases_fit(cases: Sequence[int], count: int) -> bool:
    """Whether these are indices of some of `count` cases, in order."""
    return list(cases) == sorted({*cases} & {*range(count)})


def _key_fits(mark: Mark, origin: SoftwareOrigin, facts: Facts) -> bool:
    """Whether a key holds printable text only, since it is printed, and no path, since a path would be opened."""
    words: Iterable[str] = (
        *(mark.statement, mark.reference, mark.fingerprint, *mark.sample, facts.name, *facts.axes, origin.python),
        *(*origin.distributions, *origin.distributions.values(), *origin.settings, *origin.settings.values()),
    )
    told = [text for pitfall in facts.pitfalls for text in (pitfall.why, pitfall.hint)]
    told += [note for notes in facts.notes for note in notes]
    names = (pitfall.name for pitfall in facts.pitfalls)
    printable = all(word.isprintable() for word in (*words, *names)) and all(map(_is_printable, told))
    return printable and all(origin.distributions) and not origin.files


def _is_printable(told: Message) -> bool:
    """Whether it is printable text in one or more languages, and nothing else."""
    lines = (line for text in (told.text, *told.translations.values()) for line in text.split("\n"))
    bare = told == Message(told.text, translations=told.translations)
    return bare and all(line.isprintable() for line in (*told.translations, *lines))
