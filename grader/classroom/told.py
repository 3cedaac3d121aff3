"""A row in words: as much of its verdict as a level of feedback shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from grader.classroom.row import VERDICT, Row
from grader.marking.verdict import Status
from grader.marking.verdict import Verdict as Graded
from grader.report.feedback import FULL, limited
from grader.report.feedback import VERDICT as STATUS_ALONE


@dataclass(frozen=True)
class Told:
    """What a level of feedback shows of a row.

    Attributes:
        status: of the verdict; empty if there is none.
        title: one line: names of mistakes, or the status.
        lines: all that is told, beginning with the message.
        hints: the hints of its mistakes.
        line: the first line of the answer at which it goes wrong; 0 if none is known or shown.
        end_line: the last one of that place.
    """

    status: str
    title: str
    lines: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    line: int = 0
    end_line: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def told(row: Row, level: str) -> Told:
    """A row in words, at a level of feedback. Of a row without a verdict, the words say that, and nothing else."""
    verdict = row.verdict
    if row.state != VERDICT or verdict is None:
        line = "Not graded yet." if not row.fault else f"The grader could not grade this: {row.fault}"
        return Told("", "not graded", (clean(line),))
    status = str(verdict["status"])
    if level == STATUS_ALONE:
        return Told(status, status, (_status_in_words(verdict),))
    mistakes: list[dict[str, Any]] = verdict["mistakes"] or []
    lines = [str(verdict["message"])]
    for one in mistakes:
        why = one["why"] if level == FULL or not one.get("shows_expected", True) else ""
        lines.append(" ".join(part for part in (f"{one['name']}:", why, one["hint"]) if part))
    if raised := verdict["raised"]:
        lines.append(" ".join(part for part in (f"{raised['type']}: {raised['message']}", raised["advice"]) if part))
    insights = verdict["insights"] or ()
    lines += [str(one["message"]) for one in insights if level == FULL or not one.get("shows_expected", True)]
    places: list[dict[str, Any]] = verdict["where"] or []
    lines += [f"{place_of(one).capitalize()}: {one['message']}" for one in places if level == FULL]
    lines += [f"{place_in_words(one)}." for one in places if level != FULL]
    names = tuple(str(name) for name in verdict["pitfalls"] or ())
    first, last = (places[0]["line"], places[0]["end_line"]) if places else _raised_at(verdict)
    return Told(
        status,
        f"{status}: {' + '.join(names)}" if names else status,
        tuple(clean(line) for line in lines),
        names,
        tuple(clean(str(one["hint"])) for one in mistakes),
        first,
        last,
    )


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


def _raised_at(verdict: dict[str, Any]) -> tuple[int, int]:
    frames = (verdict["raised"] or {}).get("frames") or ([verdict["stopped_at"]] if verdict["stopped_at"] else [])
    return (frames[-1]["line"], frames[-1]["line"]) if frames else (0, 0)


def _status_in_words(verdict: dict[str, Any]) -> str:
    unread = "" if verdict["file_status"] == "read" else verdict["file_status"]
    return limited(Graded("", Status(verdict["status"]), "", unread=unread), STATUS_ALONE).message
