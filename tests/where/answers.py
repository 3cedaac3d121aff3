"""Toy answers and their references: functions of this file, traced as an answer and as a reference are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import numpy as np

from grader.oracle.steps import steps
from grader.values.places import FoundPlace
from grader.where.steps import WITHOUT_DERIVATIVES
from grader.where.trial import SearchCase
from tests.jaxpr.evaluating import as_reference
from tests.program.sent import sent, value

ALLOWED = 1e-7


def cases(
    answer: Callable[[int], Any], reference: Callable[[int], Any], sizes: Sequence[int] = (3, 4)
) -> list[SearchCase]:
    """What the search is asked about an answer: its program on each size, and the steps of the reference."""
    return [_case(partial(answer, size), partial(reference, size), answer.__code__.co_filename) for size in sizes]


def _case(answer: Callable[[], Any], reference: Callable[[], Any], file: str) -> SearchCase:
    due = value(reference).reshape(-1)
    made = steps(as_reference(jax.make_jaxpr(reference)(), file))
    free = made.pop(WITHOUT_DERIVATIVES, None)
    return SearchCase(sent(answer, file), {}, due, np.full(due.shape, ALLOWED), made, None if free is None else free[0])


def text_of(found: FoundPlace, file: str) -> str:
    """The expression that was found, as it stands in the file; its first line."""
    with open(file, "rb") as opened:
        line = opened.read().splitlines()[found.place.line - 1]
    end = found.place.end_column if found.place.end_line == found.place.line else len(line)
    return line[found.place.column : end].decode()
