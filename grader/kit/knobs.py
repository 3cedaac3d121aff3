"""The old form of a reference: a function with knobs, and pitfalls that turn them. It goes once no problem has it."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.kit import mistakes
from grader.kit.problem import ProblemError
from grader.kit.solution import Solution


@dataclass(frozen=True)
class AnyOf:
    """Several values of one knob that are the same mistake, for example every wrong base."""

    values: tuple[object, ...]
    alone: tuple[object, ...] = ()


def any_of(*values: object, alone: Sequence[object] = ()) -> AnyOf:
    """Several values of one knob under the name of one pitfall."""
    return AnyOf(values, tuple(alone))


@dataclass(frozen=True, init=False)
class Pitfall:
    """A pitfall with its knobs."""

    name: str
    why: str
    hint: str
    knobs: Mapping[str, object]

    def __init__(self, name: str, *, why: str, hint: str, **knobs: object) -> None:
        for key, value in {"name": name, "why": why, "hint": hint, "knobs": knobs}.items():
            object.__setattr__(self, key, value)

    def settings(self, *, combined: bool = False) -> Iterator[dict[str, object]]:
        choices = [
            (*value.values, *(() if combined else value.alone)) if isinstance(value, AnyOf) else (value,)
            for value in self.knobs.values()
        ]
        for values in itertools.product(*choices):
            yield dict(zip(self.knobs, values, strict=True))


@dataclass(frozen=True, eq=False)
class KnobForm(mistakes.Form):
    """A form that turns knobs. Its edits stand for the knobs: two that turn the same knob are never combined."""

    knobs: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, eq=False)
class KnobSolution(Solution):
    reference: Callable[..., Any] = field(default=lambda: None)

    def _made(self, forms: tuple[mistakes.Form, ...]) -> Callable[..., Any]:
        turned = {name: value for form in forms for name, value in form.knobs}  # type: ignore[attr-defined]
        return functools.partial(self.reference, **turned) if turned else self.reference


def of_reference(reference: Callable[..., Any], pitfalls: Sequence[Pitfall]) -> Solution:
    file = inspect.unwrap(reference).__code__.co_filename
    knobs = [p.name for p in inspect.signature(reference).parameters.values() if p.kind is p.KEYWORD_ONLY]
    found: list[mistakes.Pitfall] = []
    for one in pitfalls:
        if unknown := [name for name in one.knobs if name not in knobs]:
            raise ProblemError(f"the pitfall {one.name!r} turns {unknown[0]!r}, which is not a knob of the reference")
        combined = list(one.settings(combined=True))
        forms = [
            KnobForm(
                one.name,
                "",
                tuple(mistakes.Edit(knobs.index(k), knobs.index(k) + 1, "", knobs.index(k) + 1, 0) for k in turned),
                ", ".join(f"{k}={v!r}" for k, v in turned.items()),
                turned not in combined,
                frozenset(),
                0,
                tuple(turned.items()),
            )
            for turned in one.settings()
        ]
        found.append(mistakes.Pitfall(one.name, one.why, one.hint, tuple(forms)))
    return KnobSolution(reference.__name__, file, "", tuple(found), reference)
