"""What lies in the folder of a class, and whose an entry of it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from grader.classroom.file_names import SUFFIXES, ignored
from grader.classroom.submission import Attempt
from grader.classroom.tree import ARCHIVES, Entry
from grader.kit.files import Unreadable


@dataclass(frozen=True)
class Whose:
    """Whose a file or a folder is.

    Attributes:
        student: the id that the system gives. Of a team without members, the team.
        called: the name that the system writes beside the id: one id has one name.
        assignment: what it answers, where the name tells: all of a class answer one.
        file: what the student called the file; empty for a folder.
        problem: where something else than the name of the file says it.
        submitted: ISO 8601 in UTC; empty where the name does not tell.
        late: whether the system marks it as late.
        team: the id of those who handed it in together.
        others: what else the name may say: a name of a student may hold what stands between the parts of a name.
    """

    student: str
    called: str = ""
    file: str = ""
    assignment: str = ""
    problem: str = ""
    attempt: Attempt | None = None
    submitted: str = ""
    late: bool = False
    team: str = ""
    others: tuple[Whose, ...] = ()


def may_hold_answers(entry: Entry) -> bool:
    """Whether it is a folder, an archive, or a file of Python or of Jupyter, that may be read."""
    return not entry.why and (entry.is_folder or entry.suffix in (*SUFFIXES, *ARCHIVES))


@dataclass(frozen=True)
class Listing:
    """What a rule looks at.

    Attributes:
        name: of the folder.
        entries: what lies in it, but for hidden files and what programs save.
        zone: of the times that name none; None for that of this machine.
        holds: which of the entries the rule is for.
    """

    name: str
    entries: Sequence[Entry]
    problems: Collection[str]
    zone: tzinfo | None = None
    holds: Callable[[Entry], bool] = may_hold_answers

    @property
    def answers(self) -> list[Entry]:
        """What may hold answers."""
        return [one for one in self.entries if self.holds(one)]


def held_in(entry: Entry) -> list[Entry]:
    """What a folder holds, but for hidden files and what programs save; nothing where it cannot be read."""
    try:
        return [one for one in entry.inside() if not ignored(one.name)]
    except Unreadable:
        return []


Whom = Mapping[str, Sequence[Whose]]
"""By the name of an entry that the system wrote, whose it is: several people where it names several, nobody where it tells
none."""
