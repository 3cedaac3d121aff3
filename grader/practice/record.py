"""What is kept of a learner's practice, in `.grader/practice.json`: the exercise under way, what is over, what is due."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from grader.kit.kit import Kit
from grader.kit.state import (
    SECONDS_BEFORE_A_READ,
    SECONDS_BEFORE_A_WRITE,
    Damaged,
    NotSaved,
    locked,
    read_or_set_aside,
    read_state,
    warn_later,
)
from grader.locale.language import gettext
from grader.marking.verdict import Verdict, fits
from grader.values.decode import Malformed, decode, parse

if TYPE_CHECKING:
    import fsrs

FORMAT = 1

LARGEST_RECORD = 1 << 25
"""The most bytes of the file: some thousand exercises, and the verdict on one."""

LONGEST_INTERVAL = 60
"""The most days between two exercises on one problem."""


class Rating(IntEnum):
    """How well a mistake was found, in the numbers of the algorithm FSRS."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True)
class Exercise:
    """An exercise under way.

    Attributes:
        text: of `practice.py` as it was written, with the mistake.
        source: a digest of the answer that it was made of; empty for the worked answer.
        sort, name: of the change (see `changes.Change`).
        line: the number of the first line that differs.
        before, after: the lines that differ: those of the answer, and those with the mistake.
        print: a digest of the problem and of the software that found the text wrong.
        verdict: the whole verdict on the text.
        hints: how many were taken.
        tries: how often another text was graded.
        began: seconds since 1970.
    """

    problem: str
    text: str
    source: str
    sort: str
    name: str
    line: int
    before: str
    after: str
    print: str
    verdict: Verdict
    hints: int = 0
    tries: int = 0
    began: float = 0.0

    @property
    def numbers(self) -> str:
        """A digest of what the text gives on all cases."""
        return digest_of_numbers(self.verdict)


@dataclass(frozen=True)
class Practised:
    """An exercise that is over.

    Attributes:
        sort, name, line: of the change.
        mistakes: those that the verdict named.
        numbers: a digest of what the text gave.
        found: whether the learner mended it.
        mended: a digest of the text with which they did; empty if they did not.
    """

    problem: str
    sort: str
    name: str
    mistakes: tuple[str, ...]
    numbers: str
    rating: int
    ended: float
    line: int = 0
    found: bool = True
    mended: str = ""


@dataclass(frozen=True)
class Schedule:
    """When a problem is due for practice, as FSRS keeps it. Times are in ISO format, in UTC."""

    due: str
    stability: float | None
    difficulty: float | None
    last_review: str | None

    @property
    def time(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.due)


@dataclass(frozen=True)
class Session:
    """Exercises on one track, one after another: when it began, in seconds since 1970, and how each one ended."""

    track: str
    began: float
    ratings: tuple[tuple[str, int], ...] = ()


@dataclass
class Record:
    """All that is kept. `schedules` are by problem, and `exercises` too: one may be under way on each."""

    current: str = ""
    exercises: dict[str, Exercise] = field(default_factory=dict[str, Exercise])
    schedules: dict[str, Schedule] = field(default_factory=dict[str, Schedule])
    past: list[Practised] = field(default_factory=list[Practised])
    session: Session | None = None

    @property
    def exercise(self) -> Exercise | None:
        """The exercise that was worked on last; None if none is under way."""
        return self.exercises.get(self.current)

    def due(self, now: datetime.datetime) -> list[str]:
        """The problems that are due, the longest due first."""
        due = [name for name, schedule in self.schedules.items() if schedule.time <= now]
        return sorted(due, key=lambda name: self.schedules[name].time)

    def last_on(self, name: str) -> Practised | None:
        """The last exercise on a problem that is over."""
        return next((one for one in reversed(self.past) if one.problem == name), None)

    def end(self, exercise: Exercise, rating: Rating, now: datetime.datetime, mended: str | None = None) -> None:
        """Note that an exercise is over, and when the problem is due again.

        Args:
            mended: a digest of the text with which the learner mended it; None if it was given up.
        """
        name = exercise.problem
        self.exercises.pop(name, None)
        names = exercise.verdict.diagnosis.names
        told = exercise.sort, exercise.name, names, exercise.numbers, int(rating), now.timestamp(), exercise.line
        self.past.append(Practised(name, *told, mended is not None, mended or ""))
        self.schedules[name] = scheduled(self.schedules.get(name), rating, now)
        if self.session is not None:
            self.session = replace(self.session, ratings=(*self.session.ratings, (name, int(rating))))


def scheduled(before: Schedule | None, rating: Rating, now: datetime.datetime) -> Schedule:
    """When a problem is due after an exercise on it, by the algorithm FSRS, with whole days between.

    What was not found comes back the next day. An exercise before the problem is due, which was found, changes nothing: to
    find a second mistake a minute later says little of what is known in a month.

    Args:
        before: what the exercise before left; None for the first one.
        now: when it ended, in UTC.
    """
    import fsrs  # when it is needed: `list` reads what it wrote

    if before is not None and now < before.time and rating > Rating.AGAIN:
        return before
    scheduler = fsrs.Scheduler(
        learning_steps=(), relearning_steps=(), maximum_interval=LONGEST_INTERVAL, enable_fuzzing=False
    )
    card, _ = scheduler.review_card(_card(before), fsrs.Rating(int(rating)), now)
    last = card.last_review
    due = min(card.due, now + datetime.timedelta(days=1)) if rating is Rating.AGAIN else card.due
    return Schedule(due.isoformat(), card.stability, card.difficulty, None if last is None else last.isoformat())


def _card(schedule: Schedule | None) -> fsrs.Card:
    import fsrs

    if schedule is None:
        return fsrs.Card(card_id=1)
    last = None if schedule.last_review is None else datetime.datetime.fromisoformat(schedule.last_review)
    kept = schedule.stability, schedule.difficulty, schedule.time, last
    return fsrs.Card(1, fsrs.State.Review, None, *kept)


def rated(hints: int, tries: int) -> Rating:
    """How well a mistake was found.

    Args:
        hints: how many were taken.
        tries: how many texts were graded, the right one included.
    """
    if hints == 0:
        return Rating.EASY if tries <= 1 else Rating.GOOD
    return Rating.HARD if hints <= 2 else Rating.AGAIN


def digest_of_numbers(verdict: Verdict) -> str:
    """A digest of the numbers of an answer, as far as a verdict holds them."""
    excerpt = verdict.excerpt
    told = [verdict.status.value, [[case.passed, repr(case.error)] for case in verdict.cases]]
    told += [repr(excerpt.yours)] if excerpt else []
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class _File:
    format: int
    current: str
    exercises: dict[str, Exercise]
    schedules: dict[str, Schedule]
    past: list[Practised]
    session: Session | None


def load(kit: Kit) -> Record:
    """What is kept in a kit. A damaged file is renamed, not lost, and the user is warned."""
    path = _path(kit)
    try:
        return _record(read_state(path, LARGEST_RECORD, _decoded))
    except Damaged as damaged:
        try:
            with locked(_lock(kit), SECONDS_BEFORE_A_READ):
                return _record(read_or_set_aside(path, LARGEST_RECORD, _decoded))
        except NotSaved as error:
            said = gettext("{path} is damaged ({reason}), and {error}: the grader goes on without it.")
            warn_later(said.format(path=damaged.path, reason=damaged.reason, error=error))
            return Record()


def update(kit: Kit, change: Callable[[Record], None]) -> Record:
    """Read what is kept again, change it and save it, under the lock of the learner's progress.

    Returns:
        what was saved.

    Raises:
        NotSaved: where the file cannot be locked or written.
    """
    from grader.kit.files import write_atomically

    path = _path(kit)
    with locked(_lock(kit), SECONDS_BEFORE_A_WRITE):
        record = _record(read_or_set_aside(path, LARGEST_RECORD, _decoded))
        change(record)
        parts = record.current, record.exercises, record.schedules, record.past, record.session
        write_atomically(path, json.dumps(asdict(_File(FORMAT, *parts)), indent=1).encode())
        return record


def _path(kit: Kit) -> Path:
    return kit.state / "practice.json"


def _lock(kit: Kit) -> Path:
    return kit.state / "progress.lock"


def _record(file: _File | None) -> Record:
    if file is None:
        return Record()
    return Record(file.current, dict(file.exercises), dict(file.schedules), list(file.past), file.session)


def _decoded(data: bytes) -> _File:
    parsed = parse(data)
    if isinstance(parsed, dict) and parsed.get("format") != FORMAT:
        said = gettext("of format {format}, and this is {due}")
        raise Malformed(said.format(format=parsed.get("format"), due=FORMAT))
    file: _File = decode(_File, parsed)
    times = [text for one in file.schedules.values() for text in (one.due, one.last_review) if text is not None]
    if not all(map(_is_time, times)):
        raise Malformed(gettext("a time that is none"))
    if not all(fits(exercise.verdict) and exercise.hints >= 0 for exercise in file.exercises.values()):
        raise Malformed(gettext("a verdict whose parts do not fit together"))
    return file


def _is_time(text: str) -> bool:
    """Whether a text is a time with a time zone."""
    try:
        return datetime.datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
