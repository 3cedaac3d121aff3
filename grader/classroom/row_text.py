"""A row in words: as much of its verdict as a level of feedback shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.classroom.database import Unusable
from grader.classroom.row import VERDICT, Row
from grader.marking.places import Kind
from grader.marking.verdict import Verdict
from grader.report.as_json import read_verdict
from grader.report.feedback import limited

MOST_IDS_NAMED = 5
"""The most ids that a line names; more are counted."""


@dataclass(frozen=True)
class Told:
    """What a level of feedback shows of a row.

    Attributes:
        status: of the verdict; empty if there is none.
        title: one line: names of mistakes, or the status.
        lines: all that is told, beginning with the message.
        pitfalls: the names of its mistakes.
    """

    status: str
    title: str
    lines: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def told(row: Row, level: str) -> Told:
    """A row in words, at a level of feedback. Of a row without a verdict, the words say that, and nothing else."""
    document = row.verdict
    if row.state != VERDICT or document is None:
        line = "Not graded yet." if not row.fault else f"The grader could not grade this: {row.fault}"
        return Told("", "not graded", (clean(line),))
    verdict = shown(document, level)
    lines = [str(verdict.message), *([row.note] if row.note else [])]
    for mistake in verdict.diagnosis.named:
        lines.append(" ".join(filter(None, (f"{mistake.name}:", str(mistake.why), str(mistake.hint)))))
    if raised := verdict.raised:
        # On one line: a message of an answer may look like lines of the grader.
        said = " ".join(f"{raised.kind}: {raised.message}".split())
        lines.append(f"{said} {raised.advice}".rstrip())
    lines += [str(insight.message) for insight in verdict.insights]
    for place, told in zip(verdict.where, document["where"] or (), strict=False):
        hidden = place.kind is Kind.HIDDEN
        lines.append(f"{place_in_words(told)}." if hidden else f"{place_of(told).capitalize()}: {told['message']}")
    names = verdict.diagnosis.names
    return Told(
        verdict.status.value,
        f"{verdict.status.value}: {' + '.join(names)}" if names else verdict.status.value,
        tuple(clean(line) for line in lines),
        names,
    )


def shown(document: dict[str, Any], level: str) -> Verdict:
    """What a level of feedback shows of a verdict of the gradebook, as far as words need it.

    Raises:
        Unusable: this grader did not write it.
    """
    try:
        return limited(read_verdict(document), level)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        file = document.get("file", "an answer")
        raise Unusable(
            f"The gradebook's verdict on {file} is none that this grader wrote ({type(error).__name__}: {error})."
        ) from None


def place_in_words(one: dict[str, Any]) -> str:
    """What is known of a place at a level without values, without a full stop."""
    place = place_of(one)
    return (
        f"It can be fixed at {place}" if one.get("fixable") else f"The mistake is at {place}, or in what goes in there"
    )


def place_of(one: dict[str, Any]) -> str:
    """The line of a place or of a frame in words, with its cell in a notebook."""
    return f"cell {one['cell']}, line {one['line']}" if one.get("cell") else f"line {one['line']}"


def clean(text: str) -> str:
    """Text without characters that control a terminal, or that XML does not have. Lines and tabs stay."""
    return re.sub(r"[^\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text)


def listed(ids: Sequence[str]) -> str:
    """Ids on one line: the first ones, and how many more."""
    more = f" and {len(ids) - MOST_IDS_NAMED} more" if len(ids) > MOST_IDS_NAMED else ""
    return clean(" ".join(f"{', '.join(ids[:MOST_IDS_NAMED])}{more}".split()))
