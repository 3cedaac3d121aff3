"""The ways in which a name that Canvas writes can be read, and which of them counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grader.classroom.file_names import number_of
from grader.classroom.listing import Whom, Whose
from grader.classroom.submission import Attempt

LONGEST_NUMBER = 19
NUMBER = rf"[1-9][0-9]{{0,{LONGEST_NUMBER - 1}}}"
"""A number of a user or of an upload: no system writes a zero before it."""

MOST_PARTS_OF_A_NAME = 40
"""How many parts of the name of a file, between `_`, may hold the name of a student of Canvas."""

Listed = Callable[[str, str], bool | None]
"""Whether the student of this number on the list of a class is called so, or has a team that is. None where the list has no
such number."""


@dataclass(frozen=True)
class Unclear:
    """A name that nothing decides.

    Attributes:
        ways: in which it may be read.
        students: those of them whom the class or its list has.
    """

    why: str
    ways: Sequence[Whose]
    students: Sequence[str]


def ways_of_canvas(name: str) -> list[Whose]:
    """Whose a file of an assignment is, in each way in which its name can be read."""
    if text := re.fullmatch(rf"(?P<called>[^\W_][^\s@.]*?)_(?P<late>LATE_)?(?P<id>{NUMBER})_(?:text|link)\.html", name):
        return [Whose(text["id"], text["called"], late=bool(text["late"]))]  # what was typed in, or an address
    parts = name.split("_")
    ways: list[Whose] = []
    for at in range(1, min(len(parts) - 2, MOST_PARTS_OF_A_NAME)):
        late = at > 1 and parts[at - 1] == "LATE"
        called, file = "_".join(parts[: at - late]), "_".join(parts[at + 2 :])
        numbers = re.fullmatch(NUMBER, parts[at]) and re.fullmatch(NUMBER, parts[at + 1])
        plausible = re.fullmatch(r"(?!anon$)(?!.*_question(?:_|$))[^\W_][^\s@.]*", called) and called == called.lower()
        if numbers and plausible and file:
            attempt = Attempt(number_of(file), int(parts[at + 1]))
            ways.append(Whose(parts[at], called, file, attempt=attempt, late=late))
        if late and ways:  # a name has small letters: what stands after LATE is no part of it
            return ways
    return ways


def ways_of_quiz(whole: str) -> list[tuple[str, str]]:
    """The numbers of users, each with the name before it, that a quiz may have written in one: first the longest number."""
    return [
        (whole[at:], whole[:at])
        for at in range(1, len(whole))
        if len(whole) - at <= LONGEST_NUMBER and re.fullmatch(NUMBER, whole[at:])
    ]


def decided(whom: Whom, listed: Listed | None, *, doubtful: bool) -> tuple[Whom, dict[str, Unclear]]:
    """Take the one way to read each name: that which the list of the class has, else the only one that the sure names of the
    class leave, unless the list contradicts it: a number has one name, and an upload is one. What nothing decides is
    nobody's.
    """
    known = {name: several for name, several in whom.items() if not (several and several[0].others)}
    unclear: dict[str, Unclear] = {}
    sure = [one for several in known.values() for one in several]
    called = {one.student: one.called for one in sure}
    uploads = {one.attempt.upload for one in sure if one.attempt}
    for name, (one, *_) in ((name, several) for name, several in whom.items() if name not in known):
        ways = (replace(one, others=()), *one.others)
        fitting = [way for way in ways if listed and listed(way.student, way.called)]
        if doubtful and len(fitting) != 1:
            fitting = [
                way
                for way in fitting or ways
                if called.get(way.student, way.called) == way.called
                and not (way.attempt and way.attempt.upload in uploads)
            ]
            if len(fitting) == 1 and listed and listed(fitting[0].student, fitting[0].called) is False:
                fitting = []
        elif not fitting:
            fitting = [ways[0]]
        known[name] = fitting if len(fitting) == 1 else ()
        if len(fitting) != 1:
            open_ = fitting or ways
            students = [
                way.student
                for way in open_
                if way.student in called or (listed and listed(way.student, way.called) is not None)
            ]
            unclear[name] = Unclear(_two_ways(open_, listed, doubtful=doubtful), open_, students)
    return known, unclear


def _two_ways(ways: Sequence[Whose], listed: Listed | None, *, doubtful: bool) -> str:
    one, other, *_ = ways
    said = f"its name is that of {one.student}, called {one.called!r}, or of {other.student}, called {other.called!r}"
    if not doubtful:
        return (
            f"{said}, and both are on the list of the class: look in the system whose it is, and leave one on the list."
        )
    roster = "" if listed else "give --roster, with the names and the groups of the class, or "
    return f"{said}: {roster}rename it {_plainly(one)} or {_plainly(other)}."


def _plainly(way: Whose) -> str:
    """A name of Canvas that can be read in this way alone."""
    late = "LATE_" if way.late else ""
    file = re.sub(r"(?:^|(?<=_))[0-9]+_", "", way.file)
    return f"{way.called.replace('_', '')}_{late}{way.student}_{way.attempt.upload if way.attempt else 1}_{file}"
