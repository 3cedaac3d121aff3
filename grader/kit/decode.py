"""Turns parsed JSON into values of declared types. An error names the place in the file that does not fit."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
from collections.abc import Mapping
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from grader.marking.places import MAY_BE_INFINITE
from grader.marking.verdict import ADDED

LARGEST_INT = 1 << 63
"""Integers must be smaller than this. NumPy has no larger integers, and no count, size or argument here is larger."""


class Malformed(ValueError):
    """Data that does not have its declared form. The message names the place."""


def parse(data: bytes) -> Any:
    """Parse JSON.

    Raises:
        Malformed: if the bytes are not JSON.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON") from error


def decode(kind: Any, data: Any, where: str = "") -> Any:
    """Parsed JSON as a value of a type.

    Args:
        kind: a type made of None, bool, int, float, str, enumerations, list, dict, tuple, unions, dataclasses, TypedDict
            and Any. JSON for a dataclass must have exactly its names; other names than those of a TypedDict are dropped.
        data: the parsed JSON.
        where: the place of the data in the file, for the error message.

    Raises:
        Malformed: if the data does not fit the type, or is nested too deep.
    """
    try:
        return _decoded(kind, data, where)
    except RecursionError:
        raise Malformed("nested too deep") from None


def _decoded(kind: Any, data: Any, where: str) -> Any:
    if kind is Any:
        return data
    origin, arguments, is_record = _form(kind)
    if origin is Annotated:
        return data if MAY_BE_INFINITE in arguments and type(data) is float else _decoded(arguments[0], data, where)
    if origin in (Union, types.UnionType):
        return _one_of(arguments, data, where)
    if origin in (list, tuple) and isinstance(data, list):
        return _sequence(origin, arguments, data, where)
    if origin in (dict, Mapping) and isinstance(data, dict):
        items: dict[str, Any] = data
        return {_text(name, where): _decoded(arguments[1], item, _inside(where, name)) for name, item in items.items()}
    if is_record and isinstance(data, dict):
        return _record(kind, data, where)
    if isinstance(kind, type) and (value := _plain(kind, data, where)) is not None:
        return value
    if kind is types.NoneType and data is None:
        return None
    raise Malformed(f"not what should stand at {where or 'its top'}")


@functools.cache
def _form(kind: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """The origin and the arguments of a type, and whether it is a dataclass or a TypedDict: asked again and again."""
    return get_origin(kind), get_args(kind), dataclasses.is_dataclass(kind) or is_typeddict(kind)


def _plain(kind: type, data: Any, where: str) -> Any:
    if kind is str and isinstance(data, str):
        return _text(data, where)
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


def _one_of(kinds: tuple[Any, ...], data: Any, where: str) -> Any:
    if type(data) in kinds:  # unions that differ in their order are equal, and the first one is remembered for all
        return _decoded(type(data), data, where)
    for kind in kinds[:-1]:
        try:
            return _decoded(kind, data, where)
        except Malformed:
            continue
    return _decoded(kinds[-1], data, where)


def _sequence(origin: type, kinds: tuple[Any, ...], data: list[Any], where: str) -> Any:
    if origin is list or kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(data)
    if len(kinds) != len(data):
        raise Malformed(f"not as many items as should stand at {where}")
    pairs = zip(kinds, data, strict=True)
    return origin(_decoded(kind, item, f"{where}[{index}]") for index, (kind, item) in enumerate(pairs))


def _record(kind: Any, data: dict[str, Any], where: str) -> Any:
    hints = _hints(kind)
    added = {name for name, hint in hints.items() if ADDED in getattr(hint, "__metadata__", ())}
    required = getattr(kind, "__required_keys__", hints.keys() - added)
    if not data.keys() >= required or (not is_typeddict(kind) and data.keys() - hints.keys()):
        raise Malformed(f"not the names that should stand at {where or 'its top'}")
    return kind(**{name: _decoded(hints[name], data[name], _inside(where, name)) for name in hints if name in data})


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _text(text: str, where: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Malformed(f"half of a character at {where}") from None
    return text


def _inside(where: str, name: str) -> str:
    """The place of a name in the file. The name comes from the file, so it must not steer a terminal."""
    return f"{where}.{name[:60] if name[:60].isprintable() else ascii(name[:60])}"
