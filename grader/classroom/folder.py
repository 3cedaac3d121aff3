"""Walks a class: whatever lies in it is an answer, or is named with a line that says why it is none."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from pathlib import PurePosixPath

from grader.classroom.attempts import Candidate, latest
from grader.classroom.file_names import NOTEBOOK, SUFFIXES, ignored, problem_of, shown
from grader.classroom.layouts import PLAIN, TIMESTAMP, Layout, Whose
from grader.classroom.recognition import SHIPPED, recognised
from grader.classroom.submission import Submission, Unread
from grader.classroom.times import Unclear, of_nbgrader
from grader.classroom.tree import ZIP, Entry, unpacked
from grader.kit.cells import cells_of
from grader.kit.files import LARGEST_ANSWER, LARGEST_TEXT, Unreadable
from grader.kit.kit import Kit, KitError
from grader.kit.notebook import LARGEST_NOTEBOOK, Notebook
from grader.kit.notebook_verdict import Origin
from grader.kit.shipped_stub import untouched

MOST_FOLDERS_BETWEEN = 2
"""How many folders may lie between the class and an answer: of the student, and of the assignment or of a clone."""

MOST_ENTRIES = 500
"""The most files and folders in one folder of a student."""

ARCHIVES = (".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")


@dataclass(frozen=True)
class ReadAs:
    """How a class is read: each is found where the user does not say it.

    Attributes:
        layout: the system that it comes from.
        zone: of times that name none; None for that of this machine.
        assignment: the only folder to read in each student's; empty for all.
    """

    layout: Layout | None = None
    zone: tzinfo | None = None
    assignment: str = ""


ALL_FOUND = ReadAs()
"""Nothing is said."""


@dataclass(frozen=True)
class HandedIn:
    """What was handed in.

    Attributes:
        layout: what the class was read as; None for the folder of one student.
        unread: what could not be read, by path.
    """

    layout: Layout | None
    submissions: list[Submission]
    unread: list[Unread]


def read_class(top: Entry, kit: Kit, problems: Sequence[str], how: ReadAs = ALL_FOUND) -> HandedIn:
    """What students handed in to some problems, and what could not be read.

    Left out of both are answers to other problems of the kit, hidden files, what Python and Jupyter save, what the system
    adds, and the shipped files in a student's clone of the kit. No link is followed.

    Raises:
        Unreadable: the folder of the class cannot be read.
        KitError: the assignment that is asked for is not in it.
    """
    found = recognised(top, kit.names, how.zone, how.layout, how.assignment)
    walk = _Walk(kit, problems, how, found.layout)
    for entry in found.entries:
        walk.entry(entry, found.whose.get(entry.name, ()))
    if how.assignment and not walk.assigned and not any(one.assignment for of in found.whose.values() for one in of):
        known = f" There are {', '.join(sorted(walk.assignments))}." if walk.assignments else ""
        raise KitError(f"No assignment {how.assignment!r} is in this class.{known}")
    return walk.handed_in(found.layout, found.doubts)


def read_one(top: Entry, kit: Kit, problems: Sequence[str]) -> HandedIn:
    """What one student handed in to some problems, and what could not be read: the folder is that of the student."""
    walk = _Walk(kit, problems, ALL_FOUND, None)
    walk.one_student(top)
    return walk.handed_in(None, ())


class _Walk:
    def __init__(self, kit: Kit, problems: Collection[str], how: ReadAs, layout: Layout | None) -> None:
        self.kit, self.problems, self.how = kit, problems, how
        self.layout = layout.name if layout else None
        self.candidates: list[Candidate] = []
        self.unread: list[Unread] = []
        self.assignments: set[str] = set()
        self.assigned = False  # whether a folder of the assignment was found
        self.others = 0  # answers to problems that are not asked for
        self.known: dict[tuple[str, str], bool] = {}

    def entry(self, entry: Entry, people: Sequence[Whose]) -> None:
        """Read an entry of the class. What several handed in together counts for each of them."""
        if not entry.is_folder and not self._may_be_an_answer(entry):
            return
        if not people:
            return
        before, first = self._seen(), len(self.candidates)
        self._guarded(entry, partial(self._of, people[0], entry))
        found = self.candidates[first:]
        self.candidates += [
            replace(one, whose=replace(one.whose, student=person.student, called=person.called))
            for person in people[1:]
            for one in found
        ]
        if (entry.is_folder or entry.suffix == ZIP) and self._seen() == before:
            self._skip(entry, "nothing in it is to be graded: no answer was handed in, or only shipped stubs.")

    def one_student(self, top: Entry) -> None:
        self._guarded(top, partial(self._folder_of, Whose("student"), top, MOST_FOLDERS_BETWEEN - 1))

    def handed_in(self, layout: Layout | None, doubts: Sequence[Unread]) -> HandedIn:
        found, unread = latest(self.candidates)
        counted = [replace(one, layout=layout.name if layout else "") for one in found]
        return HandedIn(layout, counted, sorted((*doubts, *self.unread, *unread), key=lambda one: (one.path, one.why)))

    def _guarded(self, entry: Entry, read: Callable[[], None]) -> None:
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

    def _of(self, whose: Whose, entry: Entry) -> None:
        if entry.is_folder or entry.suffix == ZIP:
            self._folder_of(whose, entry, MOST_FOLDERS_BETWEEN - 1)
            return
        problem = whose.problem or problem_of(whose.file, self.kit.names)
        if problem or entry.suffix == NOTEBOOK:
            self._answer(entry, replace(whose, problem=problem))
        else:
            name = whose.file or entry.name
            self._skip(
                entry, f"{name!r} is called after no problem of this kit: it should be like {self._like(entry)}.py."
            )

    def _folder_of(self, whose: Whose, folder: Entry, depth: int) -> None:
        """Read a folder or a zip of a student, and `depth` levels of folders in it."""
        inside = self._inside(folder)
        whose = self._timed(whose, next((one for one in inside if self._is_time(one)), None))
        clone = any(one.name == "problems" and one.is_folder for one in inside)
        for entry in inside:
            if depth == MOST_FOLDERS_BETWEEN - 1 and self.how.assignment and not whose.assignment:
                self.assignments |= {shown(entry.name)} if entry.is_folder else set()
                if entry.name != self.how.assignment:
                    continue
                self.assigned = True
            if self._is_time(entry):
                continue
            if clone and entry.name == "problems":
                self._stubs(whose, entry, folder)
            elif clone and self._shipped(entry, folder):
                pass
            elif (entry.is_folder and depth) or (entry.suffix == ZIP and not entry.packed):
                self._guarded(entry, partial(self._folder_of, whose, entry, max(depth - 1, 0)))
            elif entry.is_folder:
                self._skip(
                    entry, f"no answers are looked for in a folder so deep: move those in it to {self._shown(folder)}."
                )
            elif entry.name == "stub.py" and folder.name in self.kit.names:
                self._answer(entry, replace(whose, problem=folder.name))
            elif self._may_be_an_answer(entry):
                self._in_folder(whose, entry)

    def _in_folder(self, whose: Whose, entry: Entry) -> None:
        problem = problem_of(entry.name, self.kit.names)
        if problem or entry.suffix == NOTEBOOK:
            self._answer(entry, replace(whose, problem=problem))
        else:
            self._skip(
                entry,
                f"its name is that of no problem of this kit: name it as the problem, for example {self._like(entry)}.py.",
            )

    def _stubs(self, whose: Whose, problems: Entry, clone: Entry) -> None:
        """Read `problems/` of a clone: the stubs that the student has filled in."""
        for folder in self._inside(problems):
            if folder.name not in self.kit.names or not folder.is_folder:
                self._skip(folder, "this is no problem of this kit: remove it, or add the problem to the kit.")
                continue
            for entry in self._inside(folder):
                if entry.name == "stub.py":
                    self._answer(entry, replace(whose, problem=folder.name), shipped=True)
                elif not self._shipped(entry, clone):
                    self._skip(
                        entry, "of a problem's folder stub.py alone is graded: if this is the answer, name it so."
                    )

    def _shipped(self, entry: Entry, clone: Entry) -> bool:
        inner = PurePosixPath(entry.path).relative_to(clone.path or ".")
        return inner.parts[0] in SHIPPED - {"problems"} or os.path.lexists(self.kit.root / inner)

    def _answer(self, entry: Entry, whose: Whose, *, shipped: bool = False) -> None:
        """Read the answers in a file; `shipped` says that a shipped stub in this place is none."""
        if entry.suffix == NOTEBOOK:
            return self._notebook(entry, whose)
        if whose.problem not in self.problems:
            self.others += 1
            return None
        text, why = self._text(entry)
        if text is None or not (shipped and self._untouched(whose.problem, text)):
            self._add(entry, whose, text, why)
        return None

    def _notebook(self, entry: Entry, whose: Whose) -> None:
        if whose.problem and whose.problem not in self.problems:
            self.others += 1
            return
        text, why = self._text(entry, LARGEST_NOTEBOOK)
        try:
            notebook = None if text is None else Notebook(cells_of(text))
        except Unreadable as error:
            notebook, why = None, str(error)
        if notebook is None and whose.problem:
            self._add(entry, whose, None, why)
        elif notebook is None:
            self._skip(entry, why)
        else:
            self._cells(entry, whose, notebook)

    def _cells(self, entry: Entry, whose: Whose, notebook: Notebook) -> None:
        """Take the answers of a notebook: to the problem that names it alone, where one does."""
        answered = [whose.problem] if whose.problem else notebook.answered(self.kit.names)
        if not answered:
            self._skip(
                entry, "no cell defines the function of a problem of this kit: name the function as the problem."
            )
        for problem in answered:
            if problem not in self.problems:
                self.others += 1
                continue
            one = replace(whose, problem=problem)
            try:
                extract = notebook.answer(problem)
                self._add(entry, one, extract.text, "", extract.origin)
            except Unreadable as error:
                self._add(entry, one, None, str(error))

    def _add(self, entry: Entry, whose: Whose, text: str | None, why: str, origin: Origin | None = None) -> None:
        if text is not None and not text.strip():
            text, why = None, "an empty file: nothing was handed in."
        self.candidates.append(Candidate(whose, self._shown(entry), text, why, origin))

    def _text(self, entry: Entry, limit: int = LARGEST_ANSWER) -> tuple[str | None, str]:
        try:
            return entry.text(limit), ""
        except Unreadable as error:
            return None, str(error)

    def _is_time(self, entry: Entry) -> bool:
        """Whether nbgrader wrote a file: in the downloads of other systems, the student did."""
        return entry.name == TIMESTAMP and self.layout in (None, "nbgrader", PLAIN.name)

    def _timed(self, whose: Whose, entry: Entry | None) -> Whose:
        if entry is None or entry.packed or whose.submitted:
            return whose  # only the first one is nbgrader's: what is in a zip, or deeper, is the student's
        text, why = self._text(entry, LARGEST_TEXT)
        try:
            return replace(whose, submitted=of_nbgrader(text or "", self.how.zone))
        except Unclear as error:
            self._skip(entry, why or f"{error}: these answers count as without a time.")
            return whose

    def _inside(self, folder: Entry) -> list[Entry]:
        """What lies in a folder or a zip and may be read, in order."""
        try:
            opened = folder if folder.is_folder else unpacked(folder)
            entries = [one for one in opened.inside() if not ignored(one.name)]
        except Unreadable as error:
            self._skip(folder, str(error))
            return []
        if len(entries) > MOST_ENTRIES:
            self._skip(
                folder,
                f"{len(entries)} files and folders are in it, and {MOST_ENTRIES} at most are read in one folder.",
            )
            return []
        for one in entries:
            if one.why:
                self._skip(one, one.why)
        return [one for one in entries if not one.why]

    def _may_be_an_answer(self, entry: Entry) -> bool:
        if entry.why:
            self._skip(entry, entry.why)
            return False
        if entry.suffix in ARCHIVES or (entry.suffix == ZIP and entry.packed):
            self._skip(entry, "an archive that is not read here: unpack it in its place.")
        elif entry.suffix not in (*SUFFIXES, ZIP):
            hint = f" Save it as {entry.name.removesuffix('.txt')}." if entry.name.endswith(".py.txt") else ""
            self._skip(entry, f"neither Python nor a notebook: only .py and .ipynb are graded.{hint}")
        return entry.suffix in SUFFIXES or (entry.suffix == ZIP and not entry.packed)

    def _untouched(self, problem: str, text: str) -> bool:
        # It runs git, and most of a class hands in most stubs as they were shipped.
        if (problem, text) not in self.known:
            self.known[problem, text] = untouched(self.kit, problem, text)
        return self.known[problem, text]

    def _like(self, entry: Entry) -> str:
        """The problem that a file may be meant for: one whose name is in its name, else any."""
        within = [one for one in self.problems if one in entry.name.lower().replace(" ", "_")]
        return max(within, key=len, default="") or next(iter(self.problems), "rope")

    def _seen(self) -> int:
        return len(self.candidates) + len(self.unread) + self.others

    def _skip(self, entry: Entry, why: str) -> None:
        self.unread.append(Unread(self._shown(entry), why))

    def _shown(self, entry: Entry) -> str:
        return shown(entry.path) or "."
