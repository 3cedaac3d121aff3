"""Reads a saved oracle or a key, and first checks that all its parts fit together. Needs no JAX."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.kit.decode import LARGEST_INT, Malformed, decode, parse
from grader.kit.origin import Origin
from grader.kit.state import read_or_set_aside
from grader.marking.contracts import CONTRACTS
from grader.marking.draws import Draw, exchanges
from grader.marking.facts import Facts, Mistake, Truth
from grader.marking.judge import Array, Expected, SampledExpected
from grader.marking.pitfall_sets import LARGEST_SET
from grader.marking.verdict import Named
from grader.oracle.npz import arrays_of
from grader.oracle.store import (
    ARRAYS,
    FORMAT,
    LARGEST,
    STEPS,
    Mark,
    MistakeKey,
    SavedOracle,
    on_cases,
    roughly,
    sample,
    truth_of,
    unpack,
)
from grader.where.packed import Packed

DTYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
    | {"float16", "bfloat16", "float32", "float64", "complex64", "complex128"}
)

LARGEST_KEY = 1 << 27
"""The most bytes of a key, packed and unpacked. Keys come from other people."""

LARGEST_HEADER = 1 << 23
MOST = 1 << 18
"""The most calls whose values one group of arrays holds."""


class OtherFormat(Malformed):
    """An oracle or key that another version of the grader wrote."""


@dataclass(frozen=True)
class Header:
    """The header of a file. A level is named by its size, a set of pitfalls by its names and its setting."""

    format: int
    key: Mark | None
    facts: Facts
    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    coarse: list[dict[str, float]]
    draws: list[list[Draw]]
    names: list[list[str]]
    screening_case: int
    levels: dict[str, list[MistakeKey]]
    confirmed: list[MistakeKey]
    few: list[int]
    steps: dict[str, list[int]]
    origin: Origin


def load(path: Path) -> SavedOracle | None:
    """A saved oracle; None if there is none, if other software made it, or if it is damaged (then it is set aside)."""
    oracle = read_or_set_aside(path, LARGEST, lambda data: from_bytes(data, LARGEST)[0])
    return None if oracle is None or oracle.origin.differences() else oracle


def from_bytes(data: bytes, limit: int) -> tuple[SavedOracle, Mark | None]:
    """The inverse of `store.to_bytes`, for bytes that unpack to at most `limit`.

    Raises:
        OtherFormat: if another version of the grader wrote it.
        Malformed: if the bytes are not an oracle's file, or its parts do not fit together.
    """
    arrays = arrays_of(data, limit)
    if "header" not in arrays or arrays["header"].nbytes > LARGEST_HEADER:
        raise Malformed("no header that an oracle has")
    header = parse(arrays["header"].tobytes())
    if isinstance(header, dict) and "format" in header and header["format"] != FORMAT:
        raise OtherFormat("of another version of the grader")
    return _checked(decode(Header, header), arrays)


def _checked(header: Header, arrays: dict[str, Array]) -> tuple[SavedOracle, Mark | None]:
    """An oracle, made of its header and arrays, and its mark if it is a key.

    Raises:
        Malformed: if they do not fit together.
    """
    facts = header.facts
    count = len(facts.cases)
    _require(_facts_fit(facts), "its facts")
    sizes = {f"{size}" for size in range(LARGEST_SET + 1)}
    _require(header.levels.keys() <= sizes and 0 <= header.screening_case < count, "its levels")
    listed = [header.few, *header.steps.values()]
    in_order = all(one == sorted(set(one)) and set(one) <= set(range(count)) for one in listed)
    _require(in_order and (header.key is not None or not (header.few or header.steps)), "its cases")
    cases = [header.few if header.key and len(names) == LARGEST_SET else range(count) for names, _ in header.confirmed]
    _require(len(header.names) == len(header.shapes) == count, "its draws")
    due = {"truth": 2 * count + sum(map(len, header.names)), "confirmed": sum(map(len, cases))}
    due |= {f"level{size}": len(keys) for size, keys in header.levels.items()}
    named = {group: [f"{group}_{index}" for index in range(ARRAYS)] for group in due}
    _require(arrays.keys() == {"header", *header.steps}.union(*named.values()), "the names of its arrays")
    held = {of_value: name for of_value, name in STEPS.items() if name in header.steps}
    _require(
        len(held) == len(header.steps) and all(arrays[name].dtype.kind == "u" for name in held.values()), "its steps"
    )
    found = {group: group_of([arrays[name] for name in named[group]], due[group]) for group in due}

    truth = truth_of(found["truth"], header.shapes, header.dtypes, header.coarse, header.draws, header.names)
    _require(_truth_fits(truth, facts), "its expected values")
    oracle = SavedOracle(facts, truth, header.screening_case, few=tuple(header.few), origin=header.origin)
    oracle.steps |= {
        of_value: Packed(arrays[name].tobytes(), tuple(header.steps[name])) for of_value, name in held.items()
    }
    pitfalls = {pitfall.name for pitfall in facts.pitfalls}
    for size, keys in header.levels.items():
        expected = found[f"level{size}"]
        _require(all(len(names) == int(size) for names, _ in keys), "its mistakes")
        oracle.levels[int(size)] = [Mistake(*key, one) for key, one in zip(keys, expected, strict=True)]
    outputs = iter(found["confirmed"])
    oracle.confirmed.update(
        (key, on_cases(outputs, held, count)) for key, held in zip(header.confirmed, cases, strict=True)
    )
    used = [*header.confirmed, *(key for keys in header.levels.values() for key in keys)]
    _require(all(pitfalls.issuperset(names) and setting >= 0 for names, setting in used), "its mistakes")
    cycles = len(exchanges(truth.draws))
    _require(all(names or setting < cycles for names, setting in used), "its exchanges of keys")
    if header.key is not None:
        _require(not header.levels and len(oracle.confirmed) == len(header.confirmed), "its mistakes")
        _require(_key_fits(header.key, header.origin, facts), "what it says of itself")
        _add_levels(oracle)
    return oracle, header.key


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


def _require(fits: bool, part: str) -> None:
    if not fits:
        raise Malformed(f"{part} do not fit together" if part.endswith("s") else f"{part} does not fit")


def _facts_fit(facts: Facts) -> bool:
    names = [pitfall.name for pitfall in facts.pitfalls]
    return (
        bool(facts.cases and facts.parameters)
        and len(set(facts.parameters)) == len(facts.parameters)
        and all(parameter.isidentifier() for parameter in facts.parameters)
        and all(len(case) == len(facts.parameters) for case in facts.cases)
        and len(set(names)) == len(names)
        and facts.contract in ("", *CONTRACTS)
        and all(picture.fits(facts.axes) for picture in facts.pictures)
        and ((facts.wrt in facts.parameters) if _has_derivative(facts) else not facts.wrt)
    )


def _has_derivative(facts: Facts) -> bool:
    return bool(facts.contract) and CONTRACTS[facts.contract].derivative


def group_of(arrays: Sequence[Array], due: int) -> list[Expected]:
    """The expected values of `due` calls, from seven packed arrays (see `store.pack`)."""
    values, lengths, tolerances, tolerance_lengths, integers, wholes, moved = arrays
    kinds = "".join(array.dtype.kind for array in arrays)
    sizes = {one.size for one in (lengths, tolerance_lengths, integers, wholes, moved)}
    _require(kinds == "fifibif" and sizes == {due} and due <= MOST, "its arrays")
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


def _truth_fits(truth: Truth, facts: Facts) -> bool:
    parts = (truth.expected, truth.shapes, truth.dtypes, truth.coarse)
    return (
        {len(part) for part in parts} == {len(facts.cases)}
        and not any(isinstance(one, SampledExpected) for one in truth.expected)
        and all(_shape_fits(shape, one, facts) for shape, one in zip(truth.shapes, truth.expected, strict=True))
        and DTYPES.issuperset(truth.dtypes)
        and all(bound >= 0 for bounds in truth.coarse for bound in bounds.values())
        and len(truth.draws) in (0, len(facts.cases))
        and all(one.size == due.values.size for one, due in zip(truth.uncertain, truth.expected, strict=True))
        and all(re.fullmatch("([0-9a-f]{8}){1,8}", draw.key) and draw.count >= 0 for one in truth.draws for draw in one)
    )


def _shape_fits(shape: tuple[int, ...], expected: Expected, facts: Facts) -> bool:
    halves = not _has_derivative(facts) or shape[:1] == (2,)
    return halves and all(size >= 0 for size in shape) and math.prod(shape) == expected.values.size


def _key_fits(mark: Mark, origin: Origin, facts: Facts) -> bool:
    """Whether a key holds printable text only, since it is printed, and no path, since a path would be opened."""
    words: Iterable[str] = (
        *(mark.statement, mark.reference, mark.fingerprint, *mark.sample, facts.name, *facts.axes, origin.python),
        *(*origin.distributions, *origin.distributions.values(), *origin.settings, *origin.settings.values()),
    )
    printable = all(word.isprintable() for word in words) and all(map(_is_text, facts.pitfalls))
    return printable and all(origin.distributions) and not origin.files


def _is_text(pitfall: Named) -> bool:
    lines = f"{pitfall.why}\n{pitfall.hint}".split("\n")
    return pitfall.name.isprintable() and all(line.isprintable() for line in lines)
