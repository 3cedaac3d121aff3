"""The file of an answer that a command looks into: the stub of a problem, or another one that is named."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.grade import trusted
from grader.kit import ownership
from grader.kit.files import Unreadable
from grader.kit.kit import KitError
from grader.kit.notebook import read_answer
from grader.kit.notebook_verdict import Origin
from grader.kit.shipped_stub import untouched
from grader.session import Session


@dataclass(frozen=True)
class AnswerFile:
    """The text of an answer. `shown` is its path as verdicts hold it; `origin` is known of a notebook alone."""

    path: Path
    shown: str
    text: str
    origin: Origin | None
    filled_in: bool


def option(answer: Path | None) -> tuple[str, ...]:
    """The words of a command line that name an answer; none for the stub."""
    return () if answer is None else ("--answer", str(answer))


def read(session: Session, name: str, answer: Path | None) -> AnswerFile:
    """The stub of a problem, or another answer to it.

    Raises:
        KitError: it cannot be read, or it is a stub that nobody has called their own.
    """
    kit = session.kit
    if answer is None:
        ownership.allow(kit, [name], runs=not session.policy.confine)
    path = kit.stub(name) if answer is None else answer.absolute()
    try:
        text, origin = read_answer(path, name, below=trusted(session, None if answer is None else path))
    except Unreadable as error:
        raise KitError(f"{kit.opened(path)}: {error}") from None
    return AnswerFile(path, kit.shown(path), text, origin, not untouched(kit, name, text))
