"""A row in words: as much of its verdict as a level of feedback shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.classroom.row import VERDICT, Row, standing_in_words
from grader.locale.language import gettext
from grader.marking.verdict import Where
from grader.report.feedback import limited
from grader.report.places import messages
from grader.report.terminal import status_word
from grader.values.message import Line, Lines, message
from grader.values.places import PlaceKind

MOST_IDS_NAMED = 5
"""The most ids that a line names; more are counted."""


@dataclass(frozen=True)
class RowWords:
    """What a level of feedback shows of a row.

    Attributes:
        status: of the verdict; empty if there is none.
        title: one line: names of mistakes, or the status.
        lines: all that is told, beginning with the message.
    """

    status: str
    title: str
    lines: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def row_words(row: Row, level: str) -> RowWords:
    """A row in words, at a level of feedback. Of a row without a verdict, the words say that, and nothing else."""
    if row.state != VERDICT or row.verdict is None:
        line = gettext("Not graded yet.")
        if row.fault:
            line = gettext("The grader could not grade this: {fault}").format(fault=row.fault)
        return RowWords("", gettext("not graded"), (clean(line),))
    verdict = limited(row.verdict, level)
    lines = [str(verdict.message), *([row.note] if row.note else [])]
    for mistake in verdict.diagnosis.named:
        lines.append(" ".join(filter(None, (f"{mistake.name}:", str(mistake.why), str(mistake.hint)))))
    if raised := verdict.raised:
        # On one line: a message of an answer may look like lines of the grader.
        said = " ".join(f"{raised.kind}: {raised.message}".split())
        lines.append(f"{said} {raised.advice}".rstrip())
    lines += [str(insight.message) for insight in verdict.insights]
    for place, said in zip(verdict.where, messages(verdict.where), strict=True):
        told = message("{line}: {said}", line=_address(place), said=said)
        lines.append(f"{place_in_words(place)}." if place.kind is PlaceKind.HIDDEN else str(told))
    lines = [clean(line) for line in lines]
    return RowWords(
        verdict.status.value, spoken_standing(standing_in_words(verdict)), tuple(lines), verdict.diagnosis.names
    )


def spoken_standing(standing: str) -> str:
    """A verdict in a word or two (see `standing_in_words`), or an outcome, in the language that is spoken."""
    status, colon, names = standing.partition(":")
    return f"{status_word(status)}{colon}{names}"


def place_in_words(place: Where) -> str:
    """What is known of a place at a level without values, without a full stop."""
    fixable, elsewhere = (
        gettext("It can be fixed at {line}"),
        gettext("The mistake is at {line}, or in what goes in there"),
    )
    return (fixable if place.fixable else elsewhere).format(line=_address(place))


def _address(place: Where) -> Lines:
    """The line of a place, with its cell in a notebook."""
    return Lines((Line(place.span.line, place.span.cell),))


def clean(text: str) -> str:
    """Text without characters that control a terminal, or that XML does not have. Lines and tabs stay."""
    return re.sub(r"[^\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text)


def listed(ids: Sequence[str]) -> str:
    """Ids on one line: the first ones, and how many more."""
    more = f" and {len(ids) - MOST_IDS_NAMED} more" if len(ids) > MOST_IDS_NAMED else ""
    return clean(" ".join(f"{', '.join(ids[:MOST_IDS_NAMED])}{more}".split()))
