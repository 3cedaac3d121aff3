"""Answers that turn on 64 bits in JAX: their text with 64 bits off, and what is said where 64 bits are the cause."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.marking.verdict import Diagnosis, Named, Status, Verdict

NAME = "x64"

_OPTION = re.compile(r"(jax_enable_x64[\"']?\s*[,=]\s*(?:val\s*=\s*)?)(?:True|1)\b")
_CONTEXT = re.compile(r"(?<!def )(\benable_x64)\(\s*(?:True)?\s*\)")

_ON = "It turns on `jax_enable_x64`: where no dtype is given, JAX then takes 64 bits and draws other random numbers."


def without_x64(text: str) -> str:
    """The text of an answer with 64 bits off. All else stays as it is, also the number of each line."""
    return _CONTEXT.sub(r"\1(False)", _OPTION.sub(r"\1False", text))


def because_of_x64(verdict: Verdict, off: Verdict) -> Verdict:
    """The verdict on an answer that turns on 64 bits. It names `x64` if the same answer with 64 bits off fares otherwise.

    Args:
        verdict: on the answer as it is.
        off: on the same answer with 64 bits off.
    """
    right = off.status is Status.CORRECT
    if not right and off.status is not Status.WRONG:
        return verdict
    if verdict.status is Status.ERROR:
        return replace(verdict, message=f"{verdict.message} With `jax_enable_x64` off, it raises nothing.")
    worse = verdict.diagnosis.explained and not off.diagnosis.explained
    if not right and (worse or off.diagnosis.names == verdict.diagnosis.names):
        return verdict
    changed = "it is right" if right else "its values or their dtype are others"
    named = Named(
        NAME,
        f"{_ON} With that off, {changed}.",
        "Which line turns 64 bits on, and which dtypes does the problem ask for?",
    )
    diagnosis = Diagnosis(
        (named, *off.diagnosis.named),
        tuple((NAME, *names) for names in off.diagnosis.alternatives),
        explained=right or off.diagnosis.explained,
    )
    return replace(verdict, diagnosis=diagnosis, where=off.where)
