"""What a reference's process replies, and what a saved file or a key holds, checked and made values. Needs no JAX."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.kit import frames
from grader.kit.decode import LARGEST_INT, Malformed, decode
from grader.kit.software import Origin
from grader.kit.state import read_or_set_aside
from grader.marking.comparison import Array, Expected, SampledExpected
from grader.marking.contracts import CONTRACTS
from grader.marking.draws import Draw, exchanges
from grader.marking.facts import Facts, Fresh, Mistake, Truth
from grader.marking.pitfall_sets import LARGEST_SET
from grader.marking.program_requirements import FAMILIES, GROWTH, Asked
from grader.oracle.store import (
    ARRAYS,
    FORMAT,
    LARGEST_ORACLE,
    STEPS,
    Mark,
    MistakeKey,
    SavedOracle,
    on_cases,
    roughly,
    sample,
    unpack,
)
from grader.program import draw_names
from grader.values.message import Message
from grader.where.packed_steps import Packed

LARGEST_KEY = 1 << 27
"""The most bytes of a key, packed and unpacked. Keys come from other people."""

MOST_AXES_OF_A_KEY = 8
"""The most axes of an array that a problem gives: a key comes from other people."""

MOST_CALLS = 1 << 18
"""The most calls whose values one group of arrays holds."""

OF_TRUTH = ARRAYS + 5
"""The number of arrays of a truth (see `store.truth_document`)."""


class OtherFormat(Malformed):
    """An oracle or key that another version of the grader wrote."""


@dataclass(frozen=True)
class TruthDocument:
    """A truth without its arrays."""

    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    coarse: list[dict[str, float]]
    draws: list[list[Draw]]


@dataclass(frozen=True)
class Header:
    """The header of a file. A level is named by its size, a set of pitfalls by its names and its forms."""

    format: int
    key: Mark | None
    facts: Facts
    truth: TruthDocument
    screening_case: int
    levels: dict[str, list[MistakeKey]]
    confirmed: list[MistakeKey]
    few: list[int]
    steps: dict[str, list[int]]
    origin: Origin


@dataclass(frozen=True)
class TruthReply:
    """The document of `calls.truth`."""

    truth: TruthDocument
    screening_case: int
    origin: Origin


@dataclass(frozen=True)
class MistakesReply:
    """The document of `calls.level`, `calls.confirmed` and `calls.sets`: sets of pitfalls, and what computed them."""

    keys: list[MistakeKey]
    origin: Origin


@dataclass(frozen=True)
class FreshReply:
    """The document of `calls.fresh`."""

    cases: list[tuple[int | float, ...]]
    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    origin: Origin


@dataclass(frozen=True)
class StepsReply:
    """The document of `calls.steps`."""

    cases: list[int]
    origin: Origin


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
    return _checked(decode(Header, header), arrays)


def _checked(header: Header, arrays: Sequence[Array]) -> tuple[SavedOracle, Mark | None]:
    """An oracle, made of its header and arrays, and its mark if it is a key.

    Raises:
        Malformed: if they do not fit together.
    """
    facts, key, count = facts_of(header.facts), header.key, len(header.facts.cases)
    _require(len(arrays) == OF_TRUTH + ARRAYS * (len(header.levels) + 1) + len(header.steps), "its arrays")
    given = iter(arrays)

    def group(due: int) -> list[Expected]:
        return expected_of([next(given) for _ in range(ARRAYS)], due)

    truth = truth_of(header.truth, [next(given) for _ in range(OF_TRUTH)], facts)
    oracle = SavedOracle(facts, truth, header.screening_case, few=tuple(header.few), origin=header.origin)
    _require(0 <= header.screening_case < count and not (key and header.levels), "its levels")
    _require({f"{size}" for size in range(LARGEST_SET + 1)}.issuperset(header.levels), "its levels")
    for size, keys in header.levels.items():
        _require(all(len(names) == int(size) for names, _ in keys), "its mistakes")
        oracle.levels[int(size)] = mistakes_of(keys, group(len(keys)), truth, facts)
    _require(cases_fit(header.few, count) and bool(key or not (header.few or header.steps)), "its cases")
    cases = [header.few if key and len(names) == LARGEST_SET else range(count) for names, _ in header.confirmed]
    outputs = iter(group(sum(map(len, cases))))
    pairs = zip(header.confirmed, cases, strict=True)
    oracle.confirmed = {one: on_cases(outputs, held, count) for one, held in pairs}
    _require(keys_fit(header.confirmed, truth, facts), "its mistakes")
    _require({*STEPS.values()}.issuperset(header.steps), "its steps")
    for name, held in header.steps.items():
        oracle.steps[name == STEPS[True]] = steps_of(held, [next(given)], count)
    if key is not None:
        _require(len(oracle.confirmed) == len(header.confirmed), "its mistakes")
        _require(_key_fits(key, header.origin, facts), "what it says of itself")
        _add_levels(oracle)
    return oracle, key


def _add_levels(oracle: SavedOracle) -> None:
    """Add what a key holds on the screening case as levels.

    Raises:
        Malformed: if some set is not held on that case, or is too large.
    """
    for key, outputs in oracle.confirmed.items():
        on_screening_case = outputs[oracle.screening_case]
        _require(on_screening_case is not None and len(key[0]) <= LARGEST_SET, "its mistakes")
        assert on_screening_case is not None
        oracle.levels.setdefault(len(key[0]), []).append(Mistake(*key, roughly(on_screening_case)))


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
    _require(fit, "its facts")
    return facts


def _asked_fits(asked: Asked, facts: Facts) -> bool:
    """Whether what is asked of programs is of this problem."""
    cases = len(facts.cases)
    return (
        FAMILIES.keys() >= {*asked.needs, *asked.forbids}
        and len(asked.largest) in (0, cases)
        and asked.grows in ("", *GROWTH)
        and (asked.size in facts.parameters if asked.grows else not asked.size)
        and all(0 <= case < cases for case in asked.pair)
    )


def truth_of(document: TruthDocument, arrays: Sequence[Array], facts: Facts) -> Truth:
    """The truth of all cases; the inverse of `store.truth_document`."""
    count = len(facts.cases)
    _require(len(arrays) == OF_TRUTH, "its arrays")
    expected, (uncertain, *drawn) = expected_of(arrays[:ARRAYS], count), arrays[ARRAYS:]
    sizes = [due.values.size for due in expected]
    known = uncertain.shape == (sum(sizes),) and uncertain.dtype == np.float64
    _require(known and bool(np.isfinite(uncertain).all() and (uncertain >= 0).all()), "its constants")
    numbers = draw_names.parted(drawn)
    moved = np.split(uncertain, np.cumsum(sizes)[:-1])
    fit = (
        len(document.coarse) == len(numbers) == count
        and len(document.draws) in (0, count)
        and not any(isinstance(one, SampledExpected) for one in expected)
        and all(shape[:1] == (2,) for shape in document.shapes if _has_derivative(facts))
        and all(bound >= 0 for bounds in document.coarse for bound in bounds.values())
        and all(
            re.fullmatch("([0-9a-f]{8}){1,8}", one.key) and one.count >= 0 for all_ in document.draws for one in all_
        )
    )
    _require(fit and _forms_fit(document.shapes, document.dtypes, expected), "its expected values")
    return Truth(expected, document.shapes, document.dtypes, document.coarse, document.draws, numbers, moved)


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


def expected_of(arrays: Sequence[Array], due: int) -> list[Expected]:
    """The expected values of `due` calls, from seven arrays (see `store.pack`)."""
    _require(len(arrays) == ARRAYS and due <= MOST_CALLS, "its arrays")
    values, lengths, tolerances, tolerance_lengths, integers, wholes, moved = arrays
    kinds = "".join(array.dtype.kind for array in arrays)
    sizes = {one.size for one in (lengths, tolerance_lengths, integers, wholes, moved)}
    _require(kinds == "fifibif" and sizes == {due} and all(one.ndim == 1 for one in arrays), "its arrays")
    # Sum the lengths as Python integers: NumPy integers may overflow.
    _require(bool((lengths >= 0).all()) and sum(lengths.tolist()) == values.size, "the lengths of its arrays")
    fit = bool(((tolerance_lengths == -1) | (tolerance_lengths == lengths)).all())
    _require(fit and sum(map(abs, tolerance_lengths.tolist())) == tolerances.size, "its tolerances")
    _require(not (np.isnan(tolerances).any() or (tolerances < 0).any()), "its tolerances")
    _require(bool(np.isfinite(moved).all() and (moved >= 0).all()), "its constants")
    for length, whole in zip(lengths.tolist(), wholes.tolist(), strict=True):
        _require(length == whole or (length < whole and sample(whole).size == length), "the lengths of its samples")
    whole_numbers = values[np.repeat(integers, lengths)]
    _require(bool((np.abs(whole_numbers) < LARGEST_INT).all()), "its integers")
    return unpack(arrays)


def mistakes_of(keys: Sequence[MistakeKey], expected: Sequence[Expected], truth: Truth, facts: Facts) -> list[Mistake]:
    """Sets of pitfalls with their values on the screening case."""
    _require(keys_fit(keys, truth, facts), "its mistakes")
    return [Mistake(*key, one) for key, one in zip(keys, expected, strict=True)]


def keys_fit(keys: Iterable[MistakeKey], truth: Truth, facts: Facts) -> bool:
    """Whether these are sets of pitfalls of the problem, and exchanges of its keys."""
    if len(facts.notes) != len(facts.pitfalls):
        return False
    forms = {one.name: len(notes) for one, notes in zip(facts.pitfalls, facts.notes, strict=True)}
    cycles = len(exchanges(truth.draws))

    def fits(names: tuple[str, ...], made: tuple[int, ...]) -> bool:
        most = [forms.get(name, 0) for name in names] or [cycles]
        return len(most) == len(made) and all(0 <= one < count for one, count in zip(made, most, strict=True))

    return all(fits(*key) for key in keys)


def fresh_of(reply: FreshReply, arrays: Sequence[Array], facts: Facts) -> Fresh:
    """Fresh inputs, and their truth."""
    expected = expected_of(arrays, len(reply.cases))
    fit = all(len(case) == len(facts.parameters) for case in reply.cases)
    _require(fit and _forms_fit(reply.shapes, reply.dtypes, expected), "its cases")
    return Fresh(tuple(reply.cases), Truth(expected, reply.shapes, reply.dtypes, [{} for _ in reply.cases]))


def steps_of(cases: Sequence[int], arrays: Sequence[Array], count: int) -> Packed:
    """The packed steps of some of `count` cases. Nobody unpacks them here."""
    _require(cases_fit(cases, count), "its cases")
    _require([(one.dtype.name, one.ndim) for one in arrays] == [("uint8", 1)], "its steps")
    return Packed(arrays[0].tobytes(), tuple(cases))


def cases_fit(cases: Sequence[int], count: int) -> bool:
    """Whether these are indices of some of `count` cases, in order."""
    return list(cases) == sorted({*cases} & {*range(count)})


def _require(fits: bool, part: str) -> None:
    if not fits:
        raise Malformed(f"{part} do not fit together" if part.endswith("s") else f"{part} does not fit")


def _key_fits(mark: Mark, origin: Origin, facts: Facts) -> bool:
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
