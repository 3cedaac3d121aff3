"""Turns parsed JSON into values of declared types. An error names the place in the file that does not fit."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

T = TypeVar("T")

MAY_BE_INFINITE = "may be infinite or NaN"

Real = Annotated[float, MAY_BE_INFINITE]
"""A number of an answer, or a difference from one."""

NEVER_SAVED = "never saved"
"""Marks a field that is None in what is saved or sent."""

LARGEST_INT = 1 << 63
"""Integers must be smaller than this. NumPy has no larger integers, and no count, size or argument here is larger."""


class Malformed(ValueError):
    """Data that does not have its declared form. The message names the place."""


def parse(data: bytes) -> Any:
    """Parse JSON. Raises Malformed if the bytes are not JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON") from error


def from_json(kind: type[T], data: bytes) -> T:
    """JSON as a value of a type. Raises Malformed as `parse` and `decode` do."""
    return decode(kind, parse(data))


def decode(kind: Any, data: Any) -> Any:
    """Parsed JSON as a value of a type.

    Args:
        kind: a type made of None, bool, int, float, str, enumerations, list, dict, tuple, unions, dataclasses, TypedDict
            and Any. JSON for a dataclass must have exactly its names; other names than those of a TypedDict are dropped.

    Raises:
        Malformed: if the data does not fit the type, or is nested too deep.
    """
    return Decoder().whole(kind, data)


class Misfit(Exception):
    """Data that does not fit its type. `place` is where it stands, the innermost part first."""

    def __init__(self, what: str = "not what should stand") -> None:
        super().__init__(what)
        self.what, self.place = what, list[str]()


class Decoder:
    """Decodes parsed JSON (see `decode`). That of `codec.py` knows arrays too; this module needs no NumPy."""

    known: ClassVar[Mapping[str, Any]] = {}
    """Types by the names that annotations give them, where a module imports them for its annotations alone."""
    taken = 0
    """How many arrays stand in what was decoded."""

    def whole(self, kind: Any, data: Any) -> Any:
        """A value (see the function `decode`)."""
        try:
            return self._decoded(kind, data)
        except Misfit as misfit:
            raise Malformed(f"{misfit.what} at {''.join(misfit.place[::-1]) or 'its top'}") from None
        except RecursionError:
            raise Malformed("nested too deep") from None

    def other(self, kind: Any, data: Any) -> Any:
        """A value of a type that JSON does not have: here there is none. Raises Misfit if the data is no such value."""
        raise Misfit

    def _decoded(self, kind: Any, data: Any) -> Any:
        if kind is Any:
            return data
        origin, arguments, is_record = form(kind)
        if origin is Annotated and NEVER_SAVED in arguments:
            return self._decoded(types.NoneType, data)
        if origin is Annotated:
            infinite = MAY_BE_INFINITE in arguments and type(data) is float
            return data if infinite else self._decoded(arguments[0], data)
        if origin in (Union, types.UnionType):
            return self._one_of(arguments, data)
        if origin in (list, tuple) and isinstance(data, list):
            return self._sequence(origin, arguments, data)
        if origin in (dict, Mapping) and isinstance(data, dict):
            items: dict[str, Any] = data
            return self._items(items, dict.fromkeys(items, arguments[1]))
        if is_record and isinstance(data, dict):
            return self._record(kind, data)
        if isinstance(kind, type) and (value := _plain(kind, data)) is not None:
            return value
        if kind is types.NoneType and data is None:
            return None
        return self.other(kind, data)

    def _one_of(self, kinds: tuple[Any, ...], data: Any) -> Any:
        if type(data) in kinds:  # unions that differ in their order are equal, and the first is remembered for all
            return self._decoded(type(data), data)
        taken = self.taken
        for kind in kinds[:-1]:
            try:
                return self._decoded(kind, data)
            except Misfit:
                self.taken = taken
        return self._decoded(kinds[-1], data)

    def _sequence(self, origin: type, kinds: tuple[Any, ...], data: list[Any]) -> Any:
        if origin is list or Ellipsis in kinds:
            kinds = (kinds[0],) * len(data)
        if len(kinds) != len(data):
            raise Misfit("not as many items as should stand")
        values: list[Any] = []
        try:
            for kind, item in zip(kinds, data, strict=True):
                values.append(self._decoded(kind, item))
        except Misfit as misfit:
            misfit.place.append(f"[{len(values)}]")
            raise
        return values if origin is list else tuple(values)

    def _items(self, data: Mapping[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
        """The decoded values of the names that the data has, of those that it may have."""
        values: dict[str, Any] = {}
        for name, kind in kinds.items():
            if name in data:
                try:
                    values[_text(name)] = self._decoded(kind, data[name])
                except Misfit as misfit:
                    misfit.place.append(f".{_shown(name)}")
                    raise
        return values

    def _record(self, kind: Any, data: dict[str, Any]) -> Any:
        hints = _hints(kind, type(self))
        required = getattr(kind, "__required_keys__", hints.keys())
        if not data.keys() >= required or (not is_typeddict(kind) and data.keys() - hints.keys()):
            raise Misfit("not the names that should stand")
        return kind(**self._items(data, hints))


@functools.cache
def form(kind: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """The origin and the arguments of a type, and whether it is a dataclass or a TypedDict: asked again and again."""
    return get_origin(kind), get_args(kind), dataclasses.is_dataclass(kind) or is_typeddict(kind)


def _plain(kind: type, data: Any) -> Any:
    if kind is str and isinstance(data, str):
        return _text(data)
    if kind in (int, float) and type(data) is int and abs(data) < LARGEST_INT:
        return kind(data)
    if kind is bool and type(data) is bool:
        return data
    # Python's parser accepts NaN and Infinity, which JSON does not have.
    if kind is float and type(data) is float and math.isfinite(data):
        return data
    if issubclass(kind, str) and kind is not str:  # an enumeration of words
        return next((member for member in kind if member == data), None)  # type: ignore[attr-defined]
    return None


@functools.cache
def _hints(kind: Any, decoder: type[Decoder]) -> dict[str, Any]:
    return get_type_hints(kind, localns=dict(decoder.known), include_extras=True)


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Misfit("half of a character") from None
    return text


def _shown(name: str) -> str:
    """A name in the file as a part of a place. The name comes from the file, so it must not steer a terminal."""
    return name[:60] if name[:60].isprintable() else ascii(name[:60])
