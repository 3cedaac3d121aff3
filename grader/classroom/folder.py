"""Walks a class: whatever lies in it is an answer, or is named with a line that says why it is none."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath

from grader.classroom.answers import AnswerInFile, Answers
from grader.classroom.attempts import Candidate, latest
from grader.classroom.file_names import NOTEBOOK, SUFFIXES, ignored, problem_of, storable_name
from grader.classroom.late import UnclearTime, of_nbgrader
from grader.classroom.layouts import PLAIN, TIMESTAMP, Layout
from grader.classroom.recognition import ALL_FOUND, SHIPPED, ReadAs, recognised
from grader.classroom.student_names import Inside
from grader.classroom.submission import Submission, Unread
from grader.classroom.tree import ARCHIVES, TreeEntry, Whose, held_in, may_hold_answers, unpacked
from grader.kit.files import LARGEST_ANSWER, LARGEST_TEXT, Unreadable
from grader.kit.kit import Kit, KitError
from grader.kit.notebook import LARGEST_NOTEBOOK
from grader.kit.shipped_stub import untouched
from grader.locale.language import N_

MOST_ENTRIES = 500
"""The most files and folders in one folder of a student."""

LARGEST_LOOKED_INTO = 1 << 19
"""The most text of one student that is looked into for functions: files of Python without the one that their name says. It
takes half a minute at most."""

OTHER_ARCHIVES = (".gz", ".bz2", ".xz", ".7z", ".rar")


@dataclass(frozen=True)
class HandedIn:
    """What was handed in.

    Attributes:
        layout: what the class was read as; None for the folder of one student.
        unread: what could not be read, by path.
        others: attempts that could be read, and in whose place another counts, or none.
    """

    layout: Layout | None
    submissions: list[Submission]
    unread: list[Unread]
    others: list[Submission] = field(default_factory=list[Submission])


def read_class(top: TreeEntry, kit: Kit, problems: Sequence[str], how: ReadAs = ALL_FOUND) -> HandedIn:
    """What students handed in to some problems, and what could not be read.

    Left out of both are answers to other problems of the kit, hidden files, what Python and Jupyter save, what the system
    adds, and the shipped files in a student's clone of the kit. No link is followed.

    Raises:
        Unreadable: the folder of the class cannot be read.
        KitError: the assignment that is asked for is not in it.
    """
    found = recognised(top, kit.names, how)
    walk = _ClassWalk(kit, problems, how, found.layout)
    for entry in found.entries:
        walk.entry(entry, found.whose.get(entry.name, ()))
    if (
        how.assignment
        and not walk.assigned
        and not any(person.assignment for people in found.whose.values() for person in people)
    ):
        known = f" There are {', '.join(sorted(walk.assignments))}." if walk.assignments else ""
        raise KitError(f"No assignment {how.assignment!r} is in this class.{known}")
    doubts = [doubt for doubt in found.doubts if doubt.problem in ("", *problems)]
    return walk.handed_in(found.layout, doubts)


def read_one(top: TreeEntry, kit: Kit, problems: Sequence[str]) -> HandedIn:
    """What one student handed in to some problems, and what could not be read: the folder is that of the student."""
    walk = _ClassWalk(kit, problems, ALL_FOUND, None)
    walk.one_student(top)
    return walk.handed_in(None, ())


class _ClassWalk:
    def __init__(self, kit: Kit, problems: Collection[str], how: ReadAs, layout: Layout | None) -> None:
        self.kit, self.problems, self.how = kit, problems, how
        self.layout = layout.name if layout else None
        self.inside = layout.inside if layout else Inside()
        self.answers = Answers(kit, problems)
        self.top: TreeEntry | None = None  # the entry of the class that is read
        self.people: Sequence[Whose] = ()  # whose it is
        self.looked_into = 0
        self.candidates: list[Candidate] = []
        self.guessed: list[Candidate] = []  # what is told only if there is no other answer
        self.unread: list[Unread] = []
        self.none: list[Unread] = []  # what holds no answer: a student lacks one by it only if nothing else is there
        self.assignments: set[str] = set()
        self.assigned = False  # whether a folder of the assignment was found
        self.others = 0  # answers to problems that are not asked for
        self.known: dict[tuple[str, str], bool] = {}

    def entry(self, entry: TreeEntry, people: Sequence[Whose]) -> None:
        """Read an entry of the class. What several handed in together counts for each of them."""
        self.top, self.people, self.looked_into = entry, people, 0
        if not entry.is_folder and not self._may_be_an_answer(entry):
            return
        if not people:
            return
        before, first = self._seen(), len(self.candidates)
        self._guarded(entry, partial(self._of, people[0], entry))
        found = self.candidates[first:]
        self.candidates += [
            replace(candidate, whose=replace(candidate.whose, student=person.student, called=person.called))
            for person in people[1:]
            for candidate in found
        ]
        if (entry.is_folder or entry.suffix in ARCHIVES) and self._seen() == before:
            self._skip(entry, "nothing in it is to be graded: no answer was handed in, or only shipped stubs.")

    def one_student(self, top: TreeEntry) -> None:
        self.people = [Whose("student")]
        self._guarded(top, partial(self._folder_of, self.people[0], top, self.inside.folders - 1))

    def handed_in(self, layout: Layout | None, doubts: Sequence[Unread]) -> HandedIn:
        found, unread = latest(self.candidates, self._untouched)
        answered = {candidate.whose.of for candidate in self.candidates}
        unread += [candidate.unread() for candidate in self.guessed if candidate.whose.of not in answered]
        students = {student for student, _ in answered}
        self.unread += [
            Unread(unread_file.path, unread_file.why) if unread_file.student in students else unread_file
            for unread_file in self.none
        ]
        counting = {(submission.of, submission.path) for submission in found}
        read = [submission for candidate in self.candidates if (submission := candidate.submission()) is not None]
        read = [replace(submission, layout=layout.name if layout else "") for submission in read]
        counted = [submission for submission in read if (submission.of, submission.path) in counting]
        others = [submission for submission in read if (submission.of, submission.path) not in counting]
        lines = sorted({*doubts, *self.unread, *unread}, key=lambda doubt: (doubt.path, doubt.why, doubt.of))
        return HandedIn(layout, sorted(counted, key=lambda submission: submission.of), lines, others)

    def _guarded(self, entry: TreeEntry, read: Callable[[], None]) -> None:
        """Read a file or a folder of one student. Whatever goes wrong there is a line, and the others are read."""
        try:
            read()
        except KitError:
            raise
        except Unreadable as error:
            self._skip(entry, str(error))
        except OSError as error:
            self._skip(entry, f"cannot be read: {error.strerror or error}.")
        except Exception as error:  # whatever it is, it is of this student alone
            self._skip(entry, f"cannot be read ({type(error).__name__}): look at what is unusual in it.")

    def _of(self, whose: Whose, entry: TreeEntry) -> None:
        if entry.is_folder or entry.suffix in ARCHIVES:
            self._folder_of(whose, entry, self.inside.folders - 1)
        else:
            problem = whose.problem or problem_of(whose.file, self.kit.names)
            self._answer(entry, replace(whose, problem=problem))

    def _folder_of(self, whose: Whose, folder: TreeEntry, depth: int) -> None:
        """Read a folder or a zip of a student, and `depth` levels of folders in it."""
        inside = self._inside(folder)
        whose = replace(whose, submitted=whose.submitted or self.inside.submitted(folder.name))
        whose = self._timed(whose, next((entry for entry in inside if self._is_time(entry)), None))
        clone = any(entry.name == "problems" and entry.is_folder for entry in inside)
        for entry in inside:
            if depth == self.inside.folders - 1 and self.how.assignment and not whose.assignment:
                self.assignments |= {storable_name(entry.name)} if entry.is_folder else set()
                if entry.name != self.how.assignment:
                    continue
                self.assigned = True
            if self._is_time(entry) or self.inside.extras.fullmatch(entry.name):
                continue
            if clone and entry.name == "problems":
                self._stubs(whose, entry, folder)
            elif clone and self._shipped(entry, folder):
                pass
            elif (entry.is_folder and depth) or (entry.suffix in ARCHIVES and not entry.packed):
                self._guarded(entry, partial(self._folder_of, whose, entry, max(depth - 1, 0)))
            elif entry.is_folder:
                move = entry.to_do(f"move those in it to {self._shown(folder)}.")
                why = f"no answers are looked for in a folder so deep: {move}"
                self._skip(entry, why, none=not any(map(may_hold_answers, held_in(entry))))
            elif entry.name == "stub.py" and folder.name in self.kit.names:
                self._answer(entry, replace(whose, problem=folder.name))
            elif self._may_be_an_answer(entry):
                late = self.inside.late.fullmatch(entry.name)
                file = late["file"] if late and problem_of(late["file"], (*self.kit.names, "stub")) else entry.name
                problem = problem_of(file, self.kit.names)
                self._answer(entry, replace(whose, problem=problem, late=whose.late or file != entry.name))

    def _stubs(self, whose: Whose, problems: TreeEntry, clone: TreeEntry) -> None:
        """Read `problems/` of a clone: the stubs that the student has filled in."""
        for folder in self._inside(problems):
            if folder.name not in self.kit.names or not folder.is_folder:
                why = "this is no problem of this kit: remove it, or add the problem to the kit."
                self._skip(folder, why, lacking=False)
                continue
            for entry in self._inside(folder):
                if entry.name == "stub.py":
                    self._answer(entry, replace(whose, problem=folder.name), shipped=True)
                elif not self._shipped(entry, clone):
                    change = entry.to_do("name it so, if it is the answer.")
                    self._skip(entry, f"of a problem's folder stub.py alone is graded: {change}", folder.name)

    def _shipped(self, entry: TreeEntry, clone: TreeEntry) -> bool:
        inner = PurePosixPath(entry.path).relative_to(clone.path or ".")
        return inner.parts[0] in SHIPPED - {"problems"} or os.path.lexists(self.kit.root / inner)

    def _answer(self, entry: TreeEntry, whose: Whose, *, shipped: bool = False) -> None:
        """Read the answers in a file; `shipped` says that a shipped stub in this place is none."""
        if whose.problem and whose.problem not in self.problems:
            self.others += 1
            return
        text, why = self._text(entry, LARGEST_NOTEBOOK if entry.suffix == NOTEBOOK else LARGEST_ANSWER)
        if text is not None and not text.strip():
            text, why = None, N_("an empty file: nothing was handed in.")
        if text is None:
            found = [AnswerInFile(whose.problem, None, why)]
        elif shipped and self._untouched(whose.problem, text):
            return
        elif entry.suffix != NOTEBOOK and self._too_much(whose.problem, text):
            why = "this student's files without the function that their name says are larger than is looked into: "
            found = [AnswerInFile(whose.problem, None, why + entry.to_do("hand in the answers alone."))]
        else:
            like = f"{self._like(entry)}.py"
            flat = bool(whose.file) and whose.file != entry.name
            to_do = (
                f"in place of {whose.file!r} in its name, write {like}."
                if flat
                else f"name it as the problem, for example {like}."
            )
            to_do = f"if it is an answer, {entry.to_do(to_do)}"
            found = self.answers.of(text, entry.suffix, whose.problem, to_do)
        for answer in found:
            self._found(entry, replace(whose, problem=answer.problem), answer)

    def _too_much(self, problem: str, text: str) -> bool:
        """Whether no more text of this student is looked into."""
        looked_into = not (problem and f"def {problem}(" in text)
        self.looked_into += len(text) if looked_into else 0
        return looked_into and self.looked_into > LARGEST_LOOKED_INTO

    def _found(self, entry: TreeEntry, whose: Whose, answer: AnswerInFile) -> None:
        if not answer.problem:
            self._skip(entry, answer.why, none=answer.none)
        elif answer.problem not in self.problems:
            self.others += 1
        elif answer.guessed:
            people = [replace(whose, student=person.student) for person in self.people]
            self.guessed += [Candidate(person, self._shown(entry), None, answer.why) for person in people]
        else:
            origin, beside = answer.origin, answer.beside
            self.candidates.append(Candidate(whose, self._shown(entry), answer.text, answer.why, origin, beside))

    def _text(self, entry: TreeEntry, limit: int = LARGEST_ANSWER) -> tuple[str | None, str]:
        try:
            return entry.text(limit), ""
        except Unreadable as error:
            return None, str(error)

    def _is_time(self, entry: TreeEntry) -> bool:
        """Whether nbgrader wrote a file: in the downloads of other systems, the student did."""
        return entry.name == TIMESTAMP and self.layout in (None, "nbgrader", PLAIN.name)

    def _timed(self, whose: Whose, entry: TreeEntry | None) -> Whose:
        if entry is None or entry.packed or whose.submitted:
            return whose  # only the first one is nbgrader's: what is in a zip, or deeper, is the student's
        text, why = self._text(entry, LARGEST_TEXT)
        try:
            return replace(whose, submitted=of_nbgrader(text or "", self.how.zone))
        except UnclearTime as error:
            self._skip(entry, why or f"{error}: these answers count as without a time.", lacking=False)
            return whose

    def _inside(self, folder: TreeEntry) -> list[TreeEntry]:
        """What lies in a folder or a zip and may be read, in order."""
        try:
            opened = folder if folder.is_folder else unpacked(folder)
            entries = [entry for entry in opened.inside() if not ignored(entry.name)]
        except Unreadable as error:
            self._skip(folder, str(error))
            return []
        if len(entries) > MOST_ENTRIES:
            self._skip(
                folder,
                f"{len(entries)} files and folders are in it, and {MOST_ENTRIES} at most are read in one folder.",
            )
            return []
        for entry in entries:
            if entry.why:
                self._skip(entry, entry.why)
        return [entry for entry in entries if not entry.why]

    def _may_be_an_answer(self, entry: TreeEntry) -> bool:
        if entry.why:
            self._skip(entry, entry.why)
            return False
        if entry.suffix in OTHER_ARCHIVES or (entry.suffix in ARCHIVES and entry.packed):
            self._skip(entry, "an archive that is not read here: unpack it in its place.")
        elif entry.suffix not in (*SUFFIXES, *ARCHIVES):
            hint = f" Save it as {entry.name.removesuffix('.txt')}." if entry.name.endswith(".py.txt") else ""
            self._skip(entry, f"neither Python nor a notebook: only .py and .ipynb are graded.{hint}", none=True)
        return entry.suffix in SUFFIXES or (entry.suffix in ARCHIVES and not entry.packed)

    def _untouched(self, problem: str, text: str) -> bool:
        # It runs git, and most of a class hands in most stubs as they were shipped.
        if (problem, text) not in self.known:
            self.known[problem, text] = untouched(self.kit, problem, text)
        return self.known[problem, text]

    def _like(self, entry: TreeEntry) -> str:
        """The problem that a file may be meant for: one whose name is in its name, else one that somebody answers."""
        within = [problem for problem in self.problems if problem in entry.name.lower().replace(" ", "_")]
        answered = [candidate.whose.problem for candidate in self.candidates[:1]]
        return max(within, key=len, default="") or next(iter((*answered, *self.problems)), "rope")

    def _seen(self) -> int:
        return len(self.candidates) + len(self.guessed) + len(self.unread) + len(self.none) + self.others

    def _skip(self, entry: TreeEntry, why: str, problem: str = "", *, lacking: bool = True, none: bool = False) -> None:
        """Tell what is not graded.

        Args:
            lacking: whether its students may lack an answer by it.
            none: whether it holds no answer, unless it is called after a problem.
        """
        whose = self.people[0] if self.people and entry is self.top else Whose("")
        meant = whose.problem or problem_of((whose.file or entry.name).removesuffix(".txt"), self.problems)
        problem = problem or (meant if lacking else "")
        people = [person.student for person in self.people] if lacking else []
        lines = [Unread(self._shown(entry), why, student=student, problem=problem) for student in people or [""]]
        (self.none if none and not problem else self.unread).extend(lines)

    def _shown(self, entry: TreeEntry) -> str:
        return storable_name(entry.path) or "."
